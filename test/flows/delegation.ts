import type { AgentId } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { EnvelopeCommand } from '../../src/flows/envelope-commands.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import { type Node, type World, good } from './pair.js'

/** Delegated tasks in tests of the flows: a sound contract with its proof, and agents that act, each at its node. */

/** A whole contract; each test bends what it needs. */
export const CONTRACT = {
  objective: 'Make the test pass',
  outputFormat: 'A changed file',
  toolAndSourceGuidance: 'Only the folder',
  boundaries: 'Touch nothing else',
  filesAndInterfaces: ['src/parser'],
  acceptanceCheck: { passFailCommand: 'node test.js', endToEndVerification: 'Run it on the sample' },
  contextID: 'repo-1'
}
export const EVIDENCE = {
  command: 'node test.js',
  exitStatus: 0,
  output: { tail: 'ok\n', bytes: 3, sha256: 'a'.repeat(64) },
  durationMs: 12,
  endToEnd: { passed: true },
  verdictSource: 'script'
}
export const ARTIFACT = {
  name: 'parser',
  location: 'src/parser/a.js',
  mediaType: 'text/plain',
  size: 3,
  sha256: 'b'.repeat(64)
}

/** An agent at its node; two may sit at one. */
export interface Seat {
  readonly node: Node
  readonly agent: AgentId
}

/** A delegation of `taskId` to a contact; `more` bends the contract. */
export function submitTo(recipient: string, taskId: string, more: JsonObject = {}): EnvelopeCommand {
  return { do: 'submit', recipient, taskId, envelope: { ...CONTRACT, ...more } as unknown as JsonObject }
}

/** What an agent asks for, answered at once, and what follows from it at everybody. */
export async function act(world: World, { node, agent }: Seat, command: EnvelopeCommand): Promise<EnvelopeView> {
  const { answer } = good(await world.do(node.flows.agent.envelope(agent, command)))
  if (answer.status === 'pending_approval') throw new Error('it waits for the owner')
  await world.rest()
  return answer.envelope
}

/** The recipient records that the work is done and proved. */
export async function prove(world: World, { node, agent }: Seat, taskId: string): Promise<void> {
  good(await world.do(node.flows.agent.stageArtifacts(agent, taskId, [ARTIFACT])))
  good(await world.do(node.flows.agent.stageEvidence(agent, taskId, EVIDENCE)))
}

export async function seen(world: World, { node, agent }: Seat, taskId: string): Promise<EnvelopeView> {
  return good(await world.do(node.flows.agent.getEnvelope(agent, taskId)))
}

/** Lets an agent of a node send text of delegated work to every contact. */
export async function mayDelegate(world: World, node: Node, agent = 'default'): Promise<void> {
  for (const capability of ['delegate.submit', 'delegate.report']) {
    good(await world.do(node.flows.owner.setGrant({ agent, contact: '*', capability, effect: 'allow' })))
  }
}
