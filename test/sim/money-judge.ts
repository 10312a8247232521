/** What must hold of the money of a world: held against the ledger of the chain, which nobody can change. */
import { taskKey } from '../../src/flows/keys.js'
import { decodeTransaction } from '../../src/payments/transaction.js'
import { placeOf } from '../../src/store/tables.js'
import { toBase58 } from '../../src/wire/base58.js'
import type { TestLedger } from '../support/ledger.js'
import type { SimNode } from './node.js'
import { type HeldTask, heldTasks, talking } from './quiet.js'
import { readMessage } from './traffic.js'

type Paid = ReturnType<TestLedger['payments']>[number]

/** Everything that is wrong at the end. */
export function moneyFaults(nodes: readonly SimNode[], ledger: TestLedger): string[] {
  const payments = ledger.payments()
  const uids = payments.map(uidOf)
  const jobs = hired(nodes)
  const receipts = jobs.flatMap(({ reduced }) => reduced.job?.receipt?.signature ?? [])
  return [
    ...twice(uids).map((uid) => `job ${uid} was paid twice`),
    ...twice(receipts).map((signature) => `${signature} pays two jobs`),
    ...jobs.flatMap((job) => jobFaults(job, payments)),
    ...pending(nodes, payments).map((uid) => `job ${uid} is still paying`)
  ]
}

/** Whether no payment is under way any more. */
export function resolved(nodes: readonly SimNode[], ledger: TestLedger): boolean {
  return pending(nodes, ledger.payments()).length === 0
}

/** What is wrong about a transaction that a node is about to send. */
export function sendFault(nodes: readonly SimNode[], index: number, bytes: Uint8Array): string | undefined {
  const signed = decodeTransaction(bytes)
  const signature = toBase58(signed?.signatures[0] ?? new Uint8Array(0))
  const own = nodes[index]
  const stored = own?.disk
    .entries(placeOf('jobs', `${own.agent}/`))
    .some(([, record]) => textOf(record).includes(signature))
  if (stored !== true) return 'sends a transaction that is not on its disk'
  const references = (signed?.accounts ?? []).map((account) => `"reference":"${account}"`)
  const isPromised = nodes.some((other) =>
    other.disk.entries(placeOf('received', `${other.agent}/`)).some(([, message]) => {
      const text = readMessage(message)?.text ?? ''
      return references.some((reference) => text.includes(reference))
    })
  )
  return isPromised ? undefined : 'sends a transaction before the other node has its promise'
}

interface Job extends HeldTask {
  /** Attempts that the hirer ever called dead. */
  readonly dead: ReadonlySet<number>
}

/** All jobs as their hirers have them. */
function hired(nodes: readonly SimNode[]): readonly Job[] {
  return nodes.flatMap((hirer) => {
    const dead = calledDead(hirer)
    const held = nodes.filter((other) => other !== hirer).flatMap((other) => heldTasks(hirer, other))
    const own = held.filter(({ record }) => record.role === 'inviter')
    return own.map((job) => ({ ...job, dead: dead.get(job.record.uid) ?? new Set<number>() }))
  })
}

/** Attempts of each job that a node wrote a `job.unpaid` about, whatever came of it. */
function calledDead(node: SimNode): ReadonlyMap<string, ReadonlySet<number>> {
  const dead = new Map<string, Set<number>>()
  for (const [, bytes] of node.disk.entries(placeOf('sent', `${node.agent}/`))) {
    const message = readMessage(bytes)
    if (message?.kind !== 'job.unpaid') continue
    const { task, body } = JSON.parse(message.text) as { task: { uid: string }; body: { attempt: number } }
    dead.set(task.uid, (dead.get(task.uid) ?? new Set()).add(body.attempt))
  }
  return dead
}

function jobFaults({ record, reduced, dead }: Job, payments: readonly Paid[]): string[] {
  const { attempts = [], receipt } = reduced.job ?? {}
  const landed = attempts.filter(
    ({ attempt, reference }) => dead.has(attempt) && payments.some(({ accounts }) => accounts.includes(reference))
  )
  const found = payments.find(({ signature }) => signature === receipt?.signature)
  return [
    ...landed.map(({ attempt }) => `attempt ${attempt} of job ${record.uid} was called dead, and it landed`),
    ...(receipt !== undefined && (found === undefined || uidOf(found) !== record.uid)
      ? [`job ${record.uid} has a receipt of what is no payment of it`]
      : [])
  ]
}

/** Jobs that are paying, and should not be: nothing landed, or it landed in time. */
function pending(nodes: readonly SimNode[], payments: readonly Paid[]): string[] {
  return talking(nodes)
    .flatMap(([a, b]) => [...heldTasks(a, b), ...heldTasks(b, a)])
    .filter(({ record, reduced }) => {
      if (reduced.status !== 'paying') return false
      const payment = payments.find((one) => uidOf(one) === record.uid)
      return payment === undefined || payment.at <= record.expiresAt
    })
    .map(({ record }) => taskKey(record.agent, record.uid))
}

function uidOf({ memo }: Paid): string {
  return memo.split(':')[2] ?? ''
}

function twice(all: readonly string[]): string[] {
  return [...new Set(all.filter((one, at) => all.indexOf(one) !== at))]
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
