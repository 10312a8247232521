/** What simulated agents do with delegated work: submit, claim, ask, answer, complete, fail, reject, cancel and judge, at random. */
import type { AgentId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import type { Answered } from '../../src/flows/doors.js'
import type { EnvelopeCommand } from '../../src/flows/envelope-commands.js'
import type { EnvelopeView, EnvelopeWritten } from '../../src/flows/views/envelopes.js'
import { checkDenied, judge, pickWeighted } from './agents.js'
import { type Actor, type Cast, actorOf, call } from './cast.js'
import { COMMAND, isEnd } from './delegations.js'
import type { Plan } from './plans.js'

const CONTEXTS = ['shop', 'repo'] as const
/** Some meet under other names: letters of another case, a way round, a folder and what is in it. */
const PATHS = ['src', 'src/a.ts', './SRC/A.TS', 'src/a', 'docs', 'docs/../lib', 'lib/x/', 'LIB'] as const
const TOOLS = ['shell', 'git', 'browser'] as const
const LATEST = 4

/** One random move of an agent. */
export function delegateMove(cast: Cast, actor: Actor): void {
  const moves: Array<[number, () => void]> = [
    [5, () => submit(cast, actor)],
    [14, () => goOn(cast, actor, pickDelegation(actor))],
    [2, () => tryAnything(cast, actor, pickDelegation(actor))],
    [1, () => setLedger(cast, actor)]
  ]
  pickWeighted(moves, actor.prng.fraction())()
}

/** Both agents of a task write at the same moment, the sender a cancel as a rule, so that their messages cross. */
export function delegateDuel(cast: Cast, actor: Actor): void {
  const view = pickDelegation(actor)
  const other = view === undefined ? undefined : actorOf(cast, view.participant)
  if (view === undefined || other === undefined) return
  for (const one of [actor, other]) {
    const own = one.delegations.view(view.taskUid)
    if (own?.role === 'sender' && one.prng.chance(0.7)) cancel(cast, one, own)
    else goOn(cast, one, own)
  }
}

/** Reads a task through the agent's door and holds it against what was seen before. */
export function observeDelegation(cast: Cast, actor: Actor, uid: string): void {
  const before = actor.delegations.view(uid)
  call(
    cast,
    actor,
    'getEnvelope',
    (flows) => flows.agent.getEnvelope(actor.node.agent, uid),
    (answer) => {
      const known = actor.delegations.view(uid)
      if (!answer.ok && known !== undefined) cast.broken(`${actor.node.name} lost envelope ${uid}`)
      // A write may have been answered meanwhile: what was read before it is an older sight.
      if (answer.ok && known === before) see(cast, actor, answer.value)
    }
  )
}

function see(cast: Cast, actor: Actor, view: EnvelopeView): void {
  for (const fault of actor.delegations.look(view)) cast.broken(`${actor.node.name} ${fault}`)
}

function submit(cast: Cast, actor: Actor): void {
  const { prng, delegations } = actor
  const recipient = pickCompanion(cast, actor)
  if (recipient === undefined) return
  const { named } = delegations
  const taskId =
    named.length > 0 && prng.chance(0.05) ? prng.pick(named) : `${actor.node.name}-${delegations.named.length}`
  const plan = cast.plans.words(recipient, 'delegate.submit')
  const envelope = contractOf(actor, taskId, plan)
  named.push(taskId)
  const expiresInHours = prng.pick([1, 1, 1, 2, 72])
  say(cast, actor, { do: 'submit', recipient, taskId, expiresInHours, envelope }, plan)
}

function contractOf({ prng, delegations }: Actor, taskId: string, { marker }: Plan): JsonObject {
  const strange = prng.chance(0.05) ? [prng.pick(['nowhere', taskId])] : []
  const dependsOn = delegations.named.length > 0 && prng.chance(0.4) ? [prng.pick(delegations.named)] : []
  return {
    objective: `do ${marker}`,
    outputFormat: 'a file',
    toolAndSourceGuidance: 'none',
    boundaries: `none ${marker}`,
    filesAndInterfaces: [prng.pick(PATHS), ...(prng.chance(0.3) ? [prng.pick(PATHS)] : [])],
    acceptanceCheck: { passFailCommand: COMMAND, endToEndVerification: 'look' },
    contextID: prng.pick(CONTEXTS),
    ...(prng.chance(0.5) ? { dependsOn: [...dependsOn, ...strange] } : {}),
    ...(prng.chance(0.5) ? { toolsAllowed: [...TOOLS] } : {})
  }
}

/** The next step in a task, as a rule one that could have effect. */
function goOn(cast: Cast, actor: Actor, view: EnvelopeView | undefined): void {
  if (view === undefined) return
  const moves = view.role === 'sender' ? senderMoves(cast, actor, view) : recipientMoves(cast, actor, view)
  pickWeighted(moves, actor.prng.fraction())()
}

type Moves = Array<[number, () => void]>

function recipientMoves(cast: Cast, actor: Actor, view: EnvelopeView): Moves {
  switch (view.state) {
    case 'submitted':
      return [
        [view.claimable ? 9 : 1, () => claim(cast, actor, view)],
        [1, () => stop(cast, actor, view, 'reject')],
        [1, () => stop(cast, actor, view, 'fail')]
      ]
    case 'working':
      return [
        [6, () => complete(cast, actor, view)],
        [2, () => ask(cast, actor, view)],
        [1, () => stop(cast, actor, view, 'fail')]
      ]
    default:
      return [
        [6, () => say(cast, actor, { do: 'status', taskId: view.taskUid, state: 'working' })],
        [1, () => stop(cast, actor, view, 'fail')],
        [1, () => complete(cast, actor, view)]
      ]
  }
}

function senderMoves(cast: Cast, actor: Actor, view: EnvelopeView): Moves {
  return [
    [view.questions.some(({ answer }) => answer === undefined) ? 6 : 1, () => answer(cast, actor, view)],
    [view.state === 'completed' ? 4 : 1, () => verdict(cast, actor, view)],
    [1, () => cancel(cast, actor, view)],
    [4, () => observeDelegation(cast, actor, view.taskUid)]
  ]
}

/** Any step of either side: most of them have no effect, and say why. */
function tryAnything(cast: Cast, actor: Actor, view: EnvelopeView | undefined): void {
  if (view === undefined) return
  const { state: _any, ...seen } = view
  const odd = { ...seen, state: actor.prng.pick(['submitted', 'working', 'completed'] as const) }
  pickWeighted([...recipientMoves(cast, actor, odd), ...senderMoves(cast, actor, odd)], actor.prng.fraction())()
}

/** Often several at once: one wins. */
function claim(cast: Cast, actor: Actor, { taskUid }: EnvelopeView): void {
  for (let left = actor.prng.pick([1, 1, 3]); left > 0; left--) say(cast, actor, { do: 'claim', taskId: taskUid })
}

function ask(cast: Cast, actor: Actor, view: EnvelopeView): void {
  const state = actor.prng.pick(['input_required', 'auth_required'] as const)
  spoken(cast, actor, view, (words) => ({
    do: 'status',
    taskId: view.taskUid,
    state,
    code: 'needs_decision',
    ...words
  }))
}

function stop(cast: Cast, actor: Actor, view: EnvelopeView, what: 'fail' | 'reject'): void {
  spoken(cast, actor, view, (words) => ({ do: what, taskId: view.taskUid, code: 'cannot', ...words }))
}

/** A code, with or without a reason in words. */
function spoken(
  cast: Cast,
  actor: Actor,
  view: EnvelopeView,
  make: (words: { reason?: string }) => EnvelopeCommand
): void {
  if (actor.prng.chance(0.5)) return say(cast, actor, make({}))
  const plan = cast.plans.words(view.participant as AgentId, 'delegate.report')
  say(cast, actor, make({ reason: `because ${plan.marker}` }), plan)
}

/** The work is recorded, as a rule so that it proves something, and sent at once or only later. */
function complete(cast: Cast, actor: Actor, view: EnvelopeView): void {
  const { prng, node } = actor
  const evidence = {
    command: prng.chance(0.9) ? COMMAND : 'true',
    exitStatus: prng.chance(0.85) ? 0 : 1,
    output: { tail: 'ok', bytes: 2, sha256: 'a'.repeat(64) },
    durationMs: 1,
    endToEnd: { passed: prng.chance(0.9) },
    verdictSource: 'script'
  }
  call(
    cast,
    actor,
    'stageEvidence',
    (flows) => flows.agent.stageEvidence(node.agent, view.taskUid, evidence),
    () => {
      if (prng.chance(0.1)) return
      const plan = cast.plans.words(view.participant as AgentId, 'delegate.report')
      say(cast, actor, { do: 'complete', taskId: view.taskUid, summary: `done ${plan.marker}` }, plan)
    }
  )
}

function answer(cast: Cast, actor: Actor, view: EnvelopeView): void {
  const plan = cast.plans.words(view.participant as AgentId, 'delegate.submit')
  say(cast, actor, { do: 'answer', taskId: view.taskUid, text: `take ${plan.marker}` }, plan)
}

function verdict(cast: Cast, actor: Actor, view: EnvelopeView): void {
  const said = { passed: actor.prng.chance(0.7), freshContext: true, verdictSource: 'llm_judge' } as const
  const command = { do: 'verdict', taskId: view.taskUid, ...said } as const
  if (actor.prng.chance(0.5)) return say(cast, actor, command)
  const plan = cast.plans.words(view.participant as AgentId, 'delegate.submit')
  say(cast, actor, { ...command, note: `well ${plan.marker}` }, plan)
}

function cancel(cast: Cast, actor: Actor, { taskUid }: EnvelopeView): void {
  say(cast, actor, { do: 'cancel', taskId: taskUid, ...(actor.prng.chance(0.5) ? { code: 'changed_plans' } : {}) })
}

function setLedger(cast: Cast, actor: Actor): void {
  const tools = TOOLS.filter(() => actor.prng.chance(0.5))
  call(cast, actor, 'setLedger', (flows) => flows.owner.setLedger({ agent: actor.node.hosted, tools }))
}

/** Makes a call and checks its answer. `plan` stands for the words in it, which leave only as the owner allows. */
function say(cast: Cast, actor: Actor, command: EnvelopeCommand, plan?: Plan): void {
  if (plan !== undefined && actor.unsure) return
  if (plan !== undefined) judge(cast, actor, plan)
  call(
    cast,
    actor,
    `envelope ${command.do}`,
    (flows) => flows.agent.envelope(actor.node.agent, command),
    (given) => check(cast, actor, { command, plan }, given)
  )
}

interface Said {
  readonly command: EnvelopeCommand
  readonly plan: Plan | undefined
}

function check(cast: Cast, actor: Actor, { command, plan }: Said, given: Result<Answered<EnvelopeWritten>>): void {
  if (!given.ok) {
    const { code, details } = given.refusal
    if (code === 'policy_denied' && plan !== undefined) checkDenied(cast, actor, plan, details.denied)
    return
  }
  const written = given.value.answer
  if (written.status === 'pending_approval') {
    if (plan === undefined || plan.state === 'never')
      cast.broken(`${command.do} asks the owner for nothing, or in vain`)
    return
  }
  see(cast, actor, written.envelope)
  if (written.status === 'unchanged') return checkUnchanged(cast, command, written.envelope)
  if (plan !== undefined && !cast.traffic.isDurable(plan.marker))
    cast.broken(`${command.do} answered before ${plan.marker} was on disk`)
  if (plan !== undefined && plan.state !== 'may')
    cast.broken(`${command.do} sent ${plan.marker}, which is ${plan.state}`)
  const wins = command.do === 'claim' ? actor.delegations.win(written.envelope.taskUid) : 1
  if (wins > 1) cast.broken(`${wins} claims of ${written.envelope.taskId} won`)
}

function checkUnchanged(cast: Cast, command: EnvelopeCommand, { taskId, state, cancelRequested }: EnvelopeView): void {
  if (!isEnd(state) && cancelRequested !== true) cast.broken(`${command.do} of ${taskId} is unchanged, but ${state}`)
}

/** Mostly an active contact, of another node or of this one. */
function pickCompanion(cast: Cast, actor: Actor): AgentId | undefined {
  const { node, prng } = actor
  const all = [...cast.actors, ...cast.neighbours].map((other) => other.node.agent)
  const known = all.filter((peer) => node.store?.get('contacts', `${node.agent}/${peer}`)?.state === 'active')
  return known.length === 0 ? undefined : prng.pick(known)
}

/** As a rule one of the latest tasks that are not over. */
function pickDelegation(actor: Actor): EnvelopeView | undefined {
  const views = actor.delegations.all()
  const going = views.filter((view) => !isEnd(view.state)).slice(-LATEST)
  const from = going.length > 0 && actor.prng.chance(0.85) ? going : views.slice(-LATEST)
  return from.length === 0 ? undefined : actor.prng.pick(from)
}
