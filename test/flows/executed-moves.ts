/** What an agent, its owner and a contact do at random on their shared tasks; every move is one call, or a look and a call. */
import type { AgentId } from '../../src/base/ids.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import { canonicalText } from '../../src/base/canonical.js'
import type { ApprovalView } from '../../src/flows/views/approvals.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { Prng } from '../sim/prng.js'
import type { Effect, Judge, Rules } from './executed-judge.js'
import type { Node } from './pair.js'

/** One contact of the agent, and what the two of them have going on. */
export interface Lane {
  readonly alice: Node
  readonly bob: Node
  /** The agent of bob's node that is the contact. */
  readonly peer: AgentId
  readonly rules: Rules
  readonly judge: Judge
  readonly prng: Prng
  /** Ids that this episode is about, and the last call of the agent, to make it again. */
  readonly tasks: string[]
  readonly envelopes: string[]
  again: (() => Promise<unknown>) | undefined
}

const CAPABILITIES = [
  'disclose.availability',
  'disclose.preferences',
  'disclose.notes',
  'action.reservation.book',
  'action.calendar.hold',
  'delegate.submit',
  'delegate.report'
]
const WORDS = ['plain', 'é“x”', '\\"q\\"', '😀 ok', 'a/b <c>', '日本', '1e3']

type Move = (lane: Lane) => Promise<unknown>

export const AGENT_MOVES: readonly Move[] = [
  create,
  propose,
  propose,
  respond,
  act,
  act,
  act,
  submit,
  report,
  report,
  cancel,
  again,
  again
]
export const OWNER_MOVES: readonly Move[] = [answer, answer, answer, answerTwice, setRule]
export const PEER_MOVES: readonly Move[] = [
  peerAnswers,
  peerAnswers,
  peerProposes,
  peerCreates,
  peerDelegates,
  peerCancels,
  peerSendsType
]

// ---- the agent ----

function plan(prng: Prng): JsonObject {
  const seldom = (more: JsonObject): JsonObject => (prng.chance(0.4) ? more : {})
  return {
    date: `2026-11-${prng.whole(10, 28)}`,
    time: `1${prng.whole(0, 9)}:30`,
    timezone: 'America/Toronto',
    partySize: prng.whole(1, 20),
    ...seldom({ cuisine: prng.pick(WORDS) }),
    ...seldom({ notes: `${prng.pick(WORDS)} ${prng.whole(1, 9)}` })
  }
}

/** Makes a call, and remembers it for another time. */
function say<T>(lane: Lane, call: () => Promise<T>): Promise<T> {
  lane.again = call
  return call()
}

async function create(lane: Lane): Promise<void> {
  const { alice, prng, peer } = lane
  const command = {
    type: 'dinner.coordination',
    participant: peer,
    proposal: plan(prng),
    expiresInHours: prng.pick([1, 72])
  }
  const made = await say(lane, () => alice.flows.agent.createTask(alice.agent, command))
  if (made.ok)
    lane.tasks.push(made.value.answer.status === 'sent' ? made.value.answer.task.taskUid : made.value.answer.taskUid)
}

async function propose(lane: Lane): Promise<void> {
  const uid = lane.tasks.at(-1)
  if (uid === undefined) return create(lane)
  const proposal = plan(lane.prng)
  await say(lane, () => lane.alice.flows.agent.propose(lane.alice.agent, uid, { proposal }))
}

async function respond({ alice, tasks, prng }: Lane): Promise<void> {
  const found = await alice.flows.agent.getTask(alice.agent, tasks.at(-1) ?? '')
  if (found.ok) await accept(alice, alice.agent, found.value, prng.chance(0.8) ? 'accept' : 'reject')
}

async function act(lane: Lane): Promise<void> {
  const { alice, prng, tasks, judge } = lane
  const asked = judge.open().filter(({ subject }) => subject.kind === 'action')
  const known = asked.length > 0 && prng.chance(0.7) ? prng.pick(asked) : undefined
  const fresh = {
    taskUid: tasks.at(-1) ?? '',
    action: prng.pick(['reservation.book', 'calendar.hold']),
    params: params(prng)
  }
  const bound =
    known?.subject.kind === 'action'
      ? { action: known.subject.action, params: JSON.parse(known.payload) as JsonObject }
      : {}
  const bent = prng.chance(0.2) ? { params: params(prng) } : {}
  const named = known === undefined || prng.chance(0.1) ? {} : { approvalId: known.id }
  const place = known?.taskUid === undefined ? {} : { taskUid: known.taskUid }
  await say(lane, () => alice.flows.agent.runAction(alice.agent, { ...fresh, ...place, ...bound, ...bent, ...named }))
}

function params(prng: Prng): JsonObject {
  return prng.chance(0.5) ? {} : { venueName: prng.pick(WORDS) }
}

async function submit(lane: Lane): Promise<void> {
  const { alice, prng, peer } = lane
  const envelope = contract(prng)
  const taskId = prng.chance(0.5) ? { taskId: `t${prng.whole(1, 1e9)}` } : {}
  const command = { do: 'submit', recipient: peer, envelope, ...taskId } as const
  await say(lane, () => alice.flows.agent.envelope(alice.agent, command))
}

async function report(lane: Lane): Promise<void> {
  const { alice, prng, envelopes } = lane
  const taskId = envelopes.at(-1)
  if (taskId === undefined) return submit(lane)
  const reason = { reason: prng.pick(WORDS) }
  const doors = alice.flows.agent
  const found = await doors.getEnvelope(alice.agent, taskId)
  if (found.ok && found.value.state === 'submitted') {
    await doors.envelope(alice.agent, { do: 'claim', taskId })
  }
  if (prng.chance(0.5)) {
    const state = { state: 'input_required', code: 'needs_decision' } as const
    return void (await say(lane, () => doors.envelope(alice.agent, { do: 'status', taskId, ...state, ...reason })))
  }
  await doors.stageEvidence(alice.agent, taskId, evidence(prng))
  await say(lane, () => doors.envelope(alice.agent, { do: 'complete', taskId }))
}

async function cancel({ alice, tasks, prng }: Lane): Promise<void> {
  if (prng.chance(0.4)) await alice.flows.agent.cancel(alice.agent, tasks.at(-1) ?? '', {})
}

async function again(lane: Lane): Promise<void> {
  await lane.again?.()
}

function contract(prng: Prng): JsonObject {
  const word = prng.pick(WORDS)
  return {
    objective: word,
    outputFormat: word,
    toolAndSourceGuidance: word,
    boundaries: word,
    filesAndInterfaces: [`src/p${prng.whole(1, 1e6)}`],
    acceptanceCheck: { passFailCommand: 'node test.js', endToEndVerification: word },
    contextID: `c${prng.whole(1, 1e6)}`
  }
}

function evidence(prng: Prng): JsonObject {
  const output = { tail: prng.pick(WORDS), bytes: 3, sha256: 'a'.repeat(64) }
  const endToEnd = { passed: true } as Json
  return { command: 'node test.js', exitStatus: 0, output, durationMs: 1, endToEnd, verdictSource: 'script' }
}

// ---- the owner ----

async function answer(
  lane: Lane,
  decision = lane.prng.chance(0.7) ? ('approve' as const) : ('deny' as const)
): Promise<void> {
  const { alice, prng, judge } = lane
  const asked = judge.open().filter((one) => one.decision === undefined)
  if (asked.length === 0) return
  const { id, subject } = prng.pick(asked)
  const seen = await alice.flows.owner.approval(id)
  if (!seen.ok) return
  if (decision === 'approve') judge.yes(seen.value)
  const scope = subject.kind !== 'type' && prng.chance(0.08) ? 'contact' : 'once'
  // A yes for good is a rule from the moment on at which it is given.
  if (decision === 'approve' && scope === 'contact') allowAll(lane, seen.value)
  await alice.flows.owner.answerApproval(id, { decision, scope })
}

/** Whether the answer came in time is seen afterwards; until then both may hold. */
function allowAll({ rules }: Lane, { capabilities }: ApprovalView): void {
  for (const capability of capabilities) rules.set(capability, 'allow')
}

async function answerTwice(lane: Lane): Promise<void> {
  await Promise.all([answer(lane, 'approve'), answer(lane, 'deny')])
}

async function setRule({ alice, peer, prng, rules }: Lane): Promise<void> {
  const capability = prng.pick(CAPABILITIES)
  const effect: Effect = prng.pick(['ask', 'ask', 'deny', 'allow'] as const)
  rules.set(capability, effect)
  await alice.flows.owner.setGrant({ contact: peer, capability, effect })
}

// ---- the contact ----

async function peerTask({ bob, peer, tasks }: Lane): Promise<TaskView | undefined> {
  const found = await bob.flows.agent.getTask(peer, tasks.at(-1) ?? '')
  return found.ok ? found.value : undefined
}

async function peerAnswers(lane: Lane): Promise<void> {
  const task = await peerTask(lane)
  if (task !== undefined) await accept(lane.bob, lane.peer, task, lane.prng.chance(0.85) ? 'accept' : 'reject')
}

async function peerProposes(lane: Lane): Promise<void> {
  const uid = lane.tasks.at(-1)
  if (uid !== undefined) await lane.bob.flows.agent.propose(lane.peer, uid, { proposal: plan(lane.prng) })
}

async function peerCreates({ bob, peer, alice, prng, tasks }: Lane): Promise<void> {
  const command = { type: 'dinner.coordination', participant: alice.agent, proposal: plan(prng) }
  const made = await bob.flows.agent.createTask(peer, command)
  if (made.ok && made.value.answer.status === 'sent') tasks.push(made.value.answer.task.taskUid)
}

async function peerDelegates({ bob, peer, alice, prng, envelopes }: Lane): Promise<void> {
  const command = { do: 'submit', recipient: alice.agent, envelope: contract(prng) } as const
  const made = await bob.flows.agent.envelope(peer, command)
  if (made.ok && made.value.answer.status !== 'pending_approval') envelopes.push(idOf(made.value.answer.envelope))
}

function idOf({ taskId }: EnvelopeView): string {
  return taskId
}

async function peerCancels({ bob, peer, tasks, envelopes, prng }: Lane): Promise<void> {
  if (prng.chance(0.3)) await bob.flows.agent.cancel(peer, tasks.at(-1) ?? '', {})
  if (prng.chance(0.3)) await bob.flows.agent.envelope(peer, { do: 'cancel', taskId: envelopes.at(-1) ?? 'none' })
}

/** An invite of a type that alice's node has never seen. */
async function peerSendsType({ bob, peer, alice, prng }: Lane): Promise<void> {
  if (prng.chance(0.5)) return
  const name = `made.up${prng.whole(1, 1e9)}`
  const fields = [{ name: 'item', kind: 'text', label: prng.pick(['Item', 'é“x”']), maxLength: prng.whole(1, 400) }]
  const file = canonicalText({ format: 'ttd1', name, version: prng.whole(1, 9), title: 'Made up', fields })
  const installed = await bob.flows.owner.installType({ file })
  if (!installed.ok) return
  await bob.flows.agent.createTask(peer, {
    type: installed.value.hash,
    participant: alice.agent,
    proposal: { item: 'x' }
  })
}

async function accept(node: Node, agent: AgentId, task: TaskView, decision: 'accept' | 'reject'): Promise<void> {
  const last = task.proposals.at(-1)
  if (last?.by === 'peer')
    await node.flows.agent.respond(agent, task.taskUid, { proposalId: last.proposalId, decision })
}
