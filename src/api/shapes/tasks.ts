import { z } from 'zod'
import type { JobAttemptView, JobDeliveryView, JobView, PaymentsView } from '../../flows/views/jobs.js'
import type {
  CalendarView,
  ConfirmView,
  DeliveryView,
  ProposalView,
  TaskView,
  TranscriptView
} from '../../flows/views/tasks.js'
import { TASK_STATUSES } from '../words.js'
import { count, jsonObject, text, typeRef, view } from './parts.js'

/** Tasks as their agent and their owner see them, paid jobs among them. */

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

export const delivery: z.ZodType<DeliveryView> = view<DeliveryView>()({
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
  price: text,
  cluster: text,
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

export const taskMembers = {
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
}

export const task: z.ZodType<TaskView> = view<TaskView>()(taskMembers)

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
