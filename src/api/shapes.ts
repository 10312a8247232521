import { z } from 'zod'
import type { JsonObject } from '../base/json.js'
import { ENVELOPE_STATES } from '../wire/envelope-bodies.js'
import { DETAIL_CODES, REFUSAL_CODES } from '../base/refusal.js'
import { AUDIT_CODES, type AuditAbout, type AuditEntry } from '../policy/audit.js'
import { PRESET_NAMES } from '../policy/presets.js'
import type { NodeStatus } from '../flows/doors.js'
import type {
  ActionView,
  ConfirmView,
  AgentView,
  ApprovalView,
  AuditPage,
  CalendarView,
  CapabilityView,
  ContactView,
  Counters,
  DeclineView,
  DeliveryView,
  DisclosureView,
  EnvelopeSubjectView,
  EnvelopeView,
  LedgerView,
  OwnedView,
  GrantView,
  InboxItem,
  InviteView,
  JobAttemptView,
  JobDeliveryView,
  JobView,
  OwnerApprovalView,
  OwnerTypeView,
  AskedOfOwner,
  OwnerSubjectView,
  Page,
  PaymentView,
  PaymentsView,
  DeliverySubjectView,
  PresetView,
  ProposalView,
  TaskView,
  TranscriptView,
  TypeInspectionView,
  TypeQuestionView,
  TypeRef,
  TypeView
} from '../flows/views.js'

/**
 * What leaves through the API, as strict schemas of the flows' views. An answer that holds anything else is a fault of
 * ours and is not sent: so nothing that a view was not meant to show can slip out. Spec: protocols/socket-api.md.
 */

/** A strict object that names every member of the view `T`: a member added there and forgotten here doesn't compile. */
const view =
  <T>() =>
  <S extends Record<keyof T, z.ZodType>>(shape: S) =>
    z.strictObject(shape)

/** An object whose members someone else checks (a proposal: the type's definition). */
export const jsonObject = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject, JsonObject>

const text = z.string()
const count = z.int().nonnegative()
export const EFFECTS = ['allow', 'ask', 'deny'] as const
const effect = z.enum(EFFECTS)

export const TASK_STATUSES = [
  'open',
  'negotiating',
  'agreed',
  'awaiting_approval',
  'confirmed',
  'paying',
  'paid',
  'delivered',
  'completed',
  'cancelled',
  'expired'
] as const
export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired', 'stale', 'used'] as const

const typeMembers = { name: text, version: count, hash: text }
const typeRef: z.ZodType<TypeRef> = view<TypeRef>()(typeMembers)

const proposal: z.ZodType<ProposalView> = view<ProposalView>()({
  proposalId: text,
  version: count,
  by: z.enum(['self', 'peer']),
  status: z.enum(['pending', 'accepted', 'rejected', 'superseded']),
  proposal: jsonObject,
  at: text
})

const confirm: z.ZodType<ConfirmView> = view<ConfirmView>()({
  recordId: text,
  action: text,
  by: z.enum(['self', 'peer']),
  summary: text,
  params: jsonObject,
  at: text
})

const delivery: z.ZodType<DeliveryView> = view<DeliveryView>()({
  state: z.enum(['queued', 'delivered', 'refused']),
  pending: count,
  reason: text.exactOptional()
})

const jobDetail = z.enum([
  'payment_due',
  'on_its_way',
  'not_landed',
  'landed',
  'delivery_due',
  'delivery_overdue',
  'completion_due',
  'completion_overdue'
])
const jobMembers = {
  attempts: z.array(
    view<JobAttemptView>()({
      attempt: count,
      reference: text,
      payer: text,
      at: text,
      state: z.enum(['open', 'unpaid', 'paid']),
      signature: text.exactOptional(),
      code: text.exactOptional()
    })
  ),
  receipt: z.strictObject({ attempt: count, signature: text, slot: count, at: text }).exactOptional(),
  delivery: view<JobDeliveryView>()({
    at: text,
    artifacts: z.array(jsonObject),
    evidence: jsonObject.exactOptional(),
    summary: text.exactOptional()
  }).exactOptional(),
  completedAt: text.exactOptional()
}
const job: z.ZodType<JobView> = view<JobView>()({ detail: jobDetail.exactOptional(), ...jobMembers })

const terms = z.strictObject({
  cluster: z.enum(['solana:devnet', 'solana:localnet']),
  payer: text,
  recipient: text,
  lamports: text,
  reference: text,
  memo: text
})
export const payments: z.ZodType<PaymentsView> = view<PaymentsView>()({
  agent: text,
  participant: text,
  taskUid: text,
  role: z.enum(['hirer', 'provider']),
  status: z.enum(TASK_STATUSES),
  detail: jobDetail.exactOptional(),
  paid: z.array(
    z.strictObject({
      attempt: count,
      state: z.enum(['sealed', 'signed', 'landed', 'dead', 'lost']),
      terms,
      at: text,
      signature: text.exactOptional(),
      code: text.exactOptional()
    })
  ),
  received: z.array(z.strictObject({ signature: text, attempt: count, code: text, lamports: text, at: text }))
})

export const task: z.ZodType<TaskView> = view<TaskView>()({
  taskUid: text,
  type: typeRef,
  participant: text,
  role: z.enum(['inviter', 'invitee']),
  title: text.exactOptional(),
  status: z.enum(TASK_STATUSES),
  statusReason: text.exactOptional(),
  cancelRequested: z.boolean().exactOptional(),
  createdAt: text,
  expiresAt: text,
  proposals: z.array(proposal),
  agreedProposalId: text.exactOptional(),
  confirms: z.array(confirm).exactOptional(),
  job: job.exactOptional(),
  delivery
})

const question = z.strictObject({
  questionId: text,
  at: text,
  state: text,
  code: text.exactOptional(),
  reason: text.exactOptional(),
  answer: z.strictObject({ at: text, text }).exactOptional()
})
export const envelope: z.ZodType<EnvelopeView> = view<EnvelopeView>()({
  taskId: text,
  taskUid: text,
  participant: text,
  role: z.enum(['sender', 'recipient']),
  state: z.enum(ENVELOPE_STATES),
  code: text.exactOptional(),
  reason: text.exactOptional(),
  conflictsWith: text.exactOptional(),
  cancelRequested: z.boolean().exactOptional(),
  claimable: z.boolean(),
  createdAt: text,
  expiresAt: text,
  contract: jsonObject,
  toolsGranted: z.array(text).exactOptional(),
  dependencies: z.array(z.strictObject({ taskId: text, outcome: text.exactOptional() })),
  questions: z.array(question),
  staged: jsonObject.exactOptional(),
  result: jsonObject.exactOptional(),
  verdicts: z.array(jsonObject),
  proof: z.enum(['none', 'claimed', 'verified', 'disputed']),
  delivery
})
export const owned: z.ZodType<OwnedView> = view<OwnedView>()({
  taskId: text,
  participant: text,
  contextID: text,
  paths: z.array(text),
  until: text
})
export const ledger: z.ZodType<LedgerView> = view<LedgerView>()({ agent: text, tools: z.array(text) })

export const calendar: z.ZodType<CalendarView> = view<CalendarView>()({ calendar: text })

const transcriptPart = z.strictObject({ agent: text, messages: z.array(text) })
export const transcript: z.ZodType<TranscriptView> = view<TranscriptView>()({
  format: z.literal('agentlink-transcript'),
  v: z.literal(1),
  task: text,
  inviter: transcriptPart,
  invitee: transcriptPart,
  exportedBy: z.enum(['inviter', 'invitee']),
  exportedAt: text,
  receipts: z.array(text),
  covers: z.array(count),
  seal: text
})

export const typeEntry: z.ZodType<TypeView> = view<TypeView>()({
  ...typeMembers,
  builtin: z.boolean(),
  definition: jsonObject,
  actions: z.array(jsonObject)
})

export const ownerType: z.ZodType<OwnerTypeView> = view<OwnerTypeView>()({
  ...typeMembers,
  builtin: z.boolean(),
  state: z.enum(['active', 'retired']),
  title: text,
  installedAt: text.exactOptional(),
  retiredAt: text.exactOptional()
})

const inspectedField = z.strictObject({
  path: text,
  kind: text,
  bounds: text,
  required: z.boolean(),
  capability: text.exactOptional(),
  label: text,
  description: text.exactOptional()
})
export const inspection: z.ZodType<TypeInspectionView> = view<TypeInspectionView>()({
  ...typeMembers,
  state: z.enum(['unknown', 'active', 'retired']),
  sameName: z.array(text),
  title: text,
  description: text.exactOptional(),
  fields: z.array(inspectedField),
  actions: z.array(z.strictObject({ name: text, label: text, params: z.array(inspectedField) })),
  uncoveredText: z.array(text),
  customCapabilities: z.array(text),
  bytes: count,
  worstProposalBytes: count,
  definition: jsonObject
})

export const inboxItem: z.ZodType<InboxItem> = view<InboxItem>()({
  cursor: count,
  kind: text,
  from: text,
  taskUid: text.exactOptional(),
  at: text,
  content: jsonObject
})

/** `next` is a cursor, present even when nothing came: pass it as `after`. */
export interface InboxPage {
  readonly items: readonly InboxItem[]
  readonly next: number
}
export const inboxPage: z.ZodType<InboxPage> = view<InboxPage>()({ items: z.array(inboxItem), next: count })

export const counters: z.ZodType<Counters> = view<Counters>()({
  unread: count,
  tasksWaitingForMe: count,
  envelopesQueued: count,
  approvalsPending: count,
  undelivered: count
})

const contactMembers = {
  agent: text,
  handle: text,
  alias: text.exactOptional(),
  status: z.enum(['requested', 'pending', 'active', 'blocked', 'removed']),
  reason: text.exactOptional(),
  frozen: z.literal(true).exactOptional(),
  since: text,
  undelivered: count
}
/** Where a contact's node is concerns the owner alone. */
type AgentContactView = Omit<ContactView, 'peerId' | 'addrs'>
export const agentContact: z.ZodType<AgentContactView> = view<AgentContactView>()(contactMembers)
export const contact: z.ZodType<ContactView> = view<ContactView>()({
  ...contactMembers,
  peerId: text.exactOptional(),
  addrs: z.array(text).exactOptional()
})

export const capability: z.ZodType<CapabilityView> = view<CapabilityView>()({
  capability: text,
  effect,
  because: z.union([z.strictObject({ contact: text, capability: text }), z.literal('default')])
})

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
    proposal: jsonObject
  }),
  view<Owned<DeliverySubjectView>>()({ ...ownerMembers, kind: z.literal('delivery'), content: jsonObject }),
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

export const decline: z.ZodType<DeclineView> = view<DeclineView>()({
  agent: text,
  participant: text,
  type: typeRef,
  by: z.enum(['peer', 'owner']),
  code: text,
  at: text
})

export const grant: z.ZodType<GrantView> = view<GrantView>()({ contact: text, capability: text, effect })
export const preset: z.ZodType<PresetView> = view<PresetView>()({
  preset: z.enum(PRESET_NAMES),
  agent: text,
  digest: text,
  capabilities: z.array(z.strictObject({ capability: text, now: effect, becomes: effect })),
  sets: z.array(grant),
  removes: z.array(grant),
  keeps: z.array(grant)
})
/** References as they were written: brands are checked where they are made. */
const auditAbout = view<AuditAbout>()({
  agent: text.exactOptional(),
  contact: text.exactOptional(),
  taskUid: text.exactOptional(),
  messageId: text.exactOptional(),
  approvalId: text.exactOptional(),
  kind: text.exactOptional(),
  capability: text.exactOptional(),
  capabilities: z.array(text).exactOptional(),
  effect: effect.exactOptional(),
  was: effect.exactOptional(),
  decision: z.enum(['approve', 'deny']).exactOptional(),
  scope: z.enum(['once', 'contact', 'always']).exactOptional(),
  preset: text.exactOptional(),
  type: text.exactOptional(),
  recordId: text.exactOptional(),
  action: text.exactOptional(),
  route: text.exactOptional(),
  code: text.exactOptional()
})
const auditEntry = view<AuditEntry>()({
  seq: count,
  prev: text,
  at: text,
  who: z.strictObject({ kind: z.enum(['agent', 'owner', 'peer', 'node', 'unknown']), id: text.exactOptional() }),
  what: z.enum(AUDIT_CODES),
  about: auditAbout,
  under: z.strictObject({ grants: z.array(grant).exactOptional(), approvalId: text.exactOptional() }).exactOptional(),
  times: count.exactOptional()
}) as unknown as z.ZodType<AuditEntry>
export const auditPage: z.ZodType<AuditPage> = view<AuditPage>()({
  items: z.array(auditEntry),
  next: text.exactOptional(),
  head: z.strictObject({ seq: count, hash: text })
})

export const invite: z.ZodType<InviteView> = view<InviteView>()({ link: text, expiresAt: text.exactOptional() })

export const agentEntry: z.ZodType<AgentView> = view<AgentView>()({
  agent: text,
  name: text,
  handle: text
})
export const nodeStatus: z.ZodType<NodeStatus> = view<NodeStatus>()({
  peerId: text,
  addrs: z.array(text),
  agents: z.array(agentEntry),
  contacts: z.strictObject({ active: count, connected: count, pending: count }),
  undelivered: count,
  approvalsPending: count
})

/** Every answer that is not 2xx; `details` may say more than is named here. */
export const failure = z.strictObject({
  error: z.strictObject({
    code: z.enum(REFUSAL_CODES),
    message: text,
    details: z.looseObject({
      code: z.enum(DETAIL_CODES).exactOptional(),
      field: text.exactOptional(),
      denied: z.array(text).exactOptional(),
      fields: z.array(text).exactOptional()
    })
  })
})

/** The OpenAPI document, by its top members; a validator of OpenAPI knows the rest. */
export const openApi = z.strictObject({
  openapi: text,
  jsonSchemaDialect: text,
  info: jsonObject,
  servers: z.array(jsonObject),
  paths: jsonObject,
  components: jsonObject
})

/** `{"items":[…],"next"}`; `next` is absent at the end. */
export function page<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.strictObject({ items: z.array(item), next: text.exactOptional() })
}
