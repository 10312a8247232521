/** What the simulated agents and owners of a world share, and how their calls are watched. */
import type { AgentId } from '../../src/base/ids.js'
import { REFUSAL_CODES, type Refusal } from '../../src/base/refusal.js'
import type { Result } from '../../src/base/result.js'
import type { Answered, Once } from '../../src/flows/doors.js'
import type { Flows } from '../../src/flows/flows.js'
import type { WriteAnswer } from '../../src/flows/views/tasks.js'
import { StoreFailure } from '../../src/store/failure.js'
import type { AuditWatch } from './audit.js'
import type { SimNode } from './node.js'
import { Delegations } from './delegations.js'
import { Observed } from './observed.js'
import { type Deeds, createDeeds } from './deeds.js'
import { type Plan, type Plans, Rules } from './plans.js'
import type { Prng } from './prng.js'
import type { Trace } from './trace.js'
import type { Traffic } from './traffic.js'

/** A person at a node: its owner and its agent, with what they know and wait for. */
export interface Actor {
  readonly node: SimNode
  readonly rules: Rules
  readonly observed: Observed
  readonly delegations: Delegations
  readonly prng: Prng
  /** Tasks that the agent has heard of. */
  readonly tasks: Set<string>
  /** Calls without an answer. Changes of the rules wait until there are none, so that it is known what was allowed. */
  calls: number
  /** The rules may have changed without our knowing: a crash cut the answer off. */
  unsure: boolean
  /** Last cursor of the inbox that was read. */
  cursor: number
  readonly deeds: Deeds
  /** Calls to repeat under their idempotency key. */
  readonly repeats: Array<() => void>
  /** Plans to send again as new requests. */
  readonly insists: Array<
    Writing & { readonly plan: Plan; readonly make: (flows: Flows, once?: Once) => Promise<Write> }
  >
}

export type Write = Result<Answered<WriteAnswer>>

/** A write of an agent, with the plan that it discloses. */
export interface Writing {
  readonly name: string
  readonly body: unknown
  readonly plan?: Plan
}

export interface Cast {
  readonly actors: readonly Actor[]
  /** The second agents of nodes that have one; they only delegate. */
  readonly neighbours: readonly Actor[]
  readonly plans: Plans
  readonly traffic: Traffic
  readonly audit: AuditWatch
  readonly trace: Trace
  readonly broken: (what: string) => void
  /** What the answers were, by call and outcome. */
  readonly outcomes: Map<string, number>
}

export function createActor(node: SimNode, prng: Prng): Actor {
  return {
    node,
    rules: new Rules(),
    observed: new Observed(),
    delegations: new Delegations(),
    prng,
    tasks: new Set(),
    calls: 0,
    unsure: false,
    cursor: 0,
    deeds: createDeeds(),
    repeats: [],
    insists: []
  }
}

/** Whoever is the agent `id`. */
export function actorOf(cast: Cast, id: string): Actor | undefined {
  return [...cast.actors, ...cast.neighbours].find((actor) => actor.node.agent === id)
}

/** Calls that disclose nothing and change no rule: a long poll must not keep an owner from changing theirs. */
const READS: ReadonlySet<string> = new Set([
  'inbox',
  'ackInbox',
  'getTask',
  'getEnvelope',
  'listTasks',
  'counters',
  'approvals'
])

/**
 * Makes a call on a running node. `then` gets the answer, unless the node crashed meanwhile. A refusal outside the closed
 * list, and a throw that is not the disk's, must not happen.
 */
export function call<T>(
  cast: Cast,
  actor: Actor,
  name: string,
  make: (flows: Flows) => Promise<Result<T>>,
  then: (answer: Result<T>) => void = () => undefined
): void {
  const { node } = actor
  const { flows, incarnation } = node
  if (flows === undefined) return
  const weight = READS.has(name) ? 0 : 1
  actor.calls += weight
  cast.trace.line(`${node.name} calls ${name}`)
  cast.audit.called(node)
  const over = (): boolean => {
    if (node.incarnation !== incarnation) return true
    actor.calls -= weight
    return false
  }
  make(flows).then(
    (answer) => {
      if (over()) return
      cast.audit.answered(node, answer.ok ? undefined : answer.refusal)
      count(cast, `${name} ${answer.ok ? 'ok' : reasonOf(answer.refusal)}`)
      cast.trace.line(`${node.name} ${name} -> ${JSON.stringify(answer)}`)
      if (!answer.ok) checkRefusal(cast, name, answer.refusal)
      then(answer)
    },
    (error: unknown) => {
      if (over()) return
      count(cast, `${name} threw`)
      cast.trace.line(`${node.name} ${name} threw ${String(error)}`)
      if (!(error instanceof StoreFailure)) cast.broken(`${name} threw ${stackOf(error)}`)
    }
  )
}

function checkRefusal(cast: Cast, name: string, refused: Refusal): void {
  if (!REFUSAL_CODES.includes(refused.code) || refused.code === 'internal') {
    cast.broken(`${name} was refused with ${refused.code}: ${refused.message}`)
  }
}

function reasonOf(refused: Refusal): string {
  return refused.details.code ?? refused.code
}

function count(cast: Cast, outcome: string): void {
  cast.outcomes.set(outcome, (cast.outcomes.get(outcome) ?? 0) + 1)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A contact of this actor, active as far as its node knows now. */
export function pickContact(actor: Actor, cast: Cast): AgentId | undefined {
  const { node, prng } = actor
  const others = cast.actors.filter((other) => other !== actor).map((other) => other.node.agent)
  const active = others.filter((peer) => node.store?.get('contacts', `${node.agent}/${peer}`)?.state === 'active')
  // Mostly who would answer, sometimes anybody: refusals are part of the job.
  const from = active.length > 0 && prng.chance(0.95) ? active : others
  return from.length === 0 ? undefined : prng.pick(from)
}
