/** What simulated agents do: legal and illegal writes at random, repeats under one key, reading their inbox. */
import { toUtf8 } from '../../src/base/bytes.js'
import { sha256Hex } from '../../src/base/digest.js'
import type { AgentId } from '../../src/base/ids.js'
import type { Answered, Once } from '../../src/flows/doors.js'
import type { Flows } from '../../src/flows/flows.js'
import type { TaskView, WriteAnswer } from '../../src/flows/views/tasks.js'
import { type Actor, type Cast, type Write, type Writing, actorOf, call, pickContact } from './cast.js'
import { act } from './deeds.js'
import type { Plan } from './plans.js'
import { NAMES, hasTypes, maySee } from './types.js'

const GOING: readonly string[] = ['open', 'negotiating']
/** Agents mostly go on with their latest tasks, so that tasks get somewhere. */
const LATEST = 3
/** How many repeats of calls are remembered. */
const REPEATS = 8

/** One random move of an agent. */
export function moveAgent(cast: Cast, actor: Actor): void {
  const moves: Array<[number, () => void]> = [
    [4, () => create(cast, actor)],
    [14, () => moveOn(cast, actor, pickTask(actor))],
    [6, () => actSomewhere(cast, actor)],
    [5, () => readInbox(cast, actor)],
    [2, () => repeat(actor)],
    [1, () => insist(cast, actor)],
    [1, () => look(cast, actor)],
    [1, () => lookAround(cast, actor)]
  ]
  pickWeighted(moves, actor.prng.fraction())()
}

/** Both agents of a task write at the same moment, so that their messages cross. */
export function duel(cast: Cast, actor: Actor): void {
  if (actor.prng.chance(0.4)) return crossAction(cast, actor)
  const view = pickTask(actor)
  const other = view === undefined ? undefined : actorOf(cast, view.participant)
  if (view === undefined || other === undefined) return
  moveOn(cast, actor, view)
  moveOn(cast, other, other.observed.view(view.taskUid))
}

/** An action on one side, and on the other an action or a cancel, at the same moment. */
function crossAction(cast: Cast, actor: Actor): void {
  const view = pickAgreed(actor)
  const other = view === undefined ? undefined : actorOf(cast, view.participant)
  const seen = view === undefined ? undefined : other?.observed.view(view.taskUid)
  if (view === undefined || other === undefined || seen === undefined) return
  act(cast, actor, view)
  if (actor.prng.chance(0.3)) act(cast, other, seen)
  else cancel(cast, other, seen)
}

/** As a rule on an agreed task, sometimes on any. */
function actSomewhere(cast: Cast, actor: Actor): void {
  const view = actor.prng.chance(0.9) ? pickAgreed(actor) : pickTask(actor)
  if (view !== undefined) act(cast, actor, view)
}

function pickAgreed(actor: Actor): TaskView | undefined {
  const views = [...actor.tasks].flatMap((uid) => actor.observed.view(uid) ?? [])
  const agreed = views.filter((view) => view.agreedProposalId !== undefined).slice(-LATEST)
  return agreed.length === 0 ? undefined : actor.prng.pick(agreed)
}

/** One more message in a task, as a rule one that could have effect. */
function moveOn(cast: Cast, actor: Actor, view: TaskView | undefined): void {
  if (view === undefined) return
  const { prng } = actor
  const toAnswer = view.proposals.some((proposal) => proposal.status === 'pending' && proposal.by === 'peer')
  const moves: Array<[number, () => void]> = [
    [toAnswer ? 3 : 6, () => propose(cast, actor, view)],
    [toAnswer ? 6 : 1, () => respond(cast, actor, view)],
    [view.status === 'agreed' ? 2 : 1, () => cancel(cast, actor, view)]
  ]
  pickWeighted(moves, prng.fraction())()
}

export function pickWeighted(moves: ReadonlyArray<[number, () => void]>, at: number): () => void {
  let left = at * moves.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, move] of moves) {
    left -= weight
    if (left < 0) return move
  }
  return () => undefined
}

function create(cast: Cast, actor: Actor): void {
  const participant = pickContact(actor, cast)
  if (participant === undefined) return
  const { prng } = actor
  const plan = makePlan(cast, actor, participant)
  const command = {
    type: prng.chance(hasTypes(actor.node) ? 0.5 : 0.05)
      ? prng.pick(NAMES)
      : prng.pick(['dinner.coordination', 'dinner.coordination@1']),
    participant,
    proposal: plan.proposal,
    ...(prng.chance(0.5) ? { expiresInHours: prng.pick([1, 1, 2, 48, 720]) } : {}),
    ...(prng.chance(0.3) ? { title: 'a title that stays here' } : {})
  }
  write(cast, actor, { name: 'createTask', body: command, plan }, (flows, once) =>
    flows.agent.createTask(actor.node.agent, command, once)
  )
}

function propose(cast: Cast, actor: Actor, view: TaskView): void {
  const plan = makePlan(cast, actor, view.participant as AgentId)
  const command = { proposal: plan.proposal }
  write(cast, actor, { name: 'propose', body: [view.taskUid, command], plan }, (flows, once) =>
    flows.agent.propose(actor.node.agent, view.taskUid, command, once)
  )
}

function respond(cast: Cast, actor: Actor, view: TaskView): void {
  const { prng } = actor
  if (view.proposals.length === 0) return
  const pending = view.proposals.find((proposal) => proposal.status === 'pending' && proposal.by === 'peer')
  const { proposalId } = pending !== undefined && prng.chance(0.85) ? pending : prng.pick(view.proposals)
  const decision = prng.chance(0.65) ? 'accept' : 'reject'
  const command = { proposalId, decision } as const
  write(cast, actor, { name: 'respond', body: [view.taskUid, command] }, (flows, once) =>
    flows.agent.respond(actor.node.agent, view.taskUid, command, once)
  )
}

function cancel(cast: Cast, actor: Actor, view: TaskView): void {
  const command = actor.prng.chance(0.5) ? { reason: 'changed_plans' } : {}
  write(cast, actor, { name: 'cancel', body: [view.taskUid, command] }, (flows, once) =>
    flows.agent.cancel(actor.node.agent, view.taskUid, command, once)
  )
}

function makePlan(cast: Cast, actor: Actor, contact: AgentId): Plan {
  return cast.plans.make(actor.prng, contact)
}

/** What the rules say of a plan as it is sent; they don't change while calls are open. */
export function judge(cast: Cast, actor: Actor, plan: Plan): void {
  if (cast.traffic.isDurable(plan.marker)) return
  const { effect } = actor.rules.for(plan.contact, plan.capabilities)
  const asked = plan.yeses > 0 ? 'may' : 'locked'
  if (effect === 'allow') plan.allowed = true
  plan.state = effect === 'allow' ? 'may' : effect === 'ask' ? asked : 'never'
}

/**
 * The same plan again as a new request, which is as good as a yes of the owner to it. Only under rules that ask: under
 * rules that allow it would just be sent again.
 */
function insist(cast: Cast, actor: Actor): void {
  if (actor.insists.length === 0 || actor.unsure) return
  const { make, ...writing } = actor.prng.pick(actor.insists)
  const { plan } = writing
  if (actor.rules.for(plan.contact, plan.capabilities).effect !== 'ask') return
  if (plan.state !== 'may') plan.state = plan.yeses > 0 ? 'may' : 'locked'
  call(
    cast,
    actor,
    `${writing.name} again`,
    (flows) => make(flows),
    (answer) => checkWrite(cast, actor, writing, answer)
  )
}

/** Makes a write, checks its answer, and keeps it for a repeat. */
function write(cast: Cast, actor: Actor, writing: Writing, make: (flows: Flows, once?: Once) => Promise<Write>): void {
  const bodyHash = sha256Hex(toUtf8(JSON.stringify(writing.body)))
  const once = { key: `agent/${writing.name}/${actor.prng.whole(0, 1e9)}`, bodyHash }
  const keyed = actor.prng.chance(0.7)
  const send = (): void => {
    // Without knowing the rules, no plan can be judged.
    if (actor.unsure && writing.plan !== undefined) return
    if (writing.plan !== undefined) judge(cast, actor, writing.plan)
    call(
      cast,
      actor,
      writing.name,
      (flows) => make(flows, keyed ? once : undefined),
      (answer) => checkWrite(cast, actor, writing, answer)
    )
  }
  send()
  if (keyed) actor.repeats.push(send)
  if (writing.plan !== undefined) actor.insists.push({ ...writing, plan: writing.plan, make })
  if (actor.insists.length > REPEATS) actor.insists.shift()
  if (actor.repeats.length > REPEATS) actor.repeats.shift()
}

function checkWrite(cast: Cast, actor: Actor, writing: Writing, answer: Write): void {
  const { plan, name } = writing
  if (answer.ok) noteTask(cast, actor, answer.value)
  if (plan === undefined || (answer.ok && answer.value.replayed)) return
  const sent = answer.ok && answer.value.answer.status === 'sent'
  if (sent && !cast.traffic.isDurable(plan.marker)) cast.broken(`${name} answered before ${plan.marker} was on disk`)
  if (sent && plan.state !== 'may') cast.broken(`${name} sent ${plan.marker}, which is ${plan.state}`)
  if (answer.ok && !sent && plan.state === 'never') cast.broken(`${name} asks the owner for what is denied`)
  if (!answer.ok && answer.refusal.code === 'policy_denied')
    checkDenied(cast, actor, plan, answer.refusal.details.denied)
}

/** The refusal names exactly what the rules deny; the rules can't have changed since, while calls were open. */
export function checkDenied(cast: Cast, actor: Actor, plan: Plan, denied: readonly string[] | undefined): void {
  const expected = actor.rules.for(plan.contact, plan.capabilities).denied
  if (plan.state !== 'never' && expected.length === 0)
    cast.broken(`${plan.marker} was denied although it is ${plan.state}`)
  if (expected.length > 0 && expected.join() !== (denied ?? []).join()) {
    cast.broken(`denied ${(denied ?? []).join()} instead of ${expected.join()}`)
  }
}

function noteTask(cast: Cast, actor: Actor, answered: Answered<WriteAnswer>): void {
  const { answer, replayed } = answered
  const uid = answer.status === 'sent' ? answer.task.taskUid : answer.taskUid
  actor.tasks.add(uid)
  // A stored answer is a sight of old.
  if (answer.status === 'sent' && !replayed) see(cast, actor, answer.task)
}

/** As a rule one of the latest tasks that are not over. */
function pickTask(actor: Actor): TaskView | undefined {
  const views = [...actor.tasks].flatMap((uid) => actor.observed.view(uid) ?? [])
  const going = views.filter((view) => GOING.includes(view.status)).slice(-LATEST)
  const from = going.length > 0 && actor.prng.chance(0.92) ? going : views
  return from.length === 0 ? undefined : actor.prng.pick(from)
}

function repeat(actor: Actor): void {
  if (actor.repeats.length > 0) actor.prng.pick(actor.repeats)()
}

function readInbox(cast: Cast, actor: Actor): void {
  const { agent } = actor.node
  const limit = actor.prng.pick([1, 5, 50])
  const after = actor.cursor
  call(
    cast,
    actor,
    'inbox',
    (flows) => flows.agent.inbox(agent, { after, waitSeconds: actor.prng.pick([0, 0, 30]), limit }),
    (answer) => {
      if (!answer.ok) return
      let last = after
      for (const item of answer.value.items) {
        if (item.cursor <= last) cast.broken(`${actor.node.name} inbox gave ${item.cursor} after ${last}`)
        last = item.cursor
        if (item.taskUid !== undefined) actor.tasks.add(item.taskUid)
      }
      actor.cursor = Math.max(actor.cursor, last)
      if (last > after && actor.prng.chance(0.5)) {
        call(cast, actor, 'ackInbox', (flows) => flows.agent.ackInbox(agent, last))
      }
    }
  )
}

/** Looks at one task again. */
function look(cast: Cast, actor: Actor): void {
  const uids = [...actor.tasks]
  if (uids.length > 0) observe(cast, actor, actor.prng.pick(uids))
}

function lookAround(cast: Cast, actor: Actor): void {
  const { agent } = actor.node
  call(cast, actor, 'listTasks', (flows) => flows.agent.listTasks(agent, { limit: 50 }))
  call(cast, actor, 'counters', async (flows) => ({ ok: true, value: await flows.agent.counters(agent) }) as const)
}

/** Reads a task through the agent's door and holds it against what was seen before. */
export function observe(cast: Cast, actor: Actor, uid: string): void {
  call(
    cast,
    actor,
    'getTask',
    (flows) => flows.agent.getTask(actor.node.agent, uid),
    (answer) => {
      if (answer.ok) see(cast, actor, answer.value)
      else if (actor.observed.view(uid) !== undefined) cast.broken(`${actor.node.name} lost task ${uid}`)
    }
  )
}

function see(cast: Cast, actor: Actor, view: TaskView): void {
  if (!maySee(actor.node, view.type))
    cast.broken(`${actor.node.name} shows task ${view.taskUid} of a type it does not have`)
  for (const fault of actor.observed.look(view)) cast.broken(`${actor.node.name} ${fault}`)
}
