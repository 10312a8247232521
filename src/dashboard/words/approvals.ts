import type { AnswerOf } from '../../api/contract.js'
import type { JsonObject } from '../../base/json.js'
import { visible } from '../../base/visible.js'
import { isJob } from '../../types/job-type.js'
import { briefIn, priceIn } from './job-plans.js'
import { rowIn } from '../../api/words/known.js'
import { typeName } from './types.js'

/** Questions to the owner in words: what is asked, what each answer does, and what came of it. */

export type Approval = AnswerOf<'owner.approvals.read'>['approval']
type Scope = 'once' | 'contact' | 'always'

/** What a yes does, and for a paid job which; without the name of the other side. */
export function deedOf(approval: Approval): string {
  const title = briefIn(jobPlanOf(approval))
  return title === undefined ? stepOf(approval) : `${stepOf(approval)}: “${title}”`
}

/** The plan of the paid job that it is about, as far as the question holds it. */
function jobPlanOf(approval: Approval): JsonObject | undefined {
  if (approval.kind === 'payment' || approval.kind === 'delivery') return approval.proposal
  return approval.kind === 'disclosure' && isJob(approval.type) ? approval.proposal : undefined
}

/** What a yes does, where it is known what it is about. */
export function stepOf(approval: Approval): string {
  switch (approval.kind) {
    case 'disclosure':
      return disclosureWords(approval)
    case 'action':
      return `Record ${visible(approval.action)} on the agreed plan`
    case 'envelope':
      return envelopeWords(approval.action)
    case 'type':
      return `Install the task type ${visible(approval.type.name)}@${approval.type.version}`
    case 'payment':
      return `Pay ${priceOf(approval)} SOL for a job`
    case 'delivery':
      return `Hand over the work of a paid job${pricedWords(approval.proposal)}`
  }
}

/** The type of the task that it is about, where its words don't say that already. */
export function planTypeOf(approval: Approval): string | undefined {
  if (approval.kind === 'disclosure') return isJob(approval.type) ? undefined : typeName(approval.type)
  return approval.kind === 'action' ? typeName(approval.type) : undefined
}

function disclosureWords(approval: Extract<Approval, { readonly kind: 'disclosure' }>): string {
  const begins = approval.action === 'create'
  if (!isJob(approval.type)) return begins ? 'Begin a task with this plan' : 'Send this plan'
  return `${begins ? 'Ask for a paid job' : 'Send this plan of a paid job'}${pricedWords(approval.proposal)}`
}

function pricedWords(plan: JsonObject | undefined): string {
  const price = priceIn(plan)
  return price === undefined ? '' : ` at ${price}`
}

const ENVELOPES: Readonly<Record<string, string>> = {
  'envelope.submit': 'Delegate work',
  'envelope.result': 'Hand in the result of delegated work',
  'envelope.status': 'Say how delegated work stands',
  'envelope.answer': 'Answer a question about delegated work'
}

function envelopeWords(action: string): string {
  return rowIn(ENVELOPES, action) ?? `Send ${visible(action)}`
}

/** The price of a payment, as the plan says it. */
export function priceOf(approval: Extract<Approval, { readonly kind: 'payment' }>): string {
  return visible(String(approval.proposal['price']))
}

export interface Answer {
  readonly decision: 'approve' | 'deny'
  readonly scope: Scope
  readonly text: string
  /** What it does, now and from now on. */
  readonly does: string
  /** Makes rules, or moves money: it is asked for once more. */
  readonly grave: boolean
}

/** The answers that this question takes, in the order in which they are offered. */
export function answersTo(approval: Approval, name: string): Answer[] {
  const needs = approval.capabilities.map(visible).join(', ')
  const all: Readonly<Record<Scope, Answer>> = {
    once: { decision: 'approve', scope: 'once', ...ONCE[approval.kind], grave: approval.kind === 'payment' },
    contact: {
      decision: 'approve',
      scope: 'contact',
      text: `Yes, always with ${name}`,
      does: `It is done now, and from now on your agent needs no question for ${needs} with ${name}.`,
      grave: true
    },
    always: {
      decision: 'approve',
      scope: 'always',
      text: 'Yes, always with everybody',
      does: `It is done now, and from now on your agent needs no question for ${needs} with any contact.`,
      grave: true
    }
  }
  const no: Answer = { decision: 'deny', scope: 'once', text: 'No', does: NO[approval.kind], grave: false }
  return [...approval.scopes.map((scope) => all[scope]), no]
}

const SENT = { text: 'Yes, this once', does: 'Exactly this leaves, now. Your rules stay as they are.' }
const ONCE: Readonly<Record<Approval['kind'], { readonly text: string; readonly does: string }>> = {
  disclosure: SENT,
  envelope: SENT,
  delivery: SENT,
  action: { text: 'Yes, this once', does: 'Exactly this may be recorded, one time. Your rules stay as they are.' },
  type: { text: 'Yes, install it', does: 'The type is installed, and the tasks that wait for it open.' },
  payment: { text: 'Yes, pay', does: 'Exactly this payment is made. There are no refunds.' }
}

const NO: Readonly<Record<Approval['kind'], string>> = {
  disclosure: 'Nothing leaves.',
  envelope: 'Nothing leaves.',
  delivery: 'Nothing leaves.',
  action: 'Nothing is recorded.',
  type: 'Nothing is installed, and its sender is told.',
  payment: 'Nothing is paid.'
}

/** What became of an answer, or of a question that is not open any more. */
export function outcomeOf(approval: Approval): string {
  return approval.kind === 'type' ? TYPE_OUTCOMES[approval.status] : OUTCOMES[approval.status]
}

const TYPE_OUTCOMES: Readonly<Record<Approval['status'], string>> = {
  pending: 'It still waits for you.',
  approved: 'You said yes.',
  used: 'The type is installed; the tasks that waited for it are open.',
  denied: 'It was not installed, and its sender was told.',
  expired: 'Its time had passed; nothing was installed.',
  stale: 'Nobody waits for this any more; nothing was installed.'
}

const OUTCOMES: Readonly<Record<Approval['status'], string>> = {
  pending: 'It still waits for you.',
  approved: 'You said yes.',
  used: 'You said yes, and it was done.',
  denied: 'You said no; nothing left.',
  expired: 'Its time had passed; nothing left.',
  stale:
    'The plan had moved on meanwhile, so nothing left. If your agent asks for exactly the same again, a yes still counts.'
}
