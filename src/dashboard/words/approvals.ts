import type { AnswerOf } from '../../api/contract.js'
import type { JsonObject } from '../../base/json.js'
import { visible } from '../../base/visible.js'
import { isJob } from '../../types/job-type.js'
import { briefIn, headOf, priceIn } from './job-plans.js'
import { rowIn } from '../../api/words/known.js'
import { addressOf } from './place.js'
import { typeName } from './types.js'

/** Questions to the owner in words: what is asked, what each answer does, and what came of it. */

export type Approval = AnswerOf<'owner.approvals.read'>['approval']
type Scope = 'once' | 'contact' | 'always'

/** What a yes does, and to what; without the name of the other side. */
export function deedOf(approval: Approval): string {
  const title = headOf(approval.title ?? '') ?? briefIn(jobPlanOf(approval))
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
      return envelopeWords(approval)
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
  'envelope.answer': 'Answer a question about delegated work',
  'envelope.reject': 'Refuse delegated work',
  'envelope.cancel': 'Cancel delegated work'
}

function envelopeWords({ action, content }: Extract<Approval, { readonly kind: 'envelope' }>): string {
  if (action === 'envelope.verdict') {
    return `Say that the check of delegated work ${content['passed'] === true ? 'passed' : 'did not pass'}`
  }
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
  const now = approval.kind === 'action' ? 'Your agent may record it when it asks again' : 'It is done now'
  const all: Readonly<Record<Scope, Answer>> = {
    once: { decision: 'approve', scope: 'once', ...ONCE[approval.kind], grave: approval.kind === 'payment' },
    contact: {
      decision: 'approve',
      scope: 'contact',
      text: `Yes, always with ${name}`,
      does: `${now}, and from now on your agent needs no question for ${needs} with ${name}.`,
      grave: true
    },
    always: {
      decision: 'approve',
      scope: 'always',
      text: 'Yes, always with everybody',
      does: `${now}, and from now on your agent needs no question for ${needs} with any contact.`,
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
  action: {
    text: 'Yes, this once',
    does: 'Your agent may record exactly this, one time, when it asks again. Your rules stay as they are.'
  },
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
  if (approval.kind === 'type') return TYPE_OUTCOMES[approval.status]
  return approval.kind === 'action' && approval.status === 'approved' ? RECORDABLE : OUTCOMES[approval.status]
}

const RECORDABLE = 'You said yes. Your agent records it when it asks again.'

/** Where the thing stands that it is about; nothing where there is none yet. */
export function placeOfSubject({ kind, taskUid, agent, ...rest }: Approval): string | undefined {
  const begins = 'action' in rest && (rest.action === 'create' || rest.action === 'envelope.submit')
  if (taskUid === undefined || kind === 'type' || begins) return undefined
  return addressOf([kind === 'envelope' ? 'envelopes' : 'tasks', taskUid], { agent })
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
