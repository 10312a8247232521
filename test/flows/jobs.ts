/** A hirer and a provider with wallets on one chain, and the short words in which the tests speak of their job. */
import type { JsonObject } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import type { FlowsOptions, Payments } from '../../src/flows/flows.js'
import type { TaskView, WriteAnswer } from '../../src/flows/views/tasks.js'
import { toBase58 } from '../../src/wire/base58.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import { type TestLedger, createLedger } from '../support/ledger.js'
import { type Node, type World, befriend, createWorld, good, openUp } from './pair.js'

export const HIRER: Signer = signerOf(new Uint8Array(32).fill(11))
export const PROVIDER: Signer = signerOf(new Uint8Array(32).fill(12))
export const addressOf = (signer: Signer): string => toBase58(signer.publicKey)
/** 0.25 SOL. */
export const PRICE = 250_000_000n

export function brief(more: JsonObject = {}): JsonObject {
  return {
    brief: 'Draw a logo',
    deliverable: 'One SVG file',
    deadline: '2026-12-24',
    price: '0.25',
    cluster: 'solana:localnet',
    ...more
  }
}

export const ARTIFACT = {
  name: 'logo',
  location: 'logo.svg',
  mediaType: 'image/svg+xml',
  size: 12,
  sha256: 'a'.repeat(64)
}

/** Who hires and who provides. */
export interface Hired {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

export interface JobWorld extends Hired {
  readonly ledger: TestLedger
  readonly payments: { readonly alice: Payments; readonly bob: Payments }
}

interface JobWorldOptions {
  readonly spend?: Partial<Payments['spend']>
  readonly flows?: Partial<FlowsOptions>
  readonly watch?: (call: string, when: 'before' | 'after') => void
  readonly providerAt?: (call: string, when: 'before' | 'after') => void
}

/** Alice hires, Bob provides; both disclose freely, and nothing is granted about money. */
export async function jobWorld(options: JobWorldOptions = {}): Promise<JobWorld> {
  const world = createWorld()
  const ledger = createLedger(world.clock)
  const spend = { perJob: 500_000_000n, perDay: 600_000_000n, ...options.spend }
  const payments = {
    alice: { chain: ledger.chainOf(HIRER, options.watch), spend, pollMs: 2000 },
    bob: { chain: ledger.chainOf(PROVIDER, options.providerAt), spend, pollMs: 2000 }
  }
  const types = builtinTypes()
  const { flows = {} } = options
  const alice = await world.node('alice', { types, flows, payments: payments.alice })
  const bob = await world.node('bob', { types, flows, payments: payments.bob })
  await befriend(world, alice, bob)
  await openUp(world, alice, bob)
  return { world, ledger, alice, bob, payments }
}

export function sent(result: Result<{ readonly answer: WriteAnswer }>): TaskView {
  const { answer } = good(result)
  if (answer.status !== 'sent') throw new Error(`not sent: ${JSON.stringify(answer)}`)
  return answer.task
}

/** A job that both agreed on, at the provider's quote. Answers its uid. */
export async function agreed({ world, alice, bob }: Hired, more: JsonObject = {}): Promise<string> {
  const plan = brief(more)
  const created = await world.do(
    alice.flows.agent.createTask(alice.agent, {
      type: 'job.request',
      participant: bob.agent,
      expiresInHours: 48,
      proposal: plan
    })
  )
  const uid = sent(created).taskUid
  await world.rest()
  sent(await world.do(bob.flows.agent.propose(bob.agent, uid, { proposal: plan })))
  await world.rest()
  const { proposals } = await taskAt({ world }, alice, uid)
  const proposalId = proposals.at(-1)?.proposalId ?? ''
  sent(await world.do(alice.flows.agent.respond(alice.agent, uid, { proposalId, decision: 'accept' })))
  await world.rest()
  return uid
}

export async function taskAt({ world }: Pick<Hired, 'world'>, node: Node, uid: string): Promise<TaskView> {
  return good(await world.do(node.flows.agent.getTask(node.agent, uid)))
}

/** `status detail` as a node tells it. */
export async function standing(at: Pick<Hired, 'world'>, node: Node, uid: string): Promise<string> {
  const { status, job } = await taskAt(at, node, uid)
  return job?.detail === undefined ? status : `${status} ${job.detail}`
}

/** The hirer's agent asks, and its owner says yes. */
export async function pay({ world, alice }: Pick<Hired, 'world' | 'alice'>, uid: string): Promise<void> {
  const { answer } = good(await world.do(alice.flows.agent.pay(alice.agent, uid)))
  if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
  good(await world.do(alice.flows.owner.answerApproval(answer.approvalId, { decision: 'approve', scope: 'once' })))
}
