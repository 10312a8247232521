import type { JsonObject } from '../../base/json.js'
import type { TypeRef, TypeInspectionView } from './types.js'
import type { SpendLimitsView } from './wallet.js'

/** Questions to the owner: what an agent sees of one, and what its owner sees. Source: protocols/socket-api.md. */

/** What an agent may see of an approval that concerns it. */
export interface ApprovalView {
  readonly approvalId: string
  readonly kind: 'disclosure' | 'action' | 'envelope' | 'type' | 'payment' | 'delivery'
  readonly status: 'pending' | 'approved' | 'denied' | 'expired' | 'stale' | 'used'
  readonly participant: string
  readonly taskUid?: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly capabilities: readonly string[]
}

/** What every approval shows its owner. */
export interface AskedOfOwner extends ApprovalView {
  readonly agent: string
  readonly participantHandle: string
  /** What it is about: the label that our agent gave the task, or the objective of delegated work, which may be another's words. */
  readonly title?: string
  /** How far a yes may reach. */
  readonly scopes: ReadonlyArray<'once' | 'contact' | 'always'>
}

/** Sending a proposal. */
export interface DisclosureView {
  readonly kind: 'disclosure'
  readonly action: 'create' | 'propose'
  readonly type: TypeRef
  readonly proposal: JsonObject
  /** The plan that it would replace, if there is one. */
  readonly replaces?: JsonObject
}

/** Sending text in a delegated task. */
export interface EnvelopeSubjectView {
  readonly kind: 'envelope'
  /** The kind of the message that would leave. */
  readonly action: string
  readonly taskId: string
  /** The contract, or the body of the message. */
  readonly content: JsonObject
}

/** Recording an action on an agreed plan. */
export interface ActionView {
  readonly kind: 'action'
  readonly action: string
  /** As the definition names it. */
  readonly label: string
  readonly type: TypeRef
  readonly params: JsonObject
  /** Those of them that leave, because the other side holds them already; the rest stays in the record. */
  readonly leaves: JsonObject
  /** The agreed plan. */
  readonly proposalId: string
  readonly proposal: JsonObject
}

/** What an approval shows by its kind: one member for each. */
export type OwnerSubjectView =
  DisclosureView | ActionView | EnvelopeSubjectView | TypeQuestionView | PaymentView | DeliverySubjectView

/** A payment with every parameter that a yes binds, and the plan that it pays for. */
export interface PaymentView {
  readonly kind: 'payment'
  readonly proposalId: string
  readonly attempt: number
  readonly terms: JsonObject
  readonly proposal: JsonObject
  /** While it is pending: the owner's limits, and what is left of them without this payment. */
  readonly limits?: SpendLimitsView
}

/** What would be handed over. */
export interface DeliverySubjectView {
  readonly kind: 'delivery'
  readonly content: JsonObject
  /** The agreed plan of the job, while its task is there. */
  readonly proposal?: JsonObject
}

/** Installing a definition that an invite of this contact brought. */
export interface TypeQuestionView {
  readonly kind: 'type'
  readonly type: TypeRef
  readonly inspection: TypeInspectionView
  /** Tasks that wait for the answer. */
  readonly held: number
}

/** What the owner decides on: exactly what leaves, to whom, under which capability. */
export type OwnerApprovalView = AskedOfOwner & OwnerSubjectView
