import { isoOf } from '../../../src/base/time.js'
import type { EnvelopeContent, EnvelopeEntry } from '../../../src/tasks/envelope/log.js'
import type { Contract, Evidence } from '../../../src/wire/envelope-bodies.js'
import { type LineOf, chainOf, idOf } from '../entries.js'

/** Entries of the logs of task envelopes: short to write, with ids that sort as the test wants. */

export const DUE = Date.UTC(2026, 10, 14)
const COMMAND = 'npm test'

export const CONTRACT: Contract = {
  objective: 'Make the parser take comments',
  outputFormat: 'A commit',
  toolAndSourceGuidance: 'The sources alone',
  boundaries: 'No new dependency',
  filesAndInterfaces: ['src/parser/'],
  acceptanceCheck: { passFailCommand: COMMAND, endToEndVerification: 'Parse the example file' },
  contextID: 'repo'
}

const EVIDENCE: Evidence = {
  command: COMMAND,
  exitStatus: 0,
  output: { tail: 'ok', bytes: 2, sha256: 'e'.repeat(64) },
  durationMs: 1200,
  endToEnd: { passed: true },
  verdictSource: 'script'
}

export type Words = EnvelopeContent | { readonly kind: 'opaque'; readonly body: undefined }

export const say = {
  submit: (dependsOn?: readonly string[]): Words => ({
    kind: 'envelope.submit',
    body: {
      taskId: 'parser',
      contract: dependsOn === undefined ? CONTRACT : { ...CONTRACT, dependsOn },
      expiresAt: isoOf(DUE)
    }
  }),
  resolve: (taskId: string, outcome: 'completed' | 'failed' = 'completed'): Words => ({
    kind: 'envelope.resolve',
    body: { taskId, outcome }
  }),
  answer: (of: string): Words => ({ kind: 'envelope.answer', body: { of: idOf(of), text: 'Line comments' } }),
  verdict: (of: string, passed = true, exitStatus = 0, command = COMMAND): Words => ({
    kind: 'envelope.verdict',
    body: {
      of: idOf(of),
      passed,
      freshContext: true,
      verdictSource: 'script',
      run: { command, exitStatus, output: EVIDENCE.output, durationMs: 5 }
    }
  }),
  cancel: (): Words => ({ kind: 'envelope.cancel', body: { code: 'no_longer_needed' } }),
  claim: (): Words => ({ kind: 'envelope.claim', body: {} }),
  work: (): Words => ({ kind: 'envelope.status', body: { state: 'working' } }),
  ask: (state: 'input_required' | 'auth_required' = 'input_required'): Words => ({
    kind: 'envelope.status',
    body: { state, code: state === 'input_required' ? 'needs_decision' : 'needs_access' }
  }),
  fail: (): Words => ({ kind: 'envelope.status', body: { state: 'failed', code: 'blocked' } }),
  result: (over: Partial<Evidence> = {}): Words => ({
    kind: 'envelope.result',
    body: { artifacts: [], evidence: { ...EVIDENCE, ...over } }
  }),
  reject: (): Words => ({ kind: 'envelope.reject', body: { code: 'declined' } }),
  refuse: (of: string): Words => ({ kind: 'task.refuse', body: { of: idOf(of), code: 'backdated' } }),
  opaque: (): Words => ({ kind: 'opaque', body: undefined })
}

export type EnvelopeLine = LineOf<Words>

/** Both chains, written as lines; `seenId` follows from `seen`. */
export function envelopeLog(
  inviter: readonly EnvelopeLine[],
  invitee: readonly EnvelopeLine[] = []
): { inviter: EnvelopeEntry[]; invitee: EnvelopeEntry[] } {
  return { inviter: chainOf(inviter, invitee), invitee: chainOf(invitee, inviter) }
}
