/** Cases for transcripts of delegated tasks: one of each end, what is disputed, and files that do not hold. */
import type { MessageId } from '../../../src/base/ids.js'
import { envelopeUid } from '../../../src/tasks/envelope/uid.js'
import type { Contract, Evidence } from '../../../src/wire/envelope-bodies.js'
import type { VectorCase } from './form.js'
import { alice, bob } from './people.js'
import { EXPIRES, LATER, Story, fails, holds } from './transcript-story.js'

const TASK = 'parser'
const CONTRACT: Contract = {
  objective: 'Make the parser take comments',
  outputFormat: 'A commit',
  toolAndSourceGuidance: 'The sources alone',
  boundaries: 'No new dependency',
  filesAndInterfaces: ['src/parser/'],
  acceptanceCheck: { passFailCommand: 'npm test', endToEndVerification: 'Parse the example file' },
  contextID: 'repo'
}
const RUN = {
  command: 'npm test',
  exitStatus: 0,
  output: { tail: 'ok', bytes: 2, sha256: 'e'.repeat(64) },
  durationMs: 12
}
const EVIDENCE: Evidence = { ...RUN, endToEnd: { passed: true }, verdictSource: 'script' }
export const ARTIFACT = {
  name: 'parser.js',
  location: 'src/parser/parser.js',
  mediaType: 'text/javascript',
  size: 3,
  sha256: 'a'.repeat(64)
}

/** The submit of a task; `uid`: what its messages claim to be of. */
function submitted(more: Partial<Contract> = {}, uid: string = envelopeUid(alice.id, bob.id, TASK)): Story {
  const story = new Story(uid)
  const body = { taskId: TASK, contract: { ...CONTRACT, ...more }, expiresAt: EXPIRES }
  story.write('inviter', { kind: 'envelope.submit', body })
  return story.receipt()
}

function claimed(): Story {
  const story = submitted()
  story.write('invitee', { kind: 'envelope.claim', body: {} })
  return story
}

/** Completed; answers the id of the result. */
function finish(story: Story, over: Partial<Evidence> = {}): MessageId {
  const body = { artifacts: [ARTIFACT], evidence: { ...EVIDENCE, ...over }, summary: 'Comments are read' }
  return story.write('invitee', { kind: 'envelope.result', body })
}

/** Completed, and judged by the sender on a run of its own, or by reading alone. */
function judged(exitStatus?: number): Story {
  const story = claimed()
  const of = finish(story)
  const passed = (exitStatus ?? 0) === 0
  const run = exitStatus === undefined ? {} : { run: { ...RUN, exitStatus } }
  const body = { of, passed, freshContext: true, verdictSource: 'script' as const, ...run }
  story.write('inviter', { kind: 'envelope.verdict', body })
  return story.receipt()
}

function asked(): Story {
  const story = claimed()
  const question = { state: 'input_required', code: 'needs_decision', reason: 'Block comments too?' } as const
  const of = story.write('invitee', { kind: 'envelope.status', body: question })
  story.write('inviter', { kind: 'envelope.answer', body: { of, text: 'Line comments alone' } })
  story.write('invitee', { kind: 'envelope.status', body: { state: 'working' } })
  return story
}

/** A claim before the dependency is resolved, and one after. */
function waiting(): Story {
  const story = submitted({ dependsOn: ['lexer'] })
  story.write('invitee', { kind: 'envelope.claim', body: {} })
  story.write('inviter', { kind: 'envelope.resolve', body: { taskId: 'lexer', outcome: 'completed' } })
  story.receipt().write('invitee', { kind: 'envelope.claim', body: {} })
  return story
}

/** The sender cancels while the result is on its way to it. */
function crossed(): Story {
  const story = claimed()
  finish(story)
  story.write('inviter', { kind: 'envelope.cancel', body: { code: 'changed_plans' } }, 1)
  return story.receipt()
}

export function delegated(): VectorCase[] {
  const rejected = submitted()
  rejected.write('invitee', { kind: 'envelope.reject', body: { code: 'ownership_conflict', conflictsWith: 'lexer' } })
  const failed = claimed()
  failed.write('invitee', { kind: 'envelope.status', body: { state: 'failed', code: 'blocked' } })
  const canceled = submitted()
  canceled.write('inviter', { kind: 'envelope.cancel', body: { code: 'no_longer_needed' } })
  const done = claimed()
  finish(done)
  const unproved = claimed()
  finish(unproved, { exitStatus: 1 })
  const reopened = claimed()
  finish(reopened)
  reopened.write('invitee', { kind: 'envelope.claim', body: {} })
  const usurped = submitted()
  usurped.write('inviter', { kind: 'envelope.claim', body: {} })
  return [
    holds('a delegated task that waits', submitted().export()),
    holds('a delegated task that nobody ended in time', submitted().export(), LATER),
    holds('a delegated task that is worked on, with a question that was answered', asked().export()),
    holds('a delegated task whose dependency was resolved between two claims', waiting().export()),
    holds('a delegated task that its recipient says is completed', done.export()),
    holds('a completed task stays completed', done.export(), LATER),
    holds('a completed task that its sender checked', judged(0).export()),
    holds('a completed task that its sender disputes', judged(1).export()),
    holds('a verdict without a run of its own', judged().export()),
    holds('a result whose check did not pass', unproved.export()),
    holds('a result that a cancel crossed', crossed().export()),
    holds('a delegated task that was rejected, with the task that it collides with', rejected.export()),
    holds('a delegated task that failed', failed.export()),
    holds('a delegated task that its sender canceled', canceled.receipt().export()),
    holds('a claim after the end', reopened.export()),
    holds('a claim by the sender itself', usurped.receipt().export())
  ]
}

export function misdelegated(): VectorCase[] {
  const story = claimed()
  const whole = story.export()
  const { inviter, invitee } = whole
  return [
    fails('a delegated task under a uid that is not of its id', submitted({}, 'ab'.repeat(16)).export()),
    fails('a delegated task without its submit', story.export({ inviter: { ...inviter, messages: [] } })),
    fails(
      'the claim of a delegated task under the sender',
      story.export({ inviter: { ...inviter, messages: invitee.messages } })
    ),
    fails('a delegated task that was changed after it was sealed', { ...whole, exportedAt: LATER })
  ]
}
