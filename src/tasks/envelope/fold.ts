import type { MessageId } from '../../base/ids.js'
import { Notes } from '../../base/notes.js'
import type { Instant } from '../../base/time.js'
import type { EnvelopeState, Outcome } from '../../wire/envelope-bodies.js'
import type { BodyOf } from '../../wire/kinds.js'
import type { RefuseCode, Side } from '../log.js'
import { mergeBy } from '../merge.js'
import { refusalsIn } from '../refusals.js'
import { type EvidenceLack, lackOf, lackOfVerdict } from './evidence.js'
import { isTerminal, mayMove } from './lifecycle.js'
import { isWriter, rankOf } from './order.js'
import { type EnvelopeEntry, type EnvelopeEntryOf, type EnvelopeLog, envelopeExpiry, submitOf } from './log.js'

/** A delegated task as a pure function of its log. Source: protocols/envelopes.md, "Fold". */

/** What became of a message: `applied`, or why it has no effect. */
export type EnvelopeEffect =
  | 'applied'
  | 'opaque'
  | 'illegal_transition'
  | 'dependencies_unresolved'
  | 'late_refuse'
  | EvidenceLack
  | `refused:${RefuseCode}`

/** Something that was said with effect, by the id of its message. */
interface Said<B> {
  readonly id: MessageId
  /** Place in its side's chain. */
  readonly n: number
  /** The writer's time. */
  readonly at: string
  readonly body: B
}

/** What the recipient asked for while working, and what the sender answered. */
interface Question extends Said<BodyOf<'envelope.status'>> {
  readonly answer?: Said<BodyOf<'envelope.answer'>>
}

export interface ReducedEnvelope {
  readonly state: EnvelopeState
  /** Why it is in this state, where the message that moved it says so. */
  readonly code?: string
  /** The recipient's own words beside the code. */
  readonly reason?: string
  /** The task that owns something of this one's, on `ownership_conflict`, if it is the sender's own. */
  readonly conflictsWith?: string
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly questions: readonly Question[]
  readonly result?: Said<BodyOf<'envelope.result'>>
  readonly verdicts: readonly Said<BodyOf<'envelope.verdict'>>[]
  /** The cancel that has effect, and the state that it ended. */
  readonly cancel?: { readonly n: number; readonly from: EnvelopeState }
  /** Every message of the log. */
  readonly effects: ReadonlyMap<MessageId, EnvelopeEffect>
  readonly expiresAt: Instant
}

type Draft = {
  -readonly [K in 'state' | 'code' | 'reason' | 'conflictsWith' | 'result' | 'cancel']: ReducedEnvelope[K]
} & {
  readonly submit: BodyOf<'envelope.submit'>
  /** Dependency -> how it ended, and the place of the message that says so. */
  readonly resolves: Map<string, { readonly outcome: Outcome; readonly n: number }>
  readonly questions: Question[]
  readonly verdicts: Said<BodyOf<'envelope.verdict'>>[]
}

/** Logs are immutable, so what a log says is worked out once. */
const reductions = new Notes<EnvelopeLog, ReducedEnvelope>()

/** Reduces a log. It opens with its submit; every entry has its place (`checkPlace`). */
export function foldEnvelope(log: EnvelopeLog): ReducedEnvelope {
  const known = reductions.of(log)
  if (known !== undefined) return known
  const made = reduceAll(log)
  reductions.write(log, made)
  return made
}

function reduceAll(log: EnvelopeLog): ReducedEnvelope {
  const submit = submitOf(log)
  const { refused, verdicts } = refusalsIn(log)
  const effects = new Map<MessageId, EnvelopeEffect>(verdicts)
  for (const [id, code] of refused) effects.set(id, `refused:${code}`)
  for (const entry of [...log.inviter, ...log.invitee]) {
    if (entry.kind === 'opaque' && !refused.has(entry.id)) effects.set(entry.id, 'opaque')
  }
  const draft = draftOf(submit, refused.get(submit.id))
  for (const { side, entry } of mergeBy(log, refused, rankOf)) effects.set(entry.id, apply(draft, side, entry))
  return reducedOf(draft, effects, envelopeExpiry(submit))
}

function draftOf(submit: EnvelopeEntryOf<'envelope.submit'>, refused: RefuseCode | undefined): Draft {
  return {
    submit: submit.body,
    state: refused === undefined ? 'submitted' : 'rejected',
    code: refused,
    reason: undefined,
    conflictsWith: undefined,
    result: undefined,
    cancel: undefined,
    resolves: new Map(),
    questions: [],
    verdicts: []
  }
}

function apply(draft: Draft, side: Side, entry: EnvelopeEntry): EnvelopeEffect {
  if (!isWriter(side, entry)) return 'illegal_transition'
  switch (entry.kind) {
    case 'envelope.submit':
      // It opens the log, so only the first one has a place at the front.
      return entry.n === 1 ? 'applied' : 'illegal_transition'
    case 'envelope.resolve':
      return resolve(draft, entry)
    case 'envelope.answer':
      return answer(draft, entry)
    case 'envelope.verdict':
      return verdict(draft, entry)
    case 'envelope.cancel':
      return cancel(draft, entry)
    case 'envelope.claim':
      return claim(draft, entry)
    case 'envelope.status':
      return status(draft, entry)
    case 'envelope.result':
      return result(draft, entry)
    case 'envelope.reject':
      return move(draft, 'rejected', entry.body)
    case 'task.refuse':
    case 'opaque':
      throw new Error(`${entry.kind} is left out of the merge`)
  }
}

function said<B>(entry: { id: MessageId; n: number; at: string; body: B }): Said<B> {
  return { id: entry.id, n: entry.n, at: entry.at, body: entry.body }
}

/** Moves along an edge. Why and where are those of the last move. */
function move(
  draft: Draft,
  to: EnvelopeState,
  why: {
    readonly code?: string | undefined
    readonly reason?: string | undefined
    readonly conflictsWith?: string | undefined
  }
): EnvelopeEffect {
  if (!mayMove(draft.state, to)) return 'illegal_transition'
  draft.state = to
  draft.code = why.code
  draft.reason = why.reason
  draft.conflictsWith = why.conflictsWith
  return 'applied'
}

function resolve(draft: Draft, entry: EnvelopeEntryOf<'envelope.resolve'>): EnvelopeEffect {
  const { taskId, outcome } = entry.body
  const isNamed = draft.submit.contract.dependsOn?.includes(taskId) === true
  if (!isNamed || draft.resolves.has(taskId) || isTerminal(draft.state)) return 'illegal_transition'
  draft.resolves.set(taskId, { outcome, n: entry.n })
  return 'applied'
}

function answer(draft: Draft, entry: EnvelopeEntryOf<'envelope.answer'>): EnvelopeEffect {
  const at = draft.questions.findIndex((question) => question.id === entry.body.of)
  const asked = draft.questions[at]
  if (asked === undefined || asked.answer !== undefined || isTerminal(draft.state)) return 'illegal_transition'
  draft.questions[at] = { ...asked, answer: said(entry) }
  return 'applied'
}

function verdict(draft: Draft, entry: EnvelopeEntryOf<'envelope.verdict'>): EnvelopeEffect {
  if (draft.result === undefined || draft.result.id !== entry.body.of) return 'illegal_transition'
  const lack = lackOfVerdict(draft.submit.contract, entry.body)
  if (lack !== undefined) return lack
  draft.verdicts.push(said(entry))
  return 'applied'
}

function cancel(draft: Draft, entry: EnvelopeEntryOf<'envelope.cancel'>): EnvelopeEffect {
  const from = draft.state
  const moved = move(draft, 'canceled', entry.body)
  if (moved === 'applied') draft.cancel = { n: entry.n, from }
  return moved
}

/** A claim must count every resolve that it rests on: one that it did not know of can not have let it start. */
function claim(draft: Draft, entry: EnvelopeEntryOf<'envelope.claim'>): EnvelopeEffect {
  if (draft.state !== 'submitted') return 'illegal_transition'
  const ready = (draft.submit.contract.dependsOn ?? []).every((id) => {
    const known = draft.resolves.get(id)
    return known?.outcome === 'completed' && known.n <= entry.seen
  })
  return ready ? move(draft, 'working', {}) : 'dependencies_unresolved'
}

function status(draft: Draft, entry: EnvelopeEntryOf<'envelope.status'>): EnvelopeEffect {
  const { state } = entry.body
  // From `submitted`, work starts by a claim, which asks for the dependencies.
  if (state === 'working' && draft.state === 'submitted') return 'illegal_transition'
  const moved = move(draft, state, entry.body)
  if (moved === 'applied' && (state === 'input_required' || state === 'auth_required')) {
    draft.questions.push(said(entry))
  }
  return moved
}

function result(draft: Draft, entry: EnvelopeEntryOf<'envelope.result'>): EnvelopeEffect {
  if (!mayMove(draft.state, 'completed')) return 'illegal_transition'
  const lack = lackOf(draft.submit.contract, entry.body.evidence)
  if (lack !== undefined) return lack
  draft.result = said(entry)
  return move(draft, 'completed', {})
}

function reducedOf(draft: Draft, effects: ReadonlyMap<MessageId, EnvelopeEffect>, expiresAt: Instant): ReducedEnvelope {
  const { state, code, reason, conflictsWith, result: done, cancel: ended, questions, verdicts } = draft
  return {
    state,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(conflictsWith === undefined ? {} : { conflictsWith }),
    outcomes: new Map([...draft.resolves].map(([id, { outcome }]) => [id, outcome])),
    questions,
    ...(done === undefined ? {} : { result: done }),
    verdicts,
    ...(ended === undefined ? {} : { cancel: ended }),
    effects,
    expiresAt
  }
}
