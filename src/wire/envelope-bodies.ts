/** What the messages of a task envelope hold. Source: protocols/envelopes.md, "Messages". */
import { type Infer, boolean, integer, list, object, oneOf, optional, pattern, refine, string } from '../base/shape.js'
import { hex64, instant, messageId } from './forms.js'
import { LIMITS } from './limits.js'

/** Where a task envelope stands. Source: protocols/envelopes.md, "Lifecycle". */
export const ENVELOPE_STATES = [
  'submitted',
  'working',
  'input_required',
  'auth_required',
  'completed',
  'failed',
  'canceled',
  'rejected'
] as const
export type EnvelopeState = (typeof ENVELOPE_STATES)[number]

/** How a dependency ended. */
const OUTCOMES = ['completed', 'failed', 'canceled', 'rejected'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What decided pass or fail. */
export const VERDICT_SOURCES = ['script', 'llm_judge'] as const

/** Why a recipient stops or asks, in a word; text beside it needs `delegate.report`. */
export const REPORT_CODES = [
  'declined',
  'cannot',
  'out_of_scope',
  'unsafe',
  'busy',
  'acceptance_failed',
  'blocked',
  'needs_decision',
  'needs_material',
  'needs_access',
  'other'
] as const

/** Why the recipient's node itself rejects a task in the commit that stores it. */
export const NODE_REJECT_CODES = [
  'expired',
  'invalid_contract',
  'self_dependency',
  'duplicate_dependency',
  'dependency_cycle',
  'ownership_conflict',
  'too_many_tasks'
] as const
export type NodeRejectCode = (typeof NODE_REJECT_CODES)[number]

/** Why a sender's agent cancels. */
export const AGENT_CANCEL_CODES = ['changed_plans', 'no_longer_needed', 'unavailable', 'other'] as const

/** Why a sender's node cancels by itself. */
export const NODE_CANCEL_CODES = ['expired', 'dependency_failed', 'dependency_canceled', 'dependency_rejected'] as const

const text = string({ min: 1, max: LIMITS.contractText })
const reason = string({ min: 1, max: LIMITS.reasonLength })
const source = oneOf(VERDICT_SOURCES)

/** The caller's name for a task: opaque, exact, and safe in a path. */
export const taskId = pattern(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  '1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit'
)
/** The name of a tool, as the recipient's owner lists it. */
export const toolName = pattern(
  /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$/,
  '1 to 128 letters, digits and the characters _ . : / -, the first a letter or digit'
)

const contract = object({
  objective: text,
  outputFormat: text,
  toolAndSourceGuidance: text,
  boundaries: text,
  filesAndInterfaces: list(string({ min: 1, max: LIMITS.ownedLength }), { max: LIMITS.ownedEntries }),
  acceptanceCheck: object({
    passFailCommand: string({ min: 1, max: LIMITS.commandLength }),
    endToEndVerification: text
  }),
  contextID: string({ min: 1, max: LIMITS.contextLength }),
  dependsOn: optional(list(taskId, { max: LIMITS.dependencies })),
  toolsAllowed: optional(list(toolName, { max: LIMITS.tools }))
})
/** What is asked for, what would prove it, and what the recipient owns meanwhile. */
export type Contract = Infer<typeof contract>

/** A deliverable by reference: it is never inside a message. */
export const artifact = object({
  name: string({ min: 1, max: LIMITS.artifactName }),
  location: string({ min: 1, max: LIMITS.artifactLocation }),
  mediaType: pattern(
    /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/,
    'a media type such as text/plain'
  ),
  size: integer({ min: 0 }),
  sha256: hex64
})
export type Artifact = Infer<typeof artifact>

/** One run of the acceptance command. `output.tail` is the end of what it wrote, the digest is over all of it. */
const runMembers = {
  command: string({ min: 1, max: LIMITS.commandLength }),
  exitStatus: integer({ min: 0, max: 255 }),
  output: object({ tail: string({ max: LIMITS.outputTail }), bytes: integer({ min: 0 }), sha256: hex64 }),
  durationMs: integer({ min: 0 })
}
const run = object(runMembers)
export type Run = Infer<typeof run>

const secondOpinion = object({ passed: boolean, freshContext: boolean, verdictSource: source, note: optional(reason) })

export const evidence = object({
  ...runMembers,
  endToEnd: object({ passed: boolean, note: optional(reason) }),
  verdictSource: source,
  secondOpinion: optional(secondOpinion)
})
export type Evidence = Infer<typeof evidence>

/** Bodies by kind. */
export const ENVELOPE_BODIES = {
  submit: object({ taskId, contract, expiresAt: instant }),
  answer: object({ of: messageId, text: reason }),
  resolve: object({ taskId, outcome: oneOf(OUTCOMES) }),
  verdict: object({
    of: messageId,
    passed: boolean,
    freshContext: boolean,
    verdictSource: source,
    run: optional(run),
    note: optional(reason)
  }),
  cancel: object({ code: oneOf([...AGENT_CANCEL_CODES, ...NODE_CANCEL_CODES]) }),
  claim: object({}),
  status: refine(
    object({
      state: oneOf(['working', 'input_required', 'auth_required', 'failed']),
      code: optional(oneOf(REPORT_CODES)),
      reason: optional(reason)
    }),
    (body) =>
      (body.state === 'working') === (body.code === undefined) &&
      (body.code !== undefined || body.reason === undefined),
    'has a code exactly when its state is not working, and a reason only with a code'
  ),
  result: object({
    artifacts: list(artifact, { max: LIMITS.artifacts }),
    evidence,
    summary: optional(reason)
  }),
  reject: object({
    code: oneOf([...REPORT_CODES, ...NODE_REJECT_CODES]),
    reason: optional(reason),
    conflictsWith: optional(taskId)
  })
} as const
