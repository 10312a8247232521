import type { AgentId } from '../base/ids.js'
import { badRequest, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { markStale } from '../policy/approval.js'
import { parseHandle } from '../wire/card.js'
import type { AgentBook } from './agents.js'
import type { AskBook } from './ask-book.js'
import { record as audit } from './audit.js'
import type { OwnerDoor } from './doors.js'
import { agentKey } from './keys.js'
import type { AgentPlaces, Clock } from './ports.js'
import type { AgentRecord } from './records/contacts.js'
import type { Steps } from './steps.js'
import type { AgentView } from './views/contacts.js'

/**
 * Agents come and go while the node runs (protocols/socket-api.md, "Agents of a node"). Each call may be made again after a
 * crash: a key that is there is used, and what was revoked is put away at the next start.
 */
export type AgentRoster = Pick<OwnerDoor, 'addAgent' | 'revokeAgent' | 'rotateToken'>

/** The agent that `init` makes; settings and links without a name mean it. */
const DEFAULT = 'default'
/** It is a directory and a file of the home. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,30}$/

export function createAgentRoster(components: {
  readonly steps: Steps
  readonly agents: AgentBook
  readonly asks: AskBook
  readonly places: AgentPlaces
  readonly clock: Clock
  /** Ends every stream of an agent that is hosted no more. */
  readonly silence: (agent: AgentId) => void
}): AgentRoster {
  const { steps, agents, asks, places, clock, silence } = components
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: two calls that make or end the same agent must not cross in the home. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function add(options: Parameters<OwnerDoor['addAgent']>[0]): ReturnType<OwnerDoor['addAgent']> {
    const { name } = options
    if (!NAME.test(name)) {
      return fail(
        badRequest('invalid_field', 'name takes 1 to 31 of a-z, 0-9, _ and -, the first a letter or digit', 'name')
      )
    }
    const handle = options.handle === undefined ? ok(undefined) : parseHandle(options.handle)
    if (!handle.ok) return handle
    const known = await named(name)
    if (known !== undefined) return again(known, handle.value)
    const made = await places.make(name)
    return made.ok ? begin(name, handle.value, made.value) : made
  }

  function again(known: AgentRecord, handle: string | undefined): Awaited<ReturnType<OwnerDoor['addAgent']>> {
    if (handle === undefined || handle === known.handle) return ok({ agent: viewOf(known), created: false })
    const message = `This node has an agent ${known.name} already, and its handle is ${known.handle}.`
    return fail(conflict('agent_exists', message, { field: 'name' }))
  }

  async function begin(
    name: string,
    wished: string | undefined,
    made: { readonly agent: AgentId; readonly tokenHash: string }
  ): ReturnType<OwnerDoor['addAgent']> {
    // Says nothing about the person, and two agents hardly ever share it.
    const handle = wished ?? `@agent-${made.agent.slice(-4)}`
    agents.host({ ...made, name, handle })
    await steps.run((tx) => agents.publish(tx, made.agent, clock.now()))
    const opened = await places.open(name, made.agent)
    return opened.ok ? ok({ agent: { agent: made.agent, name, handle }, created: true }) : opened
  }

  async function revoke(ref: string): Promise<Result<AgentView>> {
    const found = await steps.read((tx) => agents.pick(tx, ref))
    if (!found.ok) return found
    const record = found.value
    if (record.name === DEFAULT) {
      const message = 'The agent "default" stays as long as its node. If its token is known to others, rotate it.'
      return fail(conflict('agent_needed', message, { field: 'agent' }))
    }
    // At once, before anything is written: its token opens nothing from here on.
    agents.drop(record.agent)
    places.close(record.agent)
    silence(record.agent)
    await steps.run((tx) => {
      const now = clock.now()
      tx.put('agents', agentKey(record.agent), { ...record, tokenHash: '', revokedAt: now })
      for (const approval of asks.live(tx, record.agent)) asks.settle(tx, markStale(approval))
      audit(tx, { at: now, who: { kind: 'owner' }, what: 'agent.revoked', about: { agent: record.agent } })
    })
    await places.retire(record.name, record.agent)
    return ok(viewOf(record))
  }

  async function rotate(ref: string): Promise<Result<AgentView>> {
    const found = await steps.read((tx) => agents.pick(tx, ref))
    if (!found.ok) return found
    const { agent, name } = found.value
    agents.renew(agent, await places.renewToken(name))
    places.interrupt(agent)
    await steps.run((tx) => agents.publish(tx, agent, clock.now()))
    return ok(viewOf(found.value))
  }

  function named(name: string): Promise<AgentRecord | undefined> {
    return steps.read((tx) => {
      const found = agents.pick(tx, name)
      return found.ok && found.value.name === name ? found.value : undefined
    })
  }

  return {
    addAgent: (options) => inTurn(() => add(options)),
    revokeAgent: (ref) => inTurn(() => revoke(ref)),
    rotateToken: (ref) => inTurn(() => rotate(ref))
  }
}

function viewOf({ agent, name, handle }: AgentRecord): AgentView {
  return { agent, name, handle }
}
