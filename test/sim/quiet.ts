/** What must hold once all faults have ended and everything that waited has been delivered. */
import type { TaskRecord } from '../../src/flows/records/tasks.js'
import type { AgentId } from '../../src/base/ids.js'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { seqKey } from '../../src/flows/keys.js'
import { type TaskEntry, type TaskLog, entryOf } from '../../src/tasks/log.js'
import { fold } from '../../src/tasks/fold.js'
import type { Reduced } from '../../src/tasks/negotiation.js'
import { reopen } from '../../src/wire/open.js'
import type { SimNode } from './node.js'

/** Both sides of a contact. */
export type Both = readonly [SimNode, SimNode]

/** Pairs that may talk: active on both sides, frozen on neither. */
export function talking(nodes: readonly SimNode[]): Both[] {
  return nodes.flatMap((a, index) =>
    nodes.slice(index + 1).flatMap((b): Both[] => (mayTalk(a, b) && mayTalk(b, a) ? [[a, b]] : []))
  )
}

function mayTalk(node: SimNode, other: SimNode): boolean {
  const contact = node.store?.get('contacts', `${node.agent}/${other.agent}`)
  return contact?.state === 'active' && contact.frozen === undefined
}

/** Whether everything that was written between two nodes is on both disks, and both know. */
export function isDelivered([a, b]: Both): boolean {
  const [ours, theirs] = [chain(a, b), chain(b, a)]
  return (
    ours.out.id === theirs.in.id &&
    theirs.out.id === ours.in.id &&
    ours.acked === ours.out.seq &&
    theirs.acked === theirs.out.seq
  )
}

/** Where two chains differ, for a report. */
export function chainsOf([a, b]: Both): string {
  const show = (node: SimNode, other: SimNode): string => {
    const { out, in: into, acked } = chain(node, other)
    return `${node.name} out ${out.seq} in ${into.seq} acked ${acked}`
  }
  return `${show(a, b)}, ${show(b, a)}`
}

function chain(node: SimNode, other: SimNode): { out: Head; in: Head; acked: number } {
  const none = { seq: 0, id: '' }
  return node.store?.get('chains', `${node.agent}/${other.agent}`) ?? { out: none, in: none, acked: 0 }
}

interface Head {
  readonly seq: number
  readonly id: string
}

/** Every fault in what two nodes hold of their tasks: the same chains, and the same state at any time. */
export function differences(both: Both): string[] {
  const [a, b] = both
  const [ours, theirs] = [tasksOf(a, b), tasksOf(b, a)]
  const faults = [...ours.keys()].filter((uid) => !theirs.has(uid)).map((uid) => `${b.name} has no task ${uid}`)
  faults.push(...[...theirs.keys()].filter((uid) => !ours.has(uid)).map((uid) => `${a.name} has no task ${uid}`))
  for (const [uid, mine] of ours) {
    const other = theirs.get(uid)
    if (other !== undefined) faults.push(...compare([a, mine], [b, other]).map((fault) => `task ${uid}: ${fault}`))
  }
  return faults
}

function tasksOf(node: SimNode, other: SimNode): Map<string, TaskRecord> {
  const found = new Map<string, TaskRecord>()
  for (const [, bytes] of node.disk.entries(`ta:${node.agent}/`)) {
    const record = JSON.parse(Buffer.from(bytes).toString('utf8')) as TaskRecord
    if (record.peer === other.agent) found.set(record.uid, record)
  }
  return found
}

/** A task as one node holds it, and what its log makes of it now. */
export interface HeldTask {
  readonly record: TaskRecord
  readonly reduced: Reduced
}

/** The tasks that a node holds with another. */
export function heldTasks(node: SimNode, other: SimNode): readonly HeldTask[] {
  return [...tasksOf(node, other).values()].map((record) => ({
    record,
    reduced: fold(logOf([node, record]), node.now())
  }))
}

type Held = readonly [SimNode, TaskRecord]

function compare(a: Held, b: Held): string[] {
  const [ours, theirs] = [logOf(a), logOf(b)]
  const chains = (['inviter', 'invitee'] as const).filter((side) => idsOf(ours[side]) !== idsOf(theirs[side]))
  if (chains.length > 0) return chains.map((side) => `the chains of the ${side} differ`)
  const times = [a[0].now(), b[0].now(), a[1].expiresAt - 1, a[1].expiresAt + 1]
  const beaten = lostAcceptances(ours, fold(ours, 0))
  if (beaten.length > 0) return beaten
  return times.flatMap((now) => {
    const [here, there] = [text(fold(ours, now)), text(fold(theirs, now))]
    return here === there ? [] : [`at ${now} ${a[0].name} has ${here}, ${b[0].name} has ${there}`]
  })
}

/**
 * An acceptance that its node let through was one of a live proposal, and a confirm one of a settled agreement; unless it
 * was refused, it holds, whatever crossed it: a replacement and a cancel come after it.
 */
function lostAcceptances(log: TaskLog, reduced: Reduced): string[] {
  const accepts = [...log.inviter, ...log.invitee].filter(
    (entry) => (entry.kind === 'task.respond' && entry.body.decision === 'accept') || entry.kind === 'task.confirm'
  )
  return accepts.flatMap(({ id, kind }) => {
    const effect = reduced.effects.get(id)
    return effect === 'applied' || effect?.startsWith('refused:') === true ? [] : [`${kind} ${id} is ${effect}`]
  })
}

function idsOf(entries: readonly TaskEntry[]): string {
  return entries.map((entry) => entry.id).join()
}

function text({ effects, ...reduced }: Reduced): string {
  return canonicalText([reduced, [...effects].sort(([one], [two]) => (one < two ? -1 : 1))] as unknown as Json)
}

/** The log of a task as its node can know it: both chains, and how far its own entries are covered. */
function logOf([node, record]: Held): TaskLog {
  const entries = (table: 'sent' | 'received', seqs: readonly number[]): TaskEntry[] =>
    seqs.map((seq, at) => {
      const bytes = node.store?.get(table, seqKey(node.agent as AgentId, record.peer, seq))
      if (bytes === undefined) throw new Error(`${node.name} lost ${table} ${seq}`)
      return entryOf(reopen(bytes), table === 'sent' ? record.covers[at] : undefined)
    })
  const [mine, theirs] = [entries('sent', record.mine), entries('received', record.theirs)]
  return record.role === 'inviter' ? { inviter: mine, invitee: theirs } : { inviter: theirs, invitee: mine }
}
