/**
 * The audit log of a simulated node, held against its disk at every write: its chain goes on without a break, and each
 * effect that reaches the disk does so with exactly the entries that tell of it, in the same write.
 */
import { sha256Hex } from '../../src/base/digest.js'
import type { Refusal } from '../../src/base/refusal.js'
import type { AuditCode, AuditEntry } from '../../src/policy/audit.js'
import type { DenialWindow } from '../../src/policy/denials.js'
import type { Approval } from '../../src/policy/approval.js'
import type { Grant } from '../../src/policy/grants.js'
import type { KvOp } from '../../src/store/key-value.js'
import type { SimNode } from './node.js'
import { readMessage } from './traffic.js'

export interface AuditWatch {
  onSynced(node: SimNode, ops: readonly KvOp[]): void
  /** The whole log as it lies on the disk, from its first entry on: after a crash, and after a backup was put in place. */
  onBoot(node: SimNode): void
  /** A call of the agent or owner began, and it was answered. */
  called(node: SimNode): void
  answered(node: SimNode, refused: Refusal | undefined): void
  /** What the log counts of denials is what the agent was told; of calls whose answer was lost it may hold any. */
  faults(node: SimNode): string[]
}

/** What the log of a node says, entry by entry. */
interface Told {
  seq: number
  hash: string
  /** Messages of ours that were sealed before: a restored node seals them again without a word. */
  readonly sealed: Set<string>
  rules: Map<string, string>
  types: Map<string, string>
  approvals: Map<string, string[]>
  denials: number
  /** Calls without an answer, and answers that were denials. */
  unanswered: number
  denied: number
}

/** Codes that tell of a message of ours. */
const SEALED: ReadonlySet<AuditCode> = new Set<AuditCode>([
  'task.created',
  'task.accepted',
  'task.rejected',
  'task.confirmed',
  'task.cancelled',
  'task.refused',
  'disclosure.sent',
  'envelope.submitted',
  'envelope.claimed',
  'envelope.status',
  'envelope.answered',
  'envelope.resolved',
  'envelope.completed',
  'envelope.failed',
  'envelope.rejected',
  'envelope.cancelled',
  'envelope.verdict'
])

export function createAuditWatch(components: { readonly broken: (what: string) => void }): AuditWatch {
  const { broken } = components
  const all = new Map<number, Told>()

  function toldBy(node: SimNode): Told {
    const told = all.get(node.index) ?? { ...nothing(), sealed: new Set<string>(), unanswered: 0, denied: 0 }
    all.set(node.index, told)
    return told
  }

  /** The entries of a write, if the chain goes on with them. */
  function follow(node: SimNode, told: Told, entries: ReadonlyArray<readonly [string, Uint8Array]>): AuditEntry[] {
    return entries.map(([key, bytes]) => {
      const entry = JSON.parse(Buffer.from(bytes).toString('utf8')) as AuditEntry
      const isNext = entry.seq === told.seq + 1 && Number(key.slice(3)) === entry.seq && entry.prev === told.hash
      if (!isNext) broken(`${node.name}: audit entry ${entry.seq} does not follow ${told.seq}`)
      told.seq = entry.seq
      told.hash = sha256Hex(bytes)
      learn(told, entry)
      return entry
    })
  }

  function checkHead(node: SimNode, told: Told, bytes: Uint8Array | undefined): void {
    const head = bytes === undefined ? { seq: 0, hash: '' } : (parsed(bytes) as { seq: number; hash: string })
    if (head.seq !== told.seq || head.hash !== told.hash) broken(`${node.name}: the audit head is not its newest entry`)
  }

  function onSynced(node: SimNode, ops: readonly KvOp[]): void {
    const told = toldBy(node)
    const puts = ops.flatMap(({ key, value }): Array<readonly [string, Uint8Array]> =>
      value === undefined ? [] : [[key, value]]
    )
    const entries = follow(node, told, puts.filter(([key]) => key.startsWith('au:')).sort(byKey))
    if (entries.length > 0) checkHead(node, told, node.disk.read('me:audit'))
    if (ops.some(({ key, value }) => key.startsWith('au:') && value === undefined))
      broken(`${node.name} deletes entries`)
    checkMessages(node, told, puts, entries)
    checkRecords(node, puts, entries)
    for (const [key, value] of puts) checkState(node, told, key, value)
  }

  /** Each message of ours has its entries in the write that seals it, and no entry tells of one that is not there. */
  function checkMessages(
    node: SimNode,
    told: Told,
    puts: ReadonlyArray<readonly [string, Uint8Array]>,
    entries: readonly AuditEntry[]
  ): void {
    const wanted: string[] = []
    for (const [key, value] of puts) {
      if (!key.startsWith('se:')) continue
      const message = readMessage(value)
      if (message === undefined || told.sealed.has(message.id)) continue
      told.sealed.add(message.id)
      const sealed = JSON.parse(message.text) as Sealed
      // A refusal is told of under the message that it refuses.
      const about = sealed.kind === 'task.refuse' ? sealed.body.of : message.id
      wanted.push(...codesOf(sealed).map((code) => `${code} ${about ?? ''}`))
    }
    const found = entries
      .filter(({ who, what }) => SEALED.has(what) && who.kind !== 'peer')
      .map(({ what, about }) => `${what} ${about.messageId ?? ''}`)
    compare(node, 'messages', wanted, found)
  }

  function checkRecords(
    node: SimNode,
    puts: ReadonlyArray<readonly [string, Uint8Array]>,
    entries: readonly AuditEntry[]
  ): void {
    const wanted = puts
      .filter(([key]) => key.startsWith('ac:'))
      .map(([, value]) => (parsed(value) as { recordId: string }).recordId)
    const found = entries.filter(({ what }) => what === 'action.recorded').map(({ about }) => about.recordId ?? '')
    compare(node, 'recorded actions', wanted, found)
  }

  function compare(node: SimNode, what: string, wanted: readonly string[], found: readonly string[]): void {
    const [a, b] = [[...wanted].sort(), [...found].sort()]
    if (a.join() !== b.join()) broken(`${node.name} wrote ${what} [${a.join()}] and told of [${b.join()}]`)
  }

  /** What stands on the disk is what the entries so far make of it. */
  function checkState(node: SimNode, told: Told, key: string, value: Uint8Array): void {
    const differs = (what: string): void => broken(`${node.name} holds ${what} that its audit log does not tell of`)
    if (key.startsWith('gr:')) {
      const agent = key.slice(3)
      const rules = (parsed(value) as Grant[]).map((rule) => `${subjectOf({ ...rule, agent })} ${rule.effect}`)
      const said = [...told.rules].flatMap(([subject, effect]) =>
        subject.startsWith(`${agent} `) ? [`${subject} ${effect}`] : []
      )
      if (rules.sort().join() !== said.sort().join()) differs(`grants [${rules.join()}]`)
    }
    if (key.startsWith('ty:')) {
      const { state } = parsed(value) as { state: string }
      if (told.types.get(key.slice(3)) !== state) differs(`a type that is ${state}`)
    }
    if (key.startsWith('ap:')) {
      const approval = parsed(value) as Approval
      const codes = told.approvals.get(approval.id) ?? []
      if (!isWhole(approval, codes)) differs(`an approval that is ${approval.status} (${codes.join()})`)
    }
  }

  function onBoot(node: SimNode): void {
    const told = toldBy(node)
    Object.assign(told, nothing())
    follow(node, told, node.disk.entries('au:'))
    checkHead(node, told, node.disk.read('me:audit'))
    for (const table of ['gr:', 'ty:', 'ap:']) {
      for (const [key, value] of node.disk.entries(table)) checkState(node, told, key, value)
    }
  }

  function faults(node: SimNode): string[] {
    const { denials, denied, unanswered } = toldBy(node)
    const open = node.disk
      .entries('dn:')
      .map(([, bytes]) => parsed(bytes) as DenialWindow)
      .filter(({ what }) => isToldToAgents(what))
    const waiting = open.reduce((sum, { told, more }) => told.reduce((part, { times }) => part + times, sum + more), 0)
    const counted = denials + waiting
    if (counted >= denied && counted <= denied + unanswered) return []
    return [`${node.name} was denied ${denied} times, ${unanswered} answers were lost, and its log counts ${counted}`]
  }

  return {
    onSynced,
    onBoot,
    called: (node) => void toldBy(node).unanswered++,
    answered(node, refused) {
      const told = toldBy(node)
      told.unanswered--
      if (refused?.code === 'policy_denied') told.denied++
    },
    faults
  }
}

function nothing(): Pick<Told, 'seq' | 'hash' | 'rules' | 'types' | 'approvals' | 'denials'> {
  return { seq: 0, hash: '', rules: new Map(), types: new Map(), approvals: new Map(), denials: 0 }
}

/** What one entry changes. */
function learn(told: Told, { what, about, times }: AuditEntry): void {
  const { agent = '', contact = '*', capability = '', effect = '', type = '', approvalId, code } = about
  if (what === 'grant.set') told.rules.set(subjectOf({ agent, contact, capability }), effect)
  if (what === 'grant.deleted') told.rules.delete(subjectOf({ agent, contact, capability }))
  if (what === 'type.installed') told.types.set(type, 'active')
  if (what === 'type.retired') told.types.set(type, 'retired')
  if (isToldToAgents(what)) told.denials++
  if (what === 'denials.counted' && isToldToAgents(code)) told.denials += times ?? 0
  if (what.startsWith('approval.') && approvalId !== undefined) {
    told.approvals.set(approvalId, [...(told.approvals.get(approvalId) ?? []), what])
  }
}

/** Whether an approval was told of as far as it has come: asked once, answered once if it was, and how it stands. */
function isWhole({ status, decision }: Approval, codes: readonly string[]): boolean {
  const count = (code: string): number => codes.filter((each) => each === code).length
  const said = { used: 'approval.used', stale: 'approval.stale', expired: 'approval.expired' } as const
  const last = status in said ? said[status as keyof typeof said] : undefined
  return (
    count('approval.asked') === 1 &&
    count('approval.answered') === Number(decision !== undefined) &&
    count('approval.used') === Number(status === 'used') &&
    (last === undefined || codes.includes(last))
  )
}

interface Sealed {
  readonly kind: string
  readonly body: {
    readonly decision?: string
    readonly of?: string
    readonly state?: string
    readonly reason?: string
    readonly note?: string
  }
}

/** Every plan in these worlds discloses something. */
function codesOf({ kind, body }: Sealed): readonly AuditCode[] {
  switch (kind) {
    case 'task.invite':
      return ['task.created', 'disclosure.sent']
    case 'task.propose':
      return ['disclosure.sent']
    case 'task.respond':
      return [body.decision === 'accept' ? 'task.accepted' : 'task.rejected']
    case 'task.confirm':
      return ['task.confirmed']
    case 'task.cancel':
      return ['task.cancelled']
    case 'task.refuse':
      return ['task.refused']
    default:
      return delegationCodesOf({ kind, body })
  }
}

/** Words disclose something, codes alone don't. */
function delegationCodesOf({ kind, body }: Sealed): readonly AuditCode[] {
  const words: readonly AuditCode[] = body.reason === undefined && body.note === undefined ? [] : ['disclosure.sent']
  switch (kind) {
    case 'envelope.submit':
      return ['envelope.submitted', 'disclosure.sent']
    case 'envelope.claim':
      return ['envelope.claimed']
    case 'envelope.status':
      return [body.state === 'failed' ? 'envelope.failed' : 'envelope.status', ...words]
    case 'envelope.answer':
      return ['envelope.answered', 'disclosure.sent']
    case 'envelope.resolve':
      return ['envelope.resolved']
    case 'envelope.result':
      return ['envelope.completed', 'disclosure.sent']
    case 'envelope.reject':
      return ['envelope.rejected', ...words]
    case 'envelope.cancel':
      return ['envelope.cancelled']
    case 'envelope.verdict':
      return ['envelope.verdict', ...words]
    default:
      return []
  }
}

interface Ruled {
  readonly agent: string
  readonly contact: string
  readonly capability: string
}

function subjectOf({ agent, contact, capability }: Ruled): string {
  return `${agent} ${contact} ${capability}`
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** A payment can also be denied when its owner answers, and a call before its agent is known. */
function isToldToAgents(code: string | undefined): boolean {
  return code === 'disclosure.denied' || code === 'action.denied'
}
