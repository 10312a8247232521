import { z } from 'zod'
import type {
  ActionView,
  ApprovalView,
  AskedOfOwner,
  DeliverySubjectView,
  DisclosureView,
  EnvelopeSubjectView,
  OwnerApprovalView,
  OwnerSubjectView,
  PaymentView,
  TypeQuestionView
} from '../../flows/views/approvals.js'
import { APPROVAL_STATUSES } from '../words.js'
import { count, jsonObject, text, typeRef, view } from './parts.js'
import { inspection } from './types.js'
import { spendLimits } from './wallet.js'

/** Questions to the owner, one shape for each kind. */

const approvalMembers = {
  approvalId: text,
  status: z.enum(APPROVAL_STATUSES),
  participant: text,
  taskUid: text.exactOptional(),
  createdAt: text,
  expiresAt: text,
  capabilities: z.array(text)
}

export const approval: z.ZodType<ApprovalView> = view<ApprovalView>()({
  ...approvalMembers,
  kind: z.enum(['disclosure', 'action', 'envelope', 'type', 'payment', 'delivery'])
})

const ownerMembers = {
  ...approvalMembers,
  agent: text,
  participantHandle: text,
  title: text.exactOptional(),
  scopes: z.array(z.enum(['once', 'contact', 'always']))
}

type Owned<S extends OwnerSubjectView> = AskedOfOwner & S

/** One shape for each kind. */
export const ownerApproval: z.ZodType<OwnerApprovalView> = z.discriminatedUnion('kind', [
  view<Owned<DisclosureView>>()({
    ...ownerMembers,
    kind: z.literal('disclosure'),
    action: z.enum(['create', 'propose']),
    type: typeRef,
    proposal: jsonObject,
    replaces: jsonObject.exactOptional()
  }),
  view<Owned<EnvelopeSubjectView>>()({
    ...ownerMembers,
    kind: z.literal('envelope'),
    action: text,
    taskId: text,
    content: jsonObject
  }),
  view<Owned<TypeQuestionView>>()({
    ...ownerMembers,
    kind: z.literal('type'),
    type: typeRef,
    inspection,
    held: count
  }),
  view<Owned<PaymentView>>()({
    ...ownerMembers,
    kind: z.literal('payment'),
    proposalId: text,
    attempt: count,
    terms: jsonObject,
    proposal: jsonObject,
    limits: spendLimits.exactOptional()
  }),
  view<Owned<DeliverySubjectView>>()({
    ...ownerMembers,
    kind: z.literal('delivery'),
    content: jsonObject,
    proposal: jsonObject.exactOptional()
  }),
  view<Owned<ActionView>>()({
    ...ownerMembers,
    kind: z.literal('action'),
    action: text,
    label: text,
    type: typeRef,
    params: jsonObject,
    leaves: jsonObject,
    proposalId: text,
    proposal: jsonObject
  })
])
