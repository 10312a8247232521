/** What must hold of delegated work on the disks: at every write, and once all is quiet. */
import type { AgentId } from '../../src/base/ids.js'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { seqKey } from '../../src/flows/keys.js'
import type { EnvelopeRecord, OwnedRecord } from '../../src/flows/records/envelopes.js'
import type { KvOp } from '../../src/store/key-value.js'
import { type ReducedEnvelope, foldEnvelope } from '../../src/tasks/envelope/fold.js'
import { type EnvelopeEntry, type EnvelopeLog, envelopeEntryOf, submitOf } from '../../src/tasks/envelope/log.js'
import { reopen } from '../../src/wire/open.js'
import type { SimNode } from './node.js'
import type { Both } from './quiet.js'

/** The delegated tasks that a write changed, by agent. */
export function changedEnvelopes(ops: readonly KvOp[]): readonly { readonly agent: string; readonly uid: string }[] {
  return ops.flatMap(({ key, value }) => {
    const [agent = '', uid = ''] = key.slice(3).split('/')
    return value === undefined || !key.startsWith('en:') ? [] : [{ agent, uid }]
  })
}

/**
 * Two live tasks that own a common thing, if a write made that so. `latest`: the latest time that the node's clock ever
 * showed: what was over once owns nothing any more, though the clock be put back.
 */
export function overlapsIn(ops: readonly KvOp[], latest: number): string[] {
  return ops.flatMap(({ key, value }) => {
    if (value === undefined || !key.startsWith('ow:')) return []
    const live = (read(value) as OwnedRecord[]).filter(({ expiresAt }) => expiresAt > latest)
    return live.flatMap((one, at) =>
      live
        .slice(at + 1)
        .flatMap((other) => (meet(one, other) ? [`${one.taskId} and ${other.taskId} own one thing`] : []))
    )
  })
}

/** Written apart from the code under test: a path and what starts with it and a slash. */
function meet(one: OwnedRecord, other: OwnedRecord): boolean {
  const within = (inner: string, outer: string): boolean => outer === '' || `${inner}/`.startsWith(`${outer}/`)
  return one.paths.some((a) => other.paths.some((b) => within(a, b) || within(b, a)))
}

/** Live tasks own, ended ones don't. */
export function ownershipFaults(node: SimNode): string[] {
  const owners = new Set(
    node.disk.entries('ow:').flatMap(([, bytes]) => (read(bytes) as OwnedRecord[]).map(({ agent, uid }) => agent + uid))
  )
  return node.disk.entries('en:').flatMap(([, bytes]) => {
    const { agent, uid, taskId, role, hidden, ended } = read(bytes) as EnvelopeRecord
    const owns = owners.has(agent + uid)
    if (role === 'inviter' || hidden === true) return owns ? [`${taskId} owns at ${node.name}, and should not`] : []
    if (owns === (ended === undefined)) return []
    return [`${taskId} ${owns ? 'owns after its end' : 'lives and owns nothing'} at ${node.name}`]
  })
}

/** Every fault in what two agents hold of the tasks between them: the same chains, the same state, one end. */
export function delegationFaults([a, b]: Both): string[] {
  const [ours, theirs] = [recordsOf(a, b), recordsOf(b, a)]
  const uids = new Set([...ours.keys(), ...theirs.keys()])
  return [...uids].flatMap((uid) => {
    const [mine, other] = [ours.get(uid), theirs.get(uid)]
    if (mine === undefined || other === undefined) return [`envelope ${uid} is at one side only`]
    return compare([a, mine], [b, other]).map((fault) => `envelope ${mine.taskId}: ${fault}`)
  })
}

type Held = readonly [SimNode, EnvelopeRecord]

function compare(a: Held, b: Held): string[] {
  const [ours, theirs] = [logOf(a), logOf(b)]
  const chains = (['inviter', 'invitee'] as const).filter((side) => idsOf(ours[side]) !== idsOf(theirs[side]))
  if (chains.length > 0) return chains.map((side) => `the chains of the ${side} differ`)
  const [here, there] = [foldEnvelope(ours), foldEnvelope(theirs)]
  if (text(here) !== text(there)) return [`${a[0].name} has ${text(here)}, ${b[0].name} has ${text(there)}`]
  return [a, b].flatMap((held) => [...endFaults(held, here), ...untold(held, ours, here)])
}

/** An end that was told is the end of the log, unless the recipient's own clock ended it. */
function endFaults([node, { ended, role }]: Held, { state }: ReducedEnvelope): string[] {
  if (ended === undefined || ended.state === state) return []
  const isOver = role === 'invitee' && ended.state === 'canceled' && ended.code === 'expired'
  const isOpen = !['completed', 'failed', 'rejected'].includes(state)
  return isOver && isOpen ? [] : [`${node.name} told its agent ${ended.state}, the log says ${state}`]
}

/** What a task of ours depends on and has ended, and its recipient was not told. */
function untold([node, { agent, role }]: Held, log: EnvelopeLog, { state, outcomes }: ReducedEnvelope): string[] {
  if (role === 'invitee' || ['completed', 'failed', 'canceled', 'rejected'].includes(state)) return []
  const ended = node.disk.entries(`en:${agent}/`).flatMap(([, bytes]) => {
    const record = read(bytes) as EnvelopeRecord
    return record.role === 'inviter' && record.ended !== undefined ? [record.taskId] : []
  })
  const waitsFor = submitOf(log).body.contract.dependsOn ?? []
  return waitsFor.flatMap((id) =>
    ended.includes(id) && !outcomes.has(id) ? [`nobody was told of the end of ${id}`] : []
  )
}

function recordsOf(node: SimNode, other: SimNode): Map<string, EnvelopeRecord> {
  const records = node.disk.entries(`en:${node.agent}/`).map(([, bytes]) => read(bytes) as EnvelopeRecord)
  return new Map(records.filter(({ peer }) => peer === other.agent).map((record) => [record.uid, record]))
}

function idsOf(entries: readonly EnvelopeEntry[]): string {
  return entries.map((entry) => entry.id).join()
}

function text({ effects, outcomes, ...reduced }: ReducedEnvelope): string {
  const sorted = (map: ReadonlyMap<string, string>): unknown => [...map].sort(([one], [two]) => (one < two ? -1 : 1))
  return canonicalText([reduced, sorted(effects), sorted(outcomes)] as unknown as Json)
}

/** The log of a task as its node can know it. */
function logOf([node, record]: Held): EnvelopeLog {
  const entries = (table: 'sent' | 'received', seqs: readonly number[]): EnvelopeEntry[] =>
    seqs.map((seq, at) => {
      const bytes = node.store?.get(table, seqKey(node.agent as AgentId, record.peer, seq))
      if (bytes === undefined) throw new Error(`${node.name} lost ${table} ${seq}`)
      return envelopeEntryOf(reopen(bytes), table === 'sent' ? record.covers[at] : undefined)
    })
  const [mine, theirs] = [entries('sent', record.mine), entries('received', record.theirs)]
  return record.role === 'inviter' ? { inviter: mine, invitee: theirs } : { inviter: theirs, invitee: mine }
}

function read(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}
