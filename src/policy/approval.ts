/**
 * Approvals: the owner's single-use yes to exact parameters. A record is a value and a change makes a new one; the flows
 * store it and recompute everything else at the moment of the yes. Source: protocols/policy.md, "Approvals".
 */
import { canonicalText } from '../base/canonical.js'
import type { AgentId, ApprovalId, MessageId, TaskUid, TypeHash } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { type DetailCode, badRequest, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { Grant } from './grants.js'

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'stale' | 'used'
export type AnswerScope = 'once' | 'contact' | 'always'

export interface Answer {
  readonly decision: 'approve' | 'deny'
  /** How far a yes reaches: these bytes, this contact from now on, or every contact. Of no account to a no. */
  readonly scope: AnswerScope
}

/** One capability that the owner is asked for, with the top-level fields that need it. */
export interface AskedCapability {
  readonly capability: string
  readonly fields: readonly string[]
}

interface TypeOf {
  readonly name: string
  readonly version: number
  readonly hash: TypeHash
}

/** Sending one proposal. The payload is the proposal. */
export interface DisclosureSubject {
  readonly kind: 'disclosure'
  readonly action: 'create' | 'propose'
  readonly type: TypeOf
  /** The latest proposal of the task when the question was asked: what this one would replace. */
  readonly baseProposalId?: MessageId
  /** The creator's local label, for `create`; it never leaves the node. */
  readonly title?: string
  /** When the task that `create` makes will expire. */
  readonly taskExpiresAt?: Instant
}

/** Sending text in a delegated task. The payload is the contract, or the body of the message. */
export interface EnvelopeSubject {
  readonly kind: 'envelope'
  /** The kind of the message. */
  readonly action: string
  readonly taskId: string
  /** When the task that a submit opens will expire. */
  readonly taskExpiresAt?: Instant
}

/** Installing a definition that a contact's invite brought. The payload is the definition. */
export interface TypeSubject {
  readonly kind: 'type'
  readonly type: TypeOf
}

/** Paying for a job. The payload is the terms of the payment. */
export interface PaymentSubject {
  readonly kind: 'payment'
  /** The agreed proposal. */
  readonly proposalId: MessageId
  /** Which try it is. */
  readonly attempt: number
}

/** Handing over what a job was about. The payload is the delivery. */
export interface DeliverySubject {
  readonly kind: 'delivery'
}

/** Recording one action on an agreed plan. The payload is its params. */
export interface ActionSubject {
  readonly kind: 'action'
  readonly type: TypeOf
  /** The agreed proposal. */
  readonly proposalId: MessageId
  /** Name of the action. */
  readonly action: string
}

/** What is asked for, by kind: a new kind is one more member here, one row of `KINDS`, and one row of `flows/approval-kinds.ts`. */
export type Subject =
  DisclosureSubject | ActionSubject | EnvelopeSubject | TypeSubject | PaymentSubject | DeliverySubject
export type ApprovalKind = Subject['kind']
export type SubjectOf<K extends ApprovalKind> = Extract<Subject, { readonly kind: K }>

/** A question to the owner. Nothing of it ever changes but what follows `status`. Key: id. */
export interface Approval<S extends Subject = Subject> {
  readonly id: ApprovalId
  /** The agent of ours that it concerns. */
  readonly agent: AgentId
  readonly contact: AgentId
  readonly taskUid?: TaskUid
  readonly subject: S
  /** Canonical text of exactly what the yes is bound to. */
  readonly payload: string
  /** What it is asked for, sorted by name; empty where the kind itself needs the owner. */
  readonly capabilities: readonly AskedCapability[]
  readonly createdAt: Instant
  /** The first instant at which it is no longer open. */
  readonly expiresAt: Instant
  readonly status: ApprovalStatus
  readonly answeredAt?: Instant
  readonly decision?: Answer['decision']
  readonly scope?: AnswerScope
}

/** What is about to be done, byte for byte. */
export interface Exact {
  readonly agent: AgentId
  readonly contact: AgentId
  readonly taskUid?: TaskUid
  readonly subject: Subject
  readonly payload: string
}

/** What the rules say of each kind of question. */
interface KindRules<K extends ApprovalKind> {
  /** Whose doing it is that the owner is asked: each has its own limit of open questions. */
  readonly raisedBy: 'agent' | 'peer'
  /** How long it waits: the hours that the owner set, or as long as what it is about. */
  readonly waits: 'hours' | 'to its end'
  /** How far a yes may reach. */
  readonly scopes: readonly AnswerScope[]
  /**
   * The members of the subject that a yes is bound to, beside agent, contact, task and payload. What may change between
   * the question and the deed (the plan that a proposal would replace) is not among them.
   */
  readonly bound: (subject: SubjectOf<K>) => JsonObject
}

const KINDS: { readonly [K in ApprovalKind]: KindRules<K> } = {
  disclosure: {
    raisedBy: 'agent',
    waits: 'hours',
    scopes: ['once', 'contact', 'always'],
    bound: ({ type }) => ({ type: type.hash })
  },
  envelope: {
    raisedBy: 'agent',
    waits: 'hours',
    scopes: ['once', 'contact', 'always'],
    bound: ({ action }) => ({ action })
  },
  type: { raisedBy: 'peer', waits: 'to its end', scopes: ['once'], bound: ({ type }) => ({ type: type.hash }) },
  action: {
    raisedBy: 'agent',
    waits: 'hours',
    scopes: ['once', 'contact', 'always'],
    bound: ({ type, proposalId, action }) => ({ type: type.hash, proposalId, action })
  },
  payment: {
    raisedBy: 'agent',
    waits: 'hours',
    // Each payment is its own question: no answer reaches further.
    scopes: ['once'],
    bound: ({ proposalId, attempt }) => ({ proposalId, attempt })
  },
  delivery: { raisedBy: 'agent', waits: 'hours', scopes: ['once', 'contact', 'always'], bound: () => ({}) }
}

/** Kind and bound members of a subject, as canonical text: equal texts are one and the same question. */
export function boundText(subject: Subject): string {
  const { bound } = KINDS[subject.kind] as KindRules<ApprovalKind>
  return canonicalText({ kind: subject.kind, ...bound(subject) })
}

/** Whose doing it is that the owner is asked. */
export function raisedBy(approval: Pick<Approval, 'subject'>): 'agent' | 'peer' {
  return KINDS[approval.subject.kind].raisedBy
}

/** Whether it stays open as long as what it is about, whatever hours the owner set. */
export function waitsToItsEnd(approval: Pick<Approval, 'subject'>): boolean {
  return KINDS[approval.subject.kind].waits === 'to its end'
}

/** The scopes that a yes may have. Paying is never allowed for always. */
export function scopesOf(approval: Pick<Approval, 'subject' | 'capabilities'>): readonly AnswerScope[] {
  const { scopes } = KINDS[approval.subject.kind]
  const pays = approval.capabilities.some(({ capability }) => capability.startsWith('pay.'))
  return pays ? scopes.filter((scope) => scope !== 'always') : scopes
}

/** The text that an approval binds for a proposal or the params of an action. */
export function payloadOf(content: JsonObject): string {
  return canonicalText(content)
}

/** Whether it still waits, for an answer or for its yes to be spent: what the world may still make stale. */
export function isLive(approval: Approval): boolean {
  return approval.status === 'pending' || approval.status === 'approved'
}

/** The status now: what is still open expires by itself, what has ended stays as it ended. */
export function statusAt(approval: Approval, now: Instant): ApprovalStatus {
  const open = approval.status === 'pending' || approval.status === 'approved' || approval.status === 'stale'
  return open && now >= approval.expiresAt ? 'expired' : approval.status
}

/**
 * The owner's answer: one, for ever. A pending question becomes `approved` or `denied`. A stale one takes an answer too:
 * a yes leaves it stale, as a permission for exactly these bytes until it expires, so that a peer who re-proposes every
 * minute can't starve the owner. Refuses with `approval_answered` or `approval_expired`, and with `invalid_field` when a
 * yes can't reach that far.
 */
export function answer<S extends Subject>(approval: Approval<S>, given: Answer, now: Instant): Result<Approval<S>> {
  const status = statusAt(approval, now)
  if (approval.decision !== undefined || status === 'used')
    return no('approval_answered', 'This approval has been answered')
  if (status === 'expired') return no('approval_expired', 'This approval has expired; it takes a new request')
  const scopes = scopesOf(approval)
  if (given.decision === 'approve' && !scopes.includes(given.scope)) {
    return fail(badRequest('invalid_field', `scope must be one of ${scopes.join(', ')} for this approval`, 'scope'))
  }
  const answered = { ...approval, decision: given.decision, scope: given.scope, answeredAt: now }
  if (given.decision === 'deny') return ok({ ...answered, status: 'denied' })
  return ok({ ...answered, status: status === 'stale' ? 'stale' : 'approved' })
}

/** The world moved: what was asked can't be sent as it was meant. Ended approvals stay as they are. */
export function markStale<S extends Subject>(approval: Approval<S>): Approval<S> {
  return isLive(approval) ? { ...approval, status: 'stale' } : approval
}

/** Spends a yes. Refuses with `approval_answered` when it was spent or never given, and `approval_expired`. */
export function markUsed<S extends Subject>(approval: Approval<S>, now: Instant): Result<Approval<S>> {
  if (statusAt(approval, now) === 'expired') return no('approval_expired', 'This approval has expired')
  if (!isYes(approval)) return no('approval_answered', 'This approval holds no unspent yes')
  return ok({ ...approval, status: 'used' })
}

/** Whether this is an unspent, unexpired yes to exactly this: same agent, contact, task, subject and bytes. */
export function permits(approval: Approval, exact: Exact, now: Instant): boolean {
  return isYes(approval) && now < approval.expiresAt && binds(approval, exact)
}

/** Whether it is about exactly this, answered or not. */
export function binds(approval: Approval, exact: Exact): boolean {
  return (
    approval.agent === exact.agent &&
    approval.contact === exact.contact &&
    approval.taskUid === exact.taskUid &&
    approval.payload === exact.payload &&
    boundText(approval.subject) === boundText(exact.subject)
  )
}

/** Grants that a yes with a wider scope adds; none for `once`. "Always" names this contact too, so that it outranks an older rule for it. */
export function grantsOf(approval: Approval): readonly Grant[] {
  if (approval.decision !== 'approve' || approval.scope === undefined || approval.scope === 'once') return []
  const contacts = approval.scope === 'always' ? (['*', approval.contact] as const) : [approval.contact]
  return contacts.flatMap((contact) =>
    approval.capabilities.map(({ capability }) => ({ contact, capability, effect: 'allow' as const }))
  )
}

function isYes(approval: Approval): boolean {
  return approval.decision === 'approve' && (approval.status === 'approved' || approval.status === 'stale')
}

function no(code: DetailCode, message: string): ReturnType<typeof fail> {
  return fail(conflict(code, message))
}
