import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import type { Node, World } from './pair.js'
import { befriend, friends, good } from './pair.js'

/** protocols/vectors/crossings.json: what crosses, on two production nodes (protocols/policy.md, "Vectors"). */

type Name = 'a' | 'b'

interface Step {
  readonly node?: Name
  readonly do: string
  readonly answer?: string
  readonly proposal?: JsonObject
  readonly expiresInHours?: number
  readonly approval?: true
  readonly capability?: string
  readonly effect?: 'allow' | 'ask' | 'deny'
  readonly ms?: number
}

interface End {
  readonly status: string
  readonly confirms: number
  readonly proposals?: number
  readonly approval?: string
  readonly contact?: string
}

type Case = { readonly name: string; readonly rule: string; readonly steps: readonly Step[] } & Readonly<
  Record<Name, End>
>

const { cases } = JSON.parse(
  readFileSync(new URL('../../protocols/vectors/crossings.json', import.meta.url), 'utf8')
) as { cases: Case[] }

/** Longer than any pause between two attempts to reach a node. */
const QUIET_MS = 150_000

interface Stage {
  readonly world: World
  readonly nodes: Readonly<Record<Name, Node>>
  taskUid: string
  approvalId: string
}

/** What an answer says in one word: its status, or the innermost code of its refusal. */
function wordOf(outcome: Result<unknown>): string | undefined {
  if (!outcome.ok) return outcome.refusal.details.code ?? outcome.refusal.code
  const said = outcome.value as { readonly answer?: { readonly status: string }; readonly status?: string }
  return said.answer?.status ?? said.status
}

function call(at: Stage, node: Node, step: Step): Promise<Result<unknown>> {
  const { agent: door, owner } = node.flows
  const other = node === at.nodes.a ? at.nodes.b : at.nodes.a
  const { proposal = {} } = step
  switch (step.do) {
    case 'create': {
      const hours = step.expiresInHours === undefined ? {} : { expiresInHours: step.expiresInHours }
      return door.createTask(node.agent, { type: 'dinner.coordination', participant: other.agent, proposal, ...hours })
    }
    case 'propose':
      return door.propose(node.agent, at.taskUid, { proposal })
    case 'accept':
      return accept(at, node)
    case 'cancel':
      return door.cancel(node.agent, at.taskUid, {})
    case 'act': {
      const named = step.approval === undefined ? {} : { approvalId: at.approvalId }
      return door.runAction(node.agent, { taskUid: at.taskUid, action: 'reservation.book', ...named })
    }
    case 'yes':
    case 'no':
      return owner.answerApproval(at.approvalId, { decision: step.do === 'yes' ? 'approve' : 'deny', scope: 'once' })
    case 'grant':
      return owner.setGrant({ contact: other.agent, capability: step.capability ?? '', effect: step.effect ?? 'ask' })
    case 'remove':
    case 'block':
      return owner.changeContact({ contact: other.agent, action: step.do })
    default:
      throw new Error(`no step ${step.do}`)
  }
}

/** Accepts the latest proposal. */
async function accept({ taskUid }: Stage, { flows, agent }: Node): Promise<Result<unknown>> {
  const { proposals } = good(await flows.agent.getTask(agent, taskUid))
  const proposalId = proposals.at(-1)?.proposalId ?? ''
  return flows.agent.respond(agent, taskUid, { proposalId, decision: 'accept' })
}

async function play(at: Stage, step: Step): Promise<void> {
  const { world, nodes } = at
  switch (step.do) {
    case 'part':
    case 'meet':
      world.wires.setReachable(nodes.a.peerId, step.do === 'meet')
      return world.rest(step.do === 'meet' ? QUIET_MS : 0)
    case 'wait':
      return world.rest(step.ms)
    case 'befriend':
      await befriend(world, nodes.a, nodes.b)
      return world.rest(QUIET_MS)
    default:
  }
  const outcome = await world.do(call(at, nodes[step.node ?? 'a'], step))
  if (step.answer !== undefined) expect(wordOf(outcome), JSON.stringify(step)).to.equal(step.answer)
  else good(outcome)
  note(at, outcome)
  await world.rest()
}

/** The task and the question that the next steps are about. */
function note(at: Stage, outcome: Result<unknown>): void {
  if (!outcome.ok) return
  const { answer } = outcome.value as { answer?: { approvalId?: string; taskUid?: string; task?: { taskUid: string } } }
  at.taskUid = answer?.task?.taskUid ?? answer?.taskUid ?? at.taskUid
  at.approvalId = answer?.approvalId ?? at.approvalId
}

async function endAt(at: Stage, name: Name, asked: End): Promise<End> {
  const { world, nodes, taskUid, approvalId } = at
  const node = nodes[name]
  const other = name === 'a' ? nodes.b : nodes.a
  const task = good(await world.do(node.flows.agent.getTask(node.agent, taskUid)))
  const found = {
    status: task.status,
    confirms: task.confirms?.length ?? 0,
    proposals: task.proposals.length,
    contact: node.store.get('contacts', `${node.agent}/${other.agent}`)?.state ?? 'none',
    approval: asked.approval === undefined ? '' : good(await world.do(node.flows.owner.approval(approvalId))).status
  }
  return Object.fromEntries(Object.entries(found).filter(([member]) => member in asked)) as unknown as End
}

describe('what crosses', () => {
  for (const { name, rule, steps, ...ends } of cases) {
    it(`ends as the rule says: ${name} (${rule})`, async () => {
      const { world, alice, bob } = await friends()
      const at: Stage = { world, nodes: { a: alice, b: bob }, taskUid: '', approvalId: '' }
      for (const step of steps) await play(at, step)
      for (const one of ['a', 'b'] as const) expect(await endAt(at, one, ends[one]), one).to.deep.equal(ends[one])
    })
  }
})
