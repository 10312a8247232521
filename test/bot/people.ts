/** The people around the bot: the owner who answers, and the contacts who move as honest ones do. */
import type { AgentId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { type Result } from '../../src/base/result.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { Prng } from '../sim/prng.js'
import type { Household } from './household.js'
import { contractOf, evidenceOf, proposalOf } from './plans.js'
import { DENIED, type Peer, RULES } from './rules.js'
import type { Watch } from './watch.js'

const PEERS = ['bob', 'carol'] as const

export function must<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(`refused: ${JSON.stringify(result.refusal)}`)
}

/** Makes everybody contacts of each other, and says the rules. */
export async function settleIn({ home, away }: Household): Promise<void> {
  for (const [name, peer] of [...PEERS.map((one) => ['alice', one] as const), ['other', 'bob'] as const]) {
    const { link } = must(await away.flows.owner.invite({ agent: peer, secret: true }))
    must(await home.flows.owner.addContact({ agent: name, link }))
  }
  const active = async (agent: string): Promise<number> =>
    must(await home.flows.owner.contacts({ agent })).items.filter((one) => one.status === 'active').length
  while ((await active('alice')) < PEERS.length || (await active('other')) < 1) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const grant = (contact: string, capability: string, effect: 'allow' | 'ask' | 'deny') =>
    home.flows.owner.setGrant({ agent: 'alice', contact, capability, effect }).then(must)
  for (const capability of DENIED) await grant('*', capability, 'deny')
  for (const peer of PEERS) {
    for (const [capability, effect] of Object.entries(RULES[peer]))
      await grant(peer === 'bob' ? '@bob' : '@carol', capability, effect)
  }
  must(await home.flows.owner.setLedger({ agent: 'alice', tools: ['git'] }))
  const everything = ['disclose.*', 'disclose.x.asked', 'disclose.x.secret', 'delegate.submit', 'delegate.report']
  for (const agent of PEERS) {
    for (const capability of everything) {
      must(await away.flows.owner.setGrant({ agent, contact: '*', capability, effect: 'allow' }))
    }
  }
}

/** The owner looks at what waits, and answers most of it; every yes is noted before it is given. */
export async function answerSome({ home }: Household, watch: Watch, prng: Prng): Promise<void> {
  const { items } = must(await home.flows.owner.approvals({ limit: 24, status: 'pending' }))
  const answers = items.flatMap((asked) => {
    const said = prng.fraction()
    if (said > 0.85) return []
    const decision = said < 0.6 ? 'approve' : 'deny'
    if (decision === 'approve') watch.allow(asked)
    const answer = (): Promise<unknown> =>
      home.flows.owner.answerApproval(asked.approvalId, { decision, scope: 'once' })
    // Now and then from two windows at once.
    return prng.chance(0.05) ? [answer, answer] : [answer]
  })
  await Promise.all(answers.map((answer) => answer()))
}

export function contentOf(asked: OwnerApprovalView): JsonObject {
  switch (asked.kind) {
    case 'disclosure':
      return asked.proposal
    case 'action':
      return asked.params
    case 'envelope':
      return asked.content
    case 'type':
      return asked.inspection.definition
    case 'payment':
      return asked.terms
    case 'delivery':
      return asked.content
  }
}

/** One move of a contact. */
export async function movePeer(house: Household, prng: Prng): Promise<void> {
  const name: Peer = prng.pick(PEERS)
  const agent = house.away.agents[name] as AgentId
  const moves = [answerTask, answerTask, answerTask, openTask, delegate, work, work]
  await prng.pick(moves)(house, agent, prng)
}

type Move = (house: Household, agent: AgentId, prng: Prng) => Promise<unknown>

const answerTask: Move = async ({ away, types }, agent, prng) => {
  const door = away.flows.agent
  const { items } = must(await door.listTasks(agent, { limit: 6 }))
  const waiting = items.filter(isMine)
  if (waiting.length === 0) return
  const { taskUid, proposals, type } = prng.pick(waiting)
  const pending = proposals.at(-1)?.proposalId ?? ''
  const said = prng.fraction()
  if (said < 0.6) return door.respond(agent, taskUid, { proposalId: pending, decision: 'accept' })
  if (said < 0.7) return door.respond(agent, taskUid, { proposalId: pending, decision: 'reject' })
  if (said < 0.75) return door.cancel(agent, taskUid, {})
  const known = types.find((one) => one.hash === type.hash)
  if (known !== undefined) return door.propose(agent, taskUid, { proposal: proposalOf(known, prng) })
}

function isMine({ status, proposals }: TaskView): boolean {
  const last = proposals.at(-1)
  return (status === 'open' || status === 'negotiating') && last?.by === 'peer' && last.status === 'pending'
}

const openTask: Move = ({ away, types }, agent, prng) => {
  const type = prng.pick(types)
  const command = { type: type.hash, participant: '@alice', proposal: proposalOf(type, prng) }
  return away.flows.agent.createTask(agent, command)
}

const delegate: Move = ({ away }, agent, prng) =>
  away.flows.agent.envelope(agent, { do: 'submit', recipient: '@alice', envelope: contractOf(prng, []) })

const work: Move = async ({ away }, agent, prng) => {
  const door = away.flows.agent
  const { items } = must(await door.listEnvelopes(agent, { limit: 6 }))
  const mine = items.filter((one) => one.role === 'recipient')
  if (mine.length === 0) return
  const { taskId, state } = prng.pick(mine)
  if (state === 'submitted') return door.envelope(agent, { do: 'claim', taskId })
  if (state !== 'working') return door.envelope(agent, { do: 'status', taskId, state: 'working' })
  if (prng.chance(0.5)) {
    return door.envelope(agent, { do: 'status', taskId, state: 'input_required', code: 'needs_decision' })
  }
  await door.stageEvidence(agent, taskId, { ...evidenceOf('node test.js', prng), exitStatus: 0 })
  return door.envelope(agent, { do: 'complete', taskId })
}
