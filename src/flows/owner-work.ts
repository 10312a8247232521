import type { AgentId, TypeHash } from '../base/ids.js'
import type { Refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { AgentBook } from './agents.js'
import type { ContactBook } from './contact-book.js'
import type { AgentDoor, OwnerDoor } from './doors.js'
import type { EnvelopeSubmit } from './envelope-submit.js'
import type { Store, Tx } from './ports.js'
import type { Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TypeBook } from './type-book.js'
import type { OwnerEnvelopeView, OwnerOwnedView, OwnerTaskView, WithWhom } from './views/owner-work.js'
import type { EnvelopeView } from './views/envelopes.js'
import type { Page } from './views/pages.js'
import type { TaskView } from './views/tasks.js'
import { type Place, newestFirst, pageOf } from './work-order.js'

/** The work of the owner's agents, all together: what is shown of it, and its end when the owner wants one. */
export type OwnerWork = Pick<
  OwnerDoor,
  'tasks' | 'task' | 'cancelTask' | 'envelopes' | 'envelope' | 'cancelEnvelope' | 'owned' | 'capabilities'
>

/** What an agent is shown of its own work. */
type AgentReads = Pick<AgentDoor, 'getTask' | 'getEnvelope' | 'ownedEnvelopes' | 'capabilities'>

/** One of our agents, and the contact that is asked about, where one is. */
interface Whose {
  readonly agent: AgentId
  readonly peer?: AgentId
}

export function createOwnerWork(components: {
  readonly store: Store
  readonly steps: Steps
  readonly agents: AgentBook
  readonly contacts: ContactBook
  readonly types: TypeBook
  readonly reads: AgentReads
  readonly submit: Submit
  readonly envelopeSubmit: EnvelopeSubmit
}): OwnerWork {
  const { store, steps, agents, contacts, types, reads, submit, envelopeSubmit } = components

  function picked(word: string | undefined): Promise<Result<AgentId>> {
    return steps.read((tx) => {
      const found = agents.pick(tx, word)
      return found.ok ? ok(found.value.agent) : found
    })
  }

  /** One agent or all, with what a contact is to each: those to whom it is nobody fall away, unless it is to all. */
  function whose(tx: Pick<Tx, 'get'>, word?: string, contact?: string): Result<readonly Whose[]> {
    const one = word === undefined ? undefined : agents.pick(tx, word)
    if (one?.ok === false) return one
    const all = one === undefined ? agents.all() : [one.value.agent]
    if (contact === undefined) return ok(all.map((agent) => ({ agent })))
    const found = all.map((agent) => ({ agent, record: contacts.resolve(tx, agent, contact) }))
    const known = found.flatMap(({ agent, record }) => (record.ok ? [{ agent, peer: record.value.peer }] : []))
    const [first] = found
    return known.length === 0 && first?.record.ok === false ? fail(asContact(first.record.refusal)) : ok(known)
  }

  async function walk(
    table: 'taskOrder' | 'envelopeOrder',
    { agent, contact, after }: { readonly agent?: string; readonly contact?: string; readonly after?: string }
  ): Promise<Result<{ places: AsyncGenerator<Place>; peerOf: (agent: AgentId) => AgentId | undefined }>> {
    const found = await steps.read((tx) => whose(tx, agent, contact))
    if (!found.ok) return found
    const places = newestFirst(
      store,
      table,
      found.value.map((one) => one.agent),
      after
    )
    if (!places.ok) return places
    const peers = new Map(found.value.map((one) => [one.agent, one.peer]))
    return ok({ places: places.value, peerOf: (of) => peers.get(of) })
  }

  function withWhom(agent: AgentId, participant: string): WithWhom {
    const contact = contacts.find(store, { agent, peer: participant as AgentId })
    return { agent, participantHandle: contact?.alias ?? contact?.handle ?? '' }
  }

  function taskOf(agent: AgentId, view: TaskView): OwnerTaskView {
    const title = types.byHash(store, view.type.hash as TypeHash)?.definition.title
    return { ...view, ...withWhom(agent, view.participant), ...(title === undefined ? {} : { typeTitle: title }) }
  }

  function envelopeOf(agent: AgentId, view: EnvelopeView): OwnerEnvelopeView {
    return { ...view, ...withWhom(agent, view.participant) }
  }

  async function owned(agent: AgentId): Promise<readonly OwnerOwnedView[]> {
    const { items } = await reads.ownedEnvelopes(agent)
    return items.map((one) => ({ ...one, ...withWhom(agent, one.participant) }))
  }

  return {
    async tasks({ limit, status, type, ...which }): Promise<Result<Page<OwnerTaskView>>> {
      const found = await walk('taskOrder', which)
      if (!found.ok) return found
      const { places, peerOf } = found.value
      const page = await pageOf(places, limit, async ({ agent, uid }) => {
        const view = await reads.getTask(agent, uid)
        if (!view.ok || (status ?? view.value.status) !== view.value.status) return undefined
        if ((type ?? view.value.type.name) !== view.value.type.name) return undefined
        return (peerOf(agent) ?? view.value.participant) === view.value.participant
          ? taskOf(agent, view.value)
          : undefined
      })
      return ok(page)
    },
    async task({ agent: word, taskUid }) {
      const agent = await picked(word)
      if (!agent.ok) return agent
      const view = await reads.getTask(agent.value, taskUid)
      return view.ok ? ok(taskOf(agent.value, view.value)) : view
    },
    async cancelTask({ agent: word, taskUid, reason }) {
      const agent = await picked(word)
      if (!agent.ok) return agent
      const why = reason === undefined ? {} : { reason }
      const done = await submit.submit(agent.value, { do: 'cancel', by: 'owner', taskUid, ...why })
      if (!done.ok) return done
      const { answer } = done.value
      if (answer.status !== 'sent') throw new Error('a cancel discloses nothing, and yet it was asked about')
      return ok(taskOf(agent.value, answer.task))
    },
    async envelopes({ limit, state, role, ...which }): Promise<Result<Page<OwnerEnvelopeView>>> {
      const found = await walk('envelopeOrder', which)
      if (!found.ok) return found
      const { places, peerOf } = found.value
      const page = await pageOf(places, limit, async ({ agent, uid }) => {
        const view = await reads.getEnvelope(agent, uid)
        if (!view.ok) return undefined
        const { value } = view
        const wanted = (state ?? value.state) === value.state && (role ?? value.role) === value.role
        return wanted && (peerOf(agent) ?? value.participant) === value.participant
          ? envelopeOf(agent, value)
          : undefined
      })
      return ok(page)
    },
    async envelope({ agent: word, taskId }) {
      const agent = await picked(word)
      if (!agent.ok) return agent
      const view = await reads.getEnvelope(agent.value, taskId)
      return view.ok ? ok(envelopeOf(agent.value, view.value)) : view
    },
    async cancelEnvelope({ agent: word, taskId, code }) {
      const agent = await picked(word)
      if (!agent.ok) return agent
      const why = code === undefined ? {} : { code }
      const done = await envelopeSubmit.submit(agent.value, { do: 'cancel', by: 'owner', taskId, ...why })
      if (!done.ok) return done
      const { answer } = done.value
      if (answer.status === 'pending_approval')
        throw new Error('a cancel discloses nothing, and yet it was asked about')
      return ok({ status: answer.status, envelope: envelopeOf(agent.value, answer.envelope) })
    },
    async owned({ agent: word }) {
      const found = await steps.read((tx) => whose(tx, word))
      if (!found.ok) return found
      const lists = await Promise.all(found.value.map(({ agent }) => owned(agent)))
      return ok({ items: lists.flat() })
    },
    async capabilities({ agent: word, participant }) {
      const agent = await picked(word)
      return agent.ok ? reads.capabilities(agent.value, participant) : agent
    }
  }
}

/** A list names the contact in another member than a call of an agent does. */
function asContact(refused: Refusal): Refusal {
  return { ...refused, details: { ...refused.details, field: 'contact' } }
}
