/** The chain as nodes of a simulated world have it: every call takes time, its caller may die of it, and the RPC node fails. */
import { ok } from '../../src/base/result.js'
import type { Chain } from '../../src/flows/ports.js'
import type { Signer } from '../../src/wire/ed25519.js'
import { type Failing, type TestLedger, createLedger } from '../support/ledger.js'
import type { Prng } from './prng.js'
import type { Scheduler } from './scheduler.js'

/** A call takes this long at the most, each way, in milliseconds. */
const SLOWEST_MS = 1_500
/** A transaction that is held up lands while its blockhash is good, or never. */
const HELD_MS = 75_000
/** A fault lasts this long at the most; one that finds nothing is shorter, for it must not outlast ten searches. */
const LONGEST_MS = 6 * 60_000
const FORGETS_MS = 40_000
const WEATHER = ['down', 'deaf', 'swallow', 'forget', 'flaky', 'unfinal', 'late'] as const

/** One life of a node. */
interface Life {
  readonly name: string
  alive(): boolean
  /** It is about to send these bytes. */
  onSend(bytes: Uint8Array): void
}

export interface MoneyChain {
  readonly ledger: TestLedger
  portFor(wallet: Signer, life: Life): Chain
  /** Makes one thing go wrong, for a while. */
  strike(): void
  /** Ends all faults. */
  heal(): void
}

export function createMoneyChain(components: {
  readonly scheduler: Scheduler
  readonly prng: Prng
  readonly now: () => number
}): MoneyChain {
  const { scheduler, prng, now } = components
  const ledger = createLedger({ now })
  let holding = false

  function portFor(wallet: Signer, life: Life): Chain {
    const port = ledger.chainOf(wallet)

    function pause(what: string): Promise<void> {
      return new Promise((resolve) => {
        scheduler.after(prng.whole(0, SLOWEST_MS), `${life.name} ${what}`, () => {
          if (life.alive()) resolve()
        })
      })
    }

    async function taking<T>(what: string, call: () => Promise<T>): Promise<T> {
      await pause(`asks ${what}`)
      const answer = await call()
      await pause(`hears ${what}`)
      return answer
    }

    function send(bytes: Uint8Array): ReturnType<Chain['send']> {
      life.onSend(bytes)
      if (!holding) return port.send(bytes)
      scheduler.after(prng.whole(0, HELD_MS), 'a transaction lands', () => void ledger.land(bytes))
      return Promise.resolve(ok())
    }

    return {
      cluster: port.cluster,
      address: () => port.address(),
      check: () => taking('check', () => port.check()),
      balance: (of) => taking('balance', () => port.balance(of)),
      slot: () => taking('slot', () => port.slot()),
      blockHeight: () => taking('blockHeight', () => port.blockHeight()),
      history: () => taking('history', () => port.history()),
      sign: (terms) => taking('sign', () => port.sign(terms)),
      send: (bytes) => taking('send', () => send(bytes)),
      fetch: (signature) => taking('fetch', () => port.fetch(signature)),
      find: (reference) => taking('find', () => port.find(reference))
    }
  }

  function turn(fault: (typeof WEATHER)[number], on: boolean): void {
    if (fault === 'late') holding = on
    else if (on) ledger.failing.add(fault satisfies Failing)
    else ledger.failing.delete(fault)
  }

  return {
    ledger,
    portFor,
    strike() {
      const fault = prng.pick(WEATHER)
      const longest = fault === 'forget' || fault === 'flaky' ? FORGETS_MS : LONGEST_MS
      turn(fault, true)
      scheduler.after(prng.whole(0, longest), `${fault} ends`, () => turn(fault, false))
    },
    heal() {
      for (const fault of WEATHER) turn(fault, false)
    }
  }
}
