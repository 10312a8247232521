import type { JsonObject } from '../base/json.js'
import { badRequest, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { ReducedEnvelope } from '../tasks/envelope/fold.js'
import type { EnvelopeDraft } from '../tasks/envelope/rules.js'
import { AGENT_CANCEL_CODES, NODE_REJECT_CODES } from '../wire/envelope-bodies.js'
import type { StagedRecord } from './records/envelopes.js'

/** What agents ask for in delegated tasks, and the message that says so. */

export type EnvelopeCommand =
  | {
      readonly do: 'submit'
      readonly recipient: string
      readonly taskId?: string
      readonly expiresInHours?: number
      readonly envelope: JsonObject
    }
  | { readonly do: 'claim'; readonly taskId: string }
  | {
      readonly do: 'status'
      readonly taskId: string
      readonly state: 'working' | 'input_required' | 'auth_required'
      readonly code?: string
      readonly reason?: string
    }
  | { readonly do: 'answer'; readonly taskId: string; readonly questionId?: string; readonly text: string }
  | { readonly do: 'complete'; readonly taskId: string; readonly summary?: string }
  | { readonly do: 'fail' | 'reject'; readonly taskId: string; readonly code: string; readonly reason?: string }
  | { readonly do: 'cancel'; readonly taskId: string; readonly code?: string; readonly by?: 'owner' }
  | {
      readonly do: 'verdict'
      readonly taskId: string
      readonly passed: boolean
      readonly freshContext: boolean
      readonly verdictSource: 'script' | 'llm_judge'
      readonly run?: JsonObject
      readonly note?: string
    }

/** The message of a command. Its body still has to be checked against the kind's shape. */
export function contentOf(
  command: Exclude<EnvelopeCommand, { do: 'submit' }>,
  task: { readonly staged: StagedRecord | undefined; readonly reduced: ReducedEnvelope }
): Result<EnvelopeDraft> {
  switch (command.do) {
    case 'claim':
      return ok({ kind: 'envelope.claim', body: {} })
    case 'status':
      return draft('envelope.status', pick(command, ['state', 'code', 'reason']))
    case 'fail':
      return draft('envelope.status', { state: 'failed', ...pick(command, ['code', 'reason']) })
    case 'reject':
      return reject(command)
    case 'cancel':
      return cancel(command.code ?? 'other')
    case 'answer':
      return answer(command, task.reduced)
    case 'complete':
      return complete(command, task.staged)
    case 'verdict':
      return verdict(command, task.reduced)
  }
}

function reject(command: Extract<EnvelopeCommand, { do: 'fail' | 'reject' }>): Result<EnvelopeDraft> {
  // What a node alone can find must not be claimed by an agent.
  if ((NODE_REJECT_CODES as readonly string[]).includes(command.code)) {
    return fail(badRequest('invalid_field', `code must not be ${command.code}: only a node rejects so`, 'code'))
  }
  return draft('envelope.reject', pick(command, ['code', 'reason']))
}

function cancel(code: string): Result<EnvelopeDraft> {
  if ((AGENT_CANCEL_CODES as readonly string[]).includes(code)) return draft('envelope.cancel', { code })
  return fail(badRequest('invalid_field', `code must be one of ${AGENT_CANCEL_CODES.join(', ')}`, 'code'))
}

/** Without a question named, the one that is open. */
function answer(
  { questionId, text }: Extract<EnvelopeCommand, { do: 'answer' }>,
  { questions }: ReducedEnvelope
): Result<EnvelopeDraft> {
  const of = questionId ?? questions.find((question) => question.answer === undefined)?.id
  if (of !== undefined) return draft('envelope.answer', { of, text })
  return fail(conflict('illegal_transition', 'The recipient has asked nothing that waits for an answer.'))
}

function complete(
  { summary }: Extract<EnvelopeCommand, { do: 'complete' }>,
  staged: StagedRecord | undefined
): Result<EnvelopeDraft> {
  if (staged?.evidence === undefined) {
    const message =
      'Nothing is recorded that proves the work: run the acceptance check and record it as evidence first.'
    return fail(conflict('evidence_required', message))
  }
  const { artifacts, evidence } = staged
  return draft('envelope.result', { artifacts, evidence, ...(summary === undefined ? {} : { summary }) })
}

function verdict(
  command: Extract<EnvelopeCommand, { do: 'verdict' }>,
  { result }: ReducedEnvelope
): Result<EnvelopeDraft> {
  if (result === undefined) {
    return fail(conflict('illegal_transition', 'There is no result to judge: the task is not completed.'))
  }
  const said = pick(command, ['passed', 'freshContext', 'verdictSource', 'run', 'note'])
  return draft('envelope.verdict', { of: result.id, ...said })
}

/** The planner checks the body against the shape of its kind before anything else looks at it. */
function draft(kind: EnvelopeDraft['kind'], body: object): Result<EnvelopeDraft> {
  return ok({ kind, body } as unknown as EnvelopeDraft)
}

function pick(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name, value]) => names.includes(name) && value !== undefined))
}
