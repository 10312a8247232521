import { DAY, MINUTE, type Instant } from '../base/time.js'
import type { FetchedTransaction } from '../payments/fetched.js'
import type { PaymentFault } from '../payments/finding.js'
import { decodeTransaction } from '../payments/transaction.js'
import { verifyPayment } from '../payments/verify.js'
import type { JobBook } from './job-book.js'
import type { Chain, Clock } from './ports.js'
import type { AttemptRecord } from './records/jobs.js'
import type { TaskRecord } from './records/tasks.js'
import type { Steps } from './steps.js'

/**
 * Whether a payment of ours is on the chain. That it is there, one answer can tell, for the bytes are ours; that it is not
 * counts only from an RPC node whose history reaches back far enough, and never against the wallet (protocols/jobs.md,
 * "Absence").
 */
export interface JobSearch {
  /** One look. `nothing`: this RPC node knows of none. `unknown`: no answer, or one that is none about our transaction. */
  seen(attempt: AttemptRecord): Promise<Seen>
  /** What it means that a look saw nothing. `there`: something else speaks of it after all. */
  absence(task: Pick<TaskRecord, 'uid'>, attempt: AttemptRecord): Promise<'absent' | 'there' | 'unknown'>
}

type Seen = 'landed' | 'failed' | 'nothing' | 'unknown'

/** Lamports beside the price: the fee of one signature. */
export const FEE = 5000n
/** Anybody may name a reference; with more than these a payment of which only the promise is known can't be told missing. */
const MOST_NAMED = 200
/** No chain makes slots quicker than this: a promise of so long ago is not older than so many slots. */
const QUICKEST_SLOT_MS = 100
/** How long the wallet's own balance can say that money left: as long as it is known what else left. */
const WALLET_SPEAKS = DAY
/** What says nothing about our own transaction: the answer is another one, or none that can be read. */
const UNKNOWN: ReadonlySet<PaymentFault> = new Set<PaymentFault>([
  'wrong_cluster',
  'not_finalized',
  'unreadable',
  'other_transaction',
  'bad_signature'
])

export function createJobSearch(components: {
  readonly steps: Steps
  readonly jobs: JobBook
  readonly chain: Chain
  readonly clock: Clock
}): JobSearch {
  const { steps, jobs, chain, clock } = components

  async function byName(attempt: AttemptRecord, signature: string): Promise<Seen> {
    const found = await chain.fetch(signature)
    if (!found.ok) return 'unknown'
    return found.value === undefined ? 'nothing' : judged(attempt, found.value)
  }

  /** Of an attempt of which only the promise is known. What another wallet put there is not ours. */
  async function byReference(attempt: AttemptRecord): Promise<Seen> {
    const found = await chain.find(attempt.terms.reference)
    if (!found.ok || found.value.length > MOST_NAMED) return 'unknown'
    for (const signature of found.value) {
      const told = await chain.fetch(signature)
      if (!told.ok || told.value === undefined) return 'unknown'
      if (!isForeign(attempt, told.value)) return judged(attempt, told.value)
    }
    return 'nothing'
  }

  /** Whether this RPC node still has every block in which it could stand. */
  async function reachesBack({ signed, sealedAt }: AttemptRecord): Promise<boolean> {
    const history = await chain.history()
    if (!history.ok) return false
    const { oldest, newest } = history.value
    return oldest <= (signed?.slot ?? slotBefore(newest, clock.now() - sealedAt))
  }

  /** Whether the wallet holds less than it would without this payment. What came in, or is still on its way, can hide that. */
  async function walletSpeaks(
    uid: string,
    { attempt, terms, signed }: AttemptRecord
  ): Promise<'missing' | 'whole' | 'unknown'> {
    if (signed === undefined || clock.now() > signed.at + WALLET_SPEAKS) return 'whole'
    const holds = await chain.balance(terms.payer)
    if (!holds.ok) return 'unknown'
    const spends = await steps.run((tx) => jobs.spends(tx))
    const known = signed.at - MINUTE
    const others = spends.filter(
      (one) => (one.taskUid !== uid || one.attempt !== attempt) && (one.landedAt ?? known) >= known
    )
    const elsewhere = others.reduce((sum, { lamports }) => sum + BigInt(lamports) + FEE, 0n)
    return BigInt(signed.balance) - holds.value - elsewhere >= BigInt(terms.lamports) ? 'missing' : 'whole'
  }

  return {
    seen: (attempt) =>
      attempt.signed === undefined ? byReference(attempt) : byName(attempt, attempt.signed.signature),
    async absence({ uid }, attempt) {
      const { signed, terms } = attempt
      const named = signed === undefined ? undefined : await chain.find(terms.reference)
      if (named?.ok === false) return 'unknown'
      if (signed !== undefined && named?.value.includes(signed.signature) === true) return 'there'
      // Asked after the search: what it still has now, it had then.
      if (!(await reachesBack(attempt))) return 'unknown'
      const wallet = await walletSpeaks(uid, attempt)
      return wallet === 'whole' ? 'absent' : wallet === 'missing' ? 'there' : 'unknown'
    }
  }
}

function judged({ terms }: AttemptRecord, told: FetchedTransaction): Seen {
  const finding = verifyPayment(terms, { issuedSlot: 0, expiresAt: Number.MAX_SAFE_INTEGER }, told)
  if (finding.paid) return 'landed'
  if (finding.fault === 'failed') return 'failed'
  // It is ours, and it did not fail: the money is gone, whatever else is odd about it.
  return UNKNOWN.has(finding.fault) ? 'unknown' : 'landed'
}

function isForeign({ terms }: AttemptRecord, { bytes }: FetchedTransaction): boolean {
  const payer = decodeTransaction(bytes)?.accounts[0]
  return payer !== undefined && payer !== terms.payer
}

function slotBefore(newest: number, ms: Instant): number {
  return Math.max(0, newest - Math.ceil(Math.max(0, ms) / QUICKEST_SLOT_MS))
}
