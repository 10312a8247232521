import type { AnswerOf } from '../../../api/contract.js'
import { useHere } from '../../client/here.js'
import { type Loaded, useAnswer, useAnswers } from '../../client/use-answer.js'
import { type Need, needsOf } from '../../words/needs.js'

/** Questions on the first page; the others stand under Approvals. */
const QUESTIONS = 5

interface Needs {
  readonly approvals: AnswerOf<'owner.approvals.list'>
  readonly others: readonly Need[]
}

/** Whatever waits for a person, of all agents together. */
export function useNeeds(): Loaded<Needs> {
  const { agents } = useHere()
  const each = agents.map(({ name }) => ({ query: { agent: name } }))
  const approvals = useAnswer('owner.approvals.list', ['approvals'], { query: { status: 'pending', limit: QUESTIONS } })
  const contacts = useAnswers('owner.contacts.list', ['contacts'], each)
  const payments = useAnswers('owner.payments.list', ['payments'], each)
  const waiting = useAnswer('owner.envelopes.list', ['envelopes'], {
    query: { role: 'recipient', state: 'auth_required', limit: 50 }
  })
  const again = async (): Promise<void> => {
    await Promise.all([approvals, contacts, payments, waiting].map((one) => one.again()))
  }
  for (const part of [approvals, contacts, payments, waiting]) {
    if (part.state === 'failed') return { state: 'failed', refusal: part.refusal, again }
  }
  if (approvals.state !== 'ready' || contacts.state !== 'ready') return { state: 'loading', again }
  if (payments.state !== 'ready' || waiting.state !== 'ready') return { state: 'loading', again }
  const news = agents.map(({ name, agent }, at) => ({
    agent: name,
    contacts: contacts.value[at]?.items ?? [],
    payments: payments.value[at]?.items ?? [],
    waiting: waiting.value.items.filter((one) => one.agent === agent)
  }))
  return { state: 'ready', value: { approvals: approvals.value, others: needsOf(news, Date.now()) }, again }
}
