import type { Instant } from '../base/time.js'
import type { Writable } from '../base/writable.js'
import type { AuditAbout, AuditCode, AuditUnder, AuditWho } from '../policy/audit.js'
import { decide } from '../policy/grants.js'
import { NODE_CANCEL_CODES, NODE_REJECT_CODES } from '../wire/envelope-bodies.js'
import type { Content, VerifiedMessage } from '../wire/message.js'
import { record } from './audit.js'
import type { Pair } from './chain.js'
import { grantsOfAgent } from './grants.js'
import type { Tx } from './ports.js'

/** What the audit log says of a message in a task, ours or the peer's (protocols/audit.md, "Codes"). */

type Told = Pick<Tx, 'get' | 'put'>

/**
 * Tells of a message that was sealed with our agent's key: by the agent, by the node itself, or `by` its owner.
 * `capabilities`: what a plan in it discloses, `under`: what let it through.
 */
export function auditOwn(
  tx: Told,
  pair: Pair,
  message: VerifiedMessage,
  disclosed: { readonly capabilities: readonly string[]; readonly under: AuditUnder } | undefined,
  now: Instant,
  by?: 'owner'
): void {
  const who: AuditWho = by === undefined ? writerOf(pair, message) : { kind: by }
  const about = subjectOf(pair, message)
  const what = codeOf(message.content, 'ours')
  const under = disclosed?.under ?? {}
  if (what !== undefined) record(tx, { at: now, who, what, about, under })
  if (disclosed === undefined) return
  const { capabilities } = disclosed
  record(tx, { at: now, who, what: 'disclosure.sent', about: { ...about, capabilities }, under })
}

/** Tells of a message of the peer. `effect` is what the fold made of it, where that is not `applied`. */
export function auditTheirs(
  tx: Told,
  pair: Pair,
  message: VerifiedMessage,
  effect: string | undefined,
  now: Instant
): void {
  const what = codeOf(message.content, 'theirs')
  if (what === undefined) return
  const about = subjectOf(pair, message)
  if (effect !== undefined && effect !== 'applied') about.code = effect
  record(tx, { at: now, who: { kind: 'peer', id: pair.peer }, what, about })
}

/** The grants that let these capabilities through to a contact; where nothing was said there is none. */
export function grantsBehind(tx: Pick<Tx, 'get'>, pair: Pair, capabilities: readonly string[]): AuditUnder {
  const all = grantsOfAgent(tx, pair.agent)
  const found = new Set(capabilities.map((capability) => decide(all, pair.peer, capability).because))
  found.delete(undefined)
  return found.size === 0 ? {} : { grants: [...found].flatMap((grant) => grant ?? []) }
}

function writerOf({ agent }: Pair, { content }: VerifiedMessage): AuditWho {
  return isByNode(content) ? { kind: 'node' } : { kind: 'agent', id: agent }
}

/** Whether this node wrote it by its own rules: no agent can. */
function isByNode(content: Content | undefined): boolean {
  switch (content?.kind) {
    case 'envelope.reject':
      return (NODE_REJECT_CODES as readonly string[]).includes(content.body.code)
    case 'envelope.cancel':
      return (NODE_CANCEL_CODES as readonly string[]).includes(content.body.code)
    case 'envelope.resolve':
    case 'task.refuse':
      return true
    default:
      return false
  }
}

function subjectOf({ agent, peer: contact }: Pair, { content, header, id }: VerifiedMessage): Writable<AuditAbout> {
  const about: Writable<AuditAbout> = { agent, contact, messageId: id }
  if (header.task !== undefined) about.taskUid = header.task.uid
  return content === undefined ? about : Object.assign(about, particulars(content))
}

function particulars(content: Content): AuditAbout {
  switch (content.kind) {
    case 'task.invite':
      return { type: content.body.type.hash }
    case 'task.confirm':
      return { action: content.body.action, recordId: content.body.recordId }
    case 'task.cancel':
      return content.body.reason === undefined ? {} : { code: content.body.reason }
    case 'task.refuse':
      return { messageId: content.body.of, code: content.body.code }
    case 'envelope.cancel':
    case 'envelope.reject':
      return { code: content.body.code }
    case 'envelope.status':
      return { code: content.body.code ?? content.body.state }
    case 'envelope.resolve':
      return { code: content.body.outcome }
    case 'job.pay':
      return { recordId: content.body.reference }
    case 'job.paid':
      return { recordId: content.body.signature }
    default:
      return {}
  }
}

/** A proposal of ours is told as what it discloses. */
function codeOf(content: Content | undefined, whose: 'ours' | 'theirs'): AuditCode | undefined {
  switch (content?.kind) {
    case 'task.invite':
      return whose === 'ours' ? 'task.created' : 'task.received'
    case 'task.propose':
      return whose === 'ours' ? undefined : 'task.proposed'
    case 'task.respond':
      return content.body.decision === 'accept' ? 'task.accepted' : 'task.rejected'
    case 'task.confirm':
      return 'task.confirmed'
    case 'task.cancel':
      return 'task.cancelled'
    case 'task.refuse':
      return 'task.refused'
    case 'envelope.submit':
      return whose === 'ours' ? 'envelope.submitted' : 'envelope.received'
    case 'envelope.status':
      return content.body.state === 'failed' ? 'envelope.failed' : 'envelope.status'
    case 'job.pay':
      return 'job.paying'
    case 'job.unpaid':
      return 'job.unpaid'
    case 'job.paid':
      return 'job.paid'
    case 'job.deliver':
      return 'job.delivered'
    case 'job.complete':
      return 'job.completed'
    case 'envelope.claim':
    case 'envelope.answer':
    case 'envelope.resolve':
    case 'envelope.result':
    case 'envelope.reject':
    case 'envelope.cancel':
    case 'envelope.verdict':
      return ENVELOPE_CODES[content.kind]
    default:
      return undefined
  }
}

const ENVELOPE_CODES = {
  'envelope.claim': 'envelope.claimed',
  'envelope.answer': 'envelope.answered',
  'envelope.resolve': 'envelope.resolved',
  'envelope.result': 'envelope.completed',
  'envelope.reject': 'envelope.rejected',
  'envelope.cancel': 'envelope.cancelled',
  'envelope.verdict': 'envelope.verdict'
} as const
