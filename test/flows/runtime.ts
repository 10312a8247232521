/**
 * Solana's own runtime under the production port to it. Each side of a test has its own RPC node, which goes wrong by
 * itself; every call is a moment at which its caller can die. Time is that of the world.
 */
import { toUtf8 } from '../../src/base/bytes.js'
import { type Json, type JsonObject, isObject } from '../../src/base/json.js'
import { ok } from '../../src/base/result.js'
import type { Chain } from '../../src/flows/ports.js'
import { createRpcChain } from '../../src/solana/rpc-chain.js'
import { type Rpc, createRpc, rpcOver, unreachable } from '../../src/solana/rpc.js'
import { LocalChain } from '../../src/solana/localnet/chain.js'
import type { Fault } from '../../src/solana/localnet/faults.js'
import { answerText } from '../../src/solana/localnet/json-rpc.js'
import { startLocalnet } from '../../src/solana/localnet/localnet.js'
import type { Signer } from '../../src/wire/ed25519.js'
import type { ManualClock } from './clock.js'

/** How calls get to the chain: over HTTP on loopback, or as the same texts without a socket, which is much quicker. */
export type Way = 'http' | 'text'

interface Caller {
  readonly wallet: Signer | undefined
  /** What is wrong with its RPC node just now. */
  readonly faults: ReadonlySet<Fault>
  /** Whether the caller is dead by now, or dies at this moment (`before getBalance`): then it hears no answer. */
  readonly dies: (moment: string) => boolean
  /** What its RPC node tells in place of the truth. */
  readonly lie: Told
}

export type Told = (method: string, result: Json) => Json

/** A transaction of the chain as its own JSON tells it, whatever the product makes of it. */
export interface Seen {
  readonly signature: string
  readonly failed: boolean
  readonly memo: string
  readonly from: string
  readonly to: string
  readonly lamports: bigint
}

export interface Runtime {
  /** The production port of one life of a node. */
  chainOf(caller: Caller): Chain
  /** Play money, landed at once. */
  give(address: string, lamports: bigint): Promise<void>
  balance(address: string): Promise<bigint>
  /** Everything that the chain took and that names an address, oldest first. */
  history(address: string): Promise<readonly Seen[]>
  stop(): Promise<void>
}

interface Door {
  readonly rpc: () => Rpc
  setFaults(faults: readonly Fault[]): void
  stop(): Promise<void>
}

/** Of a call over HTTP, in real time: short, for nodes that hang. */
const DEADLINE_MS = 500
const PAGE = 1000
const NEVER = new Promise<never>(() => undefined)

export async function openRuntime(clock: ManualClock, way: Way = 'text'): Promise<Runtime> {
  const door = way === 'http' ? await httpDoor(clock.now) : textDoor(clock.now)
  const honest = door.rpc()
  let last: Promise<unknown> = Promise.resolve()

  /** One call at a time, each with the faults of its caller. */
  function inTurn<T>(faults: readonly Fault[], call: () => Promise<T>): Promise<T> {
    const mine = last.then(() => {
      door.setFaults(faults)
      return call()
    })
    last = mine
    return clock.outside(mine)
  }

  async function ask(method: string, params: readonly Json[]): Promise<Json> {
    const answer = await inTurn([], () => honest.call(method, params, 64 * 1024 * 1024))
    if (!answer.ok || !('result' in answer.value)) throw new Error(`${method}: ${JSON.stringify(answer)}`)
    return answer.value.result
  }

  return {
    chainOf({ wallet, faults, dies, lie }) {
      const rpc = door.rpc()
      const mortal: Rpc = {
        async call(method, params, maxBytes) {
          if (dies(`before ${method}`)) return NEVER
          const answer = await inTurn([...faults], () => rpc.call(method, params, maxBytes))
          if (dies(`after ${method}`)) return NEVER
          return answer.ok && 'result' in answer.value ? ok({ result: lie(method, answer.value.result) }) : answer
        }
      }
      return createRpcChain({ rpc: mortal, cluster: 'solana:localnet', wallet })
    },
    give: async (address, lamports) => void (await ask('requestAirdrop', [address, Number(lamports)])),
    async balance(address) {
      const told = await ask('getBalance', [address])
      return BigInt(String(member(told, 'value')))
    },
    async history(address) {
      const rows = (await ask('getSignaturesForAddress', [address, { limit: PAGE }])) as readonly JsonObject[]
      if (rows.length === PAGE) throw new Error('more than a page')
      const signatures = rows.map((row) => String(row['signature'])).reverse()
      return Promise.all(
        signatures.map(async (signature) => seenIn(signature, await ask('getTransaction', asked(signature))))
      )
    },
    stop: () => door.stop()
  }
}

function asked(signature: string): readonly Json[] {
  return [signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }]
}

function seenIn(signature: string, told: Json): Seen {
  const steps = member(member(member(told, 'transaction'), 'message'), 'instructions') as readonly JsonObject[]
  const transfer = steps.find(({ program }) => program === 'system')
  const info = member(member(transfer ?? {}, 'parsed'), 'info')
  return {
    signature,
    failed: member(member(told, 'meta'), 'err') !== null,
    memo: String(steps.find(({ program }) => program === 'spl-memo')?.['parsed'] ?? ''),
    from: String(member(info, 'source')),
    to: String(member(info, 'destination')),
    lamports: BigInt(String(member(info, 'lamports')))
  }
}

function member(of: Json | undefined, name: string): Json | undefined {
  return of !== undefined && isObject(of) ? of[name] : undefined
}

async function httpDoor(now: () => number): Promise<Door> {
  const net = await startLocalnet(0, now)
  return {
    rpc: () => createRpc({ url: net.url, deadlineMs: DEADLINE_MS }),
    setFaults: (faults) => net.setFaults(faults),
    stop: () => net.stop()
  }
}

/** What the HTTP door of the localnet does, without HTTP; `hang` is over when its deadline would be. */
function textDoor(now: () => number): Door {
  const chain = new LocalChain(now)
  return {
    rpc: () =>
      rpcOver((body, maxBytes) => {
        if (chain.has('hang')) return Promise.resolve(unreachable('no answer in time'))
        if (chain.has('429')) return Promise.resolve(unreachable('HTTP 429'))
        const text = answerText(toUtf8(body), (method, params) => chain.call(method, params))
        const told = chain.has('truncated') ? text.slice(0, Math.floor(text.length / 2)) : text
        return Promise.resolve(told.length > maxBytes ? unreachable('too large') : ok(toUtf8(told)))
      }),
    setFaults: (faults) => chain.setFaults(faults),
    stop: () => Promise.resolve()
  }
}
