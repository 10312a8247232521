/** Two friends of whom one has a task type that the other never heard of, and the short words for what then happens. */
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { type Node, type World, friends, good, refusalOf } from './pair.js'

export const QUOTE_FILE = readFileSync('protocols/types/quote.request@1.json', 'utf8')
export const QUOTE_HASH = 'd46800320af04abbc9676c97423bd155d625ab83ced83ec5491c0cf7ae11dc62'
export const PLAN = { item: 'Oak table', quantity: 3, unit: 'piece' }

export type Question = Extract<OwnerApprovalView, { readonly kind: 'type' }>
export interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

export function changed(more: object): string {
  return canonicalText({ ...(JSON.parse(QUOTE_FILE) as JsonObject), ...more } as Json)
}

/** Alice has the type and may tell all of it; Bob has never heard of it. */
export async function stage(): Promise<Stage> {
  const at = await friends()
  await install(at, at.alice, QUOTE_FILE)
  return at
}

export async function install({ world }: Pick<Stage, 'world'>, node: Node, file: string): Promise<string> {
  const { hash } = good(await world.do(node.flows.owner.installType({ file })))
  for (const capability of ['disclose.x.purchasing', 'disclose.*']) {
    good(await world.do(node.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' })))
  }
  return hash
}

export async function invite(
  at: Stage,
  more: { type?: string; hours?: number; proposal?: JsonObject } = {}
): Promise<string> {
  const { world, alice, bob } = at
  const { type = 'quote.request', hours = 48, proposal = PLAN } = more
  const command = { type, participant: bob.agent, proposal, expiresInHours: hours }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  await world.rest()
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task.taskUid
}

export async function questions({ world }: Stage, node: Node, status = 'pending'): Promise<readonly Question[]> {
  const { items } = good(await world.do(node.flows.owner.approvals({ limit: 50, status })))
  return items.filter((one): one is Question => one.kind === 'type')
}

export async function question(at: Stage): Promise<Question> {
  const [one, ...more] = await questions(at, at.bob)
  if (one === undefined || more.length > 0) throw new Error(`${more.length} questions too many, or none`)
  return one
}

export async function answer(at: Stage, decision: 'approve' | 'deny', node = at.bob): Promise<OwnerApprovalView> {
  const { approvalId } = await question({ ...at, bob: node })
  const done = good(await at.world.do(node.flows.owner.answerApproval(approvalId, { decision, scope: 'once' })))
  await at.world.rest()
  return done
}

export async function read({ world }: Stage, node: Node, uid: string): Promise<TaskView> {
  return good(await world.do(node.flows.agent.getTask(node.agent, uid)))
}

export async function ending(at: Stage, uid: string, node = at.alice): Promise<string> {
  const { status, statusReason } = await read(at, node, uid)
  return statusReason === undefined ? status : `${status} ${statusReason}`
}

/** That for Bob's agent there is nothing: no task, no item, no badge, no approval. */
export async function unknownToAgent(at: Stage, uid: string): Promise<void> {
  const { world, bob } = at
  const { agent } = bob.flows
  expect(refusalOf(await world.do(agent.getTask(bob.agent, uid)))).to.equal('not_found taskUid')
  expect(refusalOf(await world.do(agent.propose(bob.agent, uid, { proposal: PLAN })))).to.equal('not_found taskUid')
  expect(refusalOf(await world.do(agent.cancel(bob.agent, uid, {})))).to.equal('not_found taskUid')
  expect(good(await world.do(agent.listTasks(bob.agent, { limit: 50 }))).items).to.deep.equal([])
  const { items } = good(await world.do(agent.inbox(bob.agent, { after: 0, waitSeconds: 0, limit: 50 })))
  expect(items.filter((item) => item.kind.startsWith('task.') || item.kind.startsWith('approval.'))).to.deep.equal([])
  expect(await world.do(agent.counters(bob.agent))).to.include({ tasksWaitingForMe: 0, approvalsPending: 0 })
}
