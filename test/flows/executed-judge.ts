/**
 * Holds what took effect at a node against what its owner saw and answered, byte for byte, from the node's own records:
 * messages as they were signed, records of actions, installed definitions.
 */
import canonicalize from 'canonicalize'
import type { AgentId, ApprovalId, TaskUid } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { actionPrefix, approvalKey, pairKey, seqKey, typeKey } from '../../src/flows/keys.js'
import type { ActionRecord } from '../../src/flows/records/tasks.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { Approval } from '../../src/policy/approval.js'
import { peekEnvelope } from '../../src/wire/signed-envelope.js'
import { contentOf } from '../bot/people.js'
import type { Node } from './pair.js'

/** Something that took effect and that a rule of the owner guards. */
interface Deed {
  readonly kind: string
  readonly taskUid: string
  readonly action: string
  readonly capabilities: readonly string[]
  /** The exact bytes, as text, that a yes must have been bound to. */
  readonly bytes: string
}

export type Effect = 'allow' | 'ask' | 'deny'

/** What one contact's share of the rules is, and what they were at any time since the last look. */
export class Rules {
  readonly #now = new Map<string, Effect>()
  readonly #since = new Map<string, Set<Effect>>()

  set(capability: string, effect: Effect): void {
    this.#held(capability).add(effect)
    this.#now.set(capability, effect)
  }

  /** Whether the rule can have been this one since the last look. */
  was(capability: string, effect: Effect): boolean {
    return this.#held(capability).has(effect)
  }

  looked(): void {
    this.#since.clear()
  }

  #held(capability: string): Set<Effect> {
    const held = this.#since.get(capability) ?? new Set([this.#now.get(capability) ?? 'ask'])
    this.#since.set(capability, held)
    return held
  }
}

export interface Judge {
  /** The owner is about to say yes to what it was shown. */
  yes(shown: OwnerApprovalView): void
  /** Approvals with this contact that were seen and are not over. */
  open(): readonly Approval[]
  /** Looks at what took effect since the last time: the first fault. */
  look(): Promise<string | undefined>
  /** Deeds under a yes so far, by kind. */
  readonly counts: Map<string, number>
}

/** Judges one contact of a node. */
export function createJudge(node: Node, peer: AgentId, rules: Rules): Judge {
  const counts = new Map<string, number>()
  /** Approval -> the bytes that the owner was shown when saying yes. */
  const shown = new Map<ApprovalId, string>()
  const known = new Map<ApprovalId, Approval>()
  const records = new Set<string>()
  let seq = 0

  /** Deeds in messages that are new, and the tasks in which an action was confirmed. */
  function messages(): { readonly deeds: readonly Deed[]; readonly confirmed: ReadonlySet<TaskUid> } {
    const head = node.store.get('chains', pairKey(node.agent, peer))?.out.seq ?? 0
    const deeds: Deed[] = []
    const confirmed = new Set<TaskUid>()
    while (seq < head) {
      const bytes = node.store.get('sent', seqKey(node.agent, peer, ++seq))
      const message = bytes === undefined ? undefined : readMessage(bytes)
      if (message?.kind === 'task.confirm') confirmed.add(message.task?.uid as TaskUid)
      const deed = message === undefined ? undefined : deedIn(message)
      if (deed !== undefined) deeds.push(deed)
    }
    return { deeds, confirmed }
  }

  async function actions(tasks: ReadonlySet<TaskUid>): Promise<Deed[]> {
    const found: Deed[] = []
    for (const uid of tasks) {
      const all = await node.store.range('actions', { prefix: actionPrefix(node.agent, uid) })
      for (const [key, record] of all) {
        if (records.has(key)) continue
        records.add(key)
        found.push(recordedDeed(record))
      }
    }
    return found
  }

  /** Approvals that are new, and those whose yes was spent since the last time. */
  function spent(): Approval[] {
    for (const id of node.store.get('live', node.agent) ?? []) {
      if (!known.has(id)) note(id)
    }
    const found: Approval[] = []
    for (const id of known.keys()) {
      const now = node.store.get('approvals', approvalKey(id))
      if (now === undefined) throw new Error(`approval ${id} is gone`)
      known.set(id, now)
      if (now.status === 'used') found.push(now)
      if (now.status === 'used' || now.status === 'denied') known.delete(id)
    }
    return found
  }

  function note(id: ApprovalId): void {
    const approval = node.store.get('approvals', approvalKey(id))
    if (approval?.contact === peer) known.set(id, approval)
  }

  function judgeOne(deed: Deed, yeses: Approval[]): string | undefined {
    const at = yeses.findIndex((yes) => isFor(yes, deed))
    const [yes] = at < 0 ? [] : yeses.splice(at, 1)
    const denied = deed.capabilities.filter((one) => !rules.was(one, 'allow') && !rules.was(one, 'ask'))
    if (denied.length > 0) return `${deed.kind} took effect although ${denied.join()} is denied`
    if (yes === undefined) {
      if (deed.capabilities.every((one) => rules.was(one, 'allow'))) return undefined
      return `${deed.kind} took effect without a yes to its bytes: ${deed.bytes}`
    }
    counts.set(deed.kind, (counts.get(deed.kind) ?? 0) + 1)
    if (yes.payload !== deed.bytes) return `${deed.kind} is not the payload of its approval: ${deed.bytes}`
    if (shown.get(yes.id) !== deed.bytes) return `${deed.kind} is not what the owner saw: ${deed.bytes}`
    return undefined
  }

  function typeFault(yes: Approval): string | undefined {
    if (yes.subject.kind !== 'type') return `approval ${yes.id} was used and nothing took effect`
    const installed = node.store.get('types', typeKey(yes.subject.type.hash))?.definition
    counts.set('type', (counts.get('type') ?? 0) + 1)
    const same = installed !== undefined && canonicalize(installed) === yes.payload && shown.get(yes.id) === yes.payload
    return same ? undefined : `the type of ${yes.id} is not what the owner saw`
  }

  return {
    counts,
    open: () => [...known.values()],
    yes: (asked) => void shown.set(asked.approvalId as ApprovalId, canonicalize(contentOf(asked)) ?? ''),
    async look() {
      const yeses = spent()
      const said = messages()
      const deeds = [...said.deeds, ...(await actions(said.confirmed))]
      const faults = [
        ...deeds.flatMap((deed) => judgeOne(deed, yeses) ?? []),
        ...yeses.flatMap((yes) => typeFault(yes) ?? [])
      ]
      rules.looked()
      return faults[0]
    }
  }
}

function isFor({ subject, taskUid, payload }: Approval, { kind, taskUid: uid, action, bytes }: Deed): boolean {
  if (payload !== bytes || subject.kind === 'type') return false
  if (subject.kind === 'disclosure')
    return kind === DISCLOSING[subject.action] && (kind === 'task.invite' || taskUid === uid)
  if (subject.kind === 'envelope') return kind === subject.action && (kind === 'envelope.submit' || taskUid === uid)
  return subject.kind === 'action' && kind === 'action' && taskUid === uid && subject.action === action
}

const DISCLOSING = { create: 'task.invite', propose: 'task.propose' } as const

const CAPABILITIES: Readonly<Record<string, string>> = {
  date: 'disclose.availability',
  time: 'disclose.availability',
  timezone: 'disclose.availability',
  cuisine: 'disclose.preferences',
  notes: 'disclose.notes'
}

interface Message {
  readonly text: string
  readonly kind: string
  readonly body: JsonObject
  readonly task?: { readonly uid: string }
}

function readMessage(signed: Uint8Array): Message {
  const opened = peekEnvelope(signed)
  if (!opened.ok) throw new Error('a message on disk can not be read')
  const text = Buffer.from(opened.value.payload).toString('utf8')
  return { ...(JSON.parse(text) as Omit<Message, 'text'>), text }
}

/** What of a signed message is guarded. The bytes are cut out of the payload that was signed, not made again. */
function deedIn({ text, kind, body, task }: Message): Deed | undefined {
  const member = memberOf(kind, body)
  if (member === undefined) return undefined
  const value = (member === 'body' ? body : body[member]) as JsonObject
  const capabilities = kind.startsWith('task.')
    ? [...new Set(Object.keys(value).flatMap((name) => CAPABILITIES[name] ?? []))]
    : [kind === 'envelope.submit' || kind === 'envelope.answer' ? 'delegate.submit' : 'delegate.report']
  return { kind, taskUid: task?.uid ?? '', action: '', capabilities, bytes: cutOut(text, member, value) }
}

function memberOf(kind: string, body: JsonObject): string | undefined {
  if (kind === 'task.invite' || kind === 'task.propose') return 'proposal'
  if (kind === 'envelope.submit') return 'contract'
  if (kind === 'envelope.answer' || kind === 'envelope.result') return 'body'
  return kind.startsWith('envelope.') && 'reason' in body ? 'body' : undefined
}

/** The text of a member as it stands in the payload. Throws when it does not stand there in canonical form. */
function cutOut(text: string, member: string, value: JsonObject): string {
  const canonical = canonicalize(value) ?? ''
  const at = text.indexOf(`"${member}":${canonical}`)
  if (at < 0) throw new Error(`${member} does not stand in the payload as it is in canonical form`)
  return text.slice(at + member.length + 3, at + member.length + 3 + canonical.length)
}

function recordedDeed({ action, taskUid, params }: ActionRecord): Deed {
  return { kind: 'action', taskUid, action, capabilities: [`action.${action}`], bytes: canonicalize(params) ?? '' }
}
