import type { AgentId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { decide } from '../policy/grants.js'
import { actionsOf } from '../types/actions.js'
import type { Actions } from './actions.js'
import type { Approvals } from './approvals.js'
import { everyCapability } from './capabilities.js'
import { chainOf } from './chain.js'
import type { ContactBook } from './contact-book.js'
import { contactView } from './contacts.js'
import type { AgentDoor } from './doors.js'
import type { EnvelopeDoor } from './envelope-door.js'
import { grantsOfAgent } from './grants.js'
import { deskOf } from './inbox.js'
import type { InboxDoor } from './inbox-door.js'
import type { JobPay } from './job-pay.js'
import type { JobSteps } from './job-steps.js'
import { agentPrefix } from './keys.js'
import type { OfferDoor } from './offer-door.js'
import type { Clock, Store, Tx } from './ports.js'
import type { ContactRecord } from './records/contacts.js'
import type { Steps } from './steps.js'
import type { Submit } from './submit.js'
import type { TaskBook } from './task-book.js'
import { type TaskViews, findVisible } from './task-view.js'
import type { Transcripts } from './transcripts.js'
import type { TypeBook } from './type-book.js'
import type { CapabilityView } from './views/contacts.js'
import type { Counters, Page } from './views/pages.js'
import type { TaskView } from './views/tasks.js'

/** What an agent may do with its token: the writes go through `submit`, the reads are here. */
export function createAgentDoor(components: {
  readonly store: Store
  readonly steps: Steps
  readonly submit: Submit
  readonly actions: Actions
  readonly pay: JobPay
  readonly jobSteps: JobSteps
  readonly book: TaskBook
  readonly views: TaskViews
  readonly contacts: ContactBook
  readonly approvals: Approvals
  readonly envelopes: EnvelopeDoor
  readonly offers: OfferDoor['agent']
  readonly inbox: InboxDoor
  readonly types: TypeBook
  readonly transcripts: Transcripts
  readonly clock: Clock
}): AgentDoor {
  const {
    store,
    steps,
    submit,
    actions,
    pay,
    jobSteps,
    book,
    views,
    contacts,
    approvals,
    envelopes,
    offers,
    inbox,
    types,
    transcripts,
    clock
  } = components

  async function listTasks(
    agent: AgentId,
    options: { readonly limit: number; readonly after?: string; readonly status?: string }
  ): Promise<Result<Page<TaskView>>> {
    const prefix = agentPrefix(agent)
    const items: TaskView[] = []
    // Newest first; `after` is the place in that order, as the last page gave it.
    let before = options.after
    if (before !== undefined && !/^\d{15}\/[0-9a-f]{32}$/.test(before)) {
      return fail(badRequest('invalid_field', 'after must be the `next` of an earlier page', 'after'))
    }
    for (;;) {
      const chunk = await store.range('taskOrder', {
        prefix,
        reverse: true,
        limit: options.limit + 1,
        ...(before === undefined ? {} : { before })
      })
      for (const [key, uid] of chunk) {
        if (items.length === options.limit) return ok({ items, next: before ?? '' })
        before = key.slice(prefix.length)
        const view = await show(agent, uid)
        if (view.ok && (options.status === undefined || view.value.status === options.status)) items.push(view.value)
      }
      if (chunk.length <= options.limit) return ok({ items })
    }
  }

  /** A view that shows an expiry for the first time stores that; any other only reads, and so works on a full disk. */
  async function show(agent: AgentId, taskUid: string): Promise<Result<TaskView>> {
    const seen = await steps.read((tx) => {
      const found = findVisible(tx, book, agent, taskUid)
      if (!found.ok) return found
      const now = clock.now()
      return book.mustLatch(tx, found.value, now) ? undefined : ok(views.task(tx, found.value, now))
    })
    if (seen !== undefined) return seen
    return steps.run((tx) => {
      const found = findVisible(tx, book, agent, taskUid)
      const now = clock.now()
      return found.ok ? ok(views.task(tx, book.latch(tx, found.value, now), now)) : found
    })
  }

  async function allContacts(agent: AgentId): Promise<ContactRecord[]> {
    const found = await store.range('contacts', { prefix: agentPrefix(agent) })
    return found.map(([, record]) => record)
  }

  async function counters(agent: AgentId): Promise<Counters> {
    const known = await allContacts(agent)
    return steps.read((tx) => countersOf(tx, agent, known))
  }

  function countersOf(tx: Pick<Tx, 'get'>, agent: AgentId, known: readonly ContactRecord[]): Counters {
    const desk = deskOf(tx, agent)
    const undelivered = known
      .filter((record) => record.state === 'active')
      .map((record) => chainOf(tx, record))
      .reduce((sum, chain) => sum + chain.out.seq - chain.acked, 0)
    return {
      unread: desk.nextCursor - 1 - desk.ackedCursor,
      tasksWaitingForMe: desk.tasksWaiting + (desk.envelopesAsked ?? 0),
      envelopesQueued: desk.envelopesQueued ?? 0,
      approvalsPending: desk.approvalsPending - (desk.approvalsOfPeers ?? 0),
      undelivered
    }
  }

  function capabilities(agent: AgentId, participant?: string): Promise<Result<Page<CapabilityView>>> {
    return steps.read((tx) => capabilitiesOf(tx, agent, participant))
  }

  function capabilitiesOf(
    tx: Pick<Tx, 'get'>,
    agent: AgentId,
    participant: string | undefined
  ): Result<Page<CapabilityView>> {
    const contact = participant === undefined ? undefined : contacts.resolve(tx, agent, participant)
    if (contact?.ok === false) return contact
    const grants = grantsOfAgent(tx, agent)
    // Without a participant: what holds for a contact of whom nothing special was said.
    const peer = contact?.value.peer ?? ('' as AgentId)
    return ok({
      items: everyCapability(tx, types).map((capability) => {
        const { effect, because } = decide(grants, peer, capability)
        return {
          capability,
          effect,
          because: because === undefined ? 'default' : { contact: because.contact, capability: because.capability }
        }
      })
    })
  }

  return {
    taskTypes: () =>
      steps.read((tx) => ({
        items: types
          .all(tx)
          .filter((type) => !type.retired)
          .map(({ name, version, hash, builtin, definition }) => ({
            name,
            version,
            hash,
            builtin,
            definition: definition as unknown as JsonObject,
            actions: actionsOf(definition).map(
              ({ name, label, params }) => ({ name, label, params }) as unknown as JsonObject
            )
          }))
      })),
    createTask: (agent, command, once) => submit.submit(agent, { do: 'create', ...command }, once),
    propose: (agent, taskUid, command, once) => submit.submit(agent, { do: 'propose', taskUid, ...command }, once),
    respond: (agent, taskUid, command, once) => submit.submit(agent, { do: 'respond', taskUid, ...command }, once),
    cancel: (agent, taskUid, command, once) => submit.submit(agent, { do: 'cancel', taskUid, ...command }, once),
    pay: pay.run,
    deliverJob: jobSteps.deliver,
    completeJob: jobSteps.complete,
    ...envelopes,
    ...offers,
    runAction: actions.run,
    listTasks,
    getTask: show,
    transcript: transcripts.of,
    envelopeTranscript: transcripts.ofEnvelope,
    inbox: inbox.inbox,
    ackInbox: inbox.ackInbox,
    counters,
    async contacts(agent) {
      const known = (await allContacts(agent)).filter((record) => record.state !== 'blocked')
      return steps.read((tx) => ({ items: known.map((record) => contactView(tx, record)) }))
    },
    capabilities,
    approvals: approvals.openOf,
    approval: approvals.forAgent
  }
}
