import type { AgentId, TaskUid } from '../base/ids.js'
import { type Refusal, refusal } from '../base/refusal.js'
import { type Result, fail } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import type { Address } from '../payments/address.js'
import { type Spend, type SpendLimits, countedOf, countingSpends, freedAt, leftOfDay } from '../policy/spend.js'
import type { AgentBook } from './agents.js'
import type { ContactBook } from './contact-book.js'
import type { OwnerDoor } from './doors.js'
import type { JobBook } from './job-book.js'
import type { Chain, Clock, Tx } from './ports.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import type { BalanceView, CountedView, SpendLimitsView, WalletView } from './views/wallet.js'

/** The one wallet of the node, as its owner sees it: what is in it, what may leave it, and what counts against that. */

/** How long an owner waits for the chain before reading the rest without it, milliseconds. */
const BALANCE_MS = 5000

const TOO_SLOW = refusal('unavailable', 'The RPC node did not answer in time.', { code: 'chain_unreachable' })

export function createWallet(
  components: {
    readonly steps: Steps
    readonly agents: AgentBook
    readonly contacts: ContactBook
    readonly book: TaskBook
    readonly jobs: JobBook
    readonly chain: Chain | undefined
    readonly clock: Clock
  },
  options: { readonly spend: SpendLimits }
): OwnerDoor['wallet'] {
  const { steps, agents, contacts, book, jobs, chain, clock } = components
  /** The question that is under way: whoever asks meanwhile gets its answer. */
  let asking: Promise<BalanceView> | undefined

  function balance(of: Chain, address: Address): Promise<BalanceView> {
    asking ??= inTime(of.balance(address), clock)
      .then((told) => (told.ok ? { lamports: told.value.toString() } : { unknown: codeOf(told.refusal) }))
      .finally(() => (asking = undefined))
    return asking
  }

  function counted(tx: Pick<Tx, 'get'>, spend: Spend): CountedView {
    const { taskUid, attempt, lamports, at, landedAt } = spend
    return {
      taskUid,
      ...whoPays(tx, taskUid as TaskUid),
      attempt,
      lamports,
      state: landedAt === undefined ? 'reserved' : 'spent',
      at: isoOf(at),
      until: isoOf(freedAt(spend))
    }
  }

  function whoPays(tx: Pick<Tx, 'get'>, uid: TaskUid): Pick<CountedView, 'agent' | 'participantHandle'> {
    const agent = agents.all().find((one: AgentId) => book.find(tx, one, uid)?.role === 'inviter')
    const task = agent === undefined ? undefined : book.find(tx, agent, uid)
    if (task === undefined) return {}
    const contact = contacts.find(tx, task)
    return { agent: task.agent, participantHandle: contact?.alias ?? contact?.handle ?? '' }
  }

  function limits(tx: Pick<Tx, 'get'>, now: Instant): Required<WalletView>['limits'] {
    const counting = [...countingSpends(jobs.spends(tx), now)].sort((a, b) => a.at - b.at)
    return {
      ...limitsView(options.spend, counting, now),
      counted: countedOf(counting).toString(),
      items: counting.map((spend) => counted(tx, spend))
    }
  }

  return async () => {
    if (chain === undefined) return { cluster: 'off' }
    const address = chain.address()
    const known = address === undefined ? {} : { address, balance: await balance(chain, address) }
    return { cluster: chain.cluster, ...known, limits: await steps.read((tx) => limits(tx, clock.now())) }
  }
}

/** The limits with what is left of the day. */
export function limitsView(limits: SpendLimits, spent: readonly Spend[], now: Instant): SpendLimitsView {
  const left = leftOfDay(limits, spent, now)
  return { perJob: limits.perJob.toString(), perDay: limits.perDay.toString(), left: left.toString() }
}

function inTime<T>(answer: Promise<Result<T>>, clock: Clock): Promise<Result<T>> {
  return new Promise((resolve, reject) => {
    const callOff = clock.wake(BALANCE_MS, () => resolve(fail(TOO_SLOW)))
    answer.then(resolve, reject).finally(callOff)
  })
}

function codeOf({ message, code, details }: Refusal): { readonly code: string; readonly message: string } {
  return { code: details.code ?? code, message }
}
