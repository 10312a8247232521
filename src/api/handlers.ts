import type { JsonObject } from '../base/json.js'
import { type Result, ok } from '../base/result.js'
import type { AgentDoor, Answered, NodeStatus, OwnerDoor } from '../flows/doors.js'
import type { ContactView } from '../flows/views/contacts.js'
import type { EnvelopeWritten } from '../flows/views/envelopes.js'
import type { Page } from '../flows/views/pages.js'
import type { WriteAnswer } from '../flows/views/tasks.js'
import type { AnswerOf } from './contract.js'
import type { LoginLinks } from './dashboard/login-links.js'
import type { SettingsView } from './shapes/settings.js'
import { type Handler, type Reply, done, reply, shown } from './handler.js'
import { openApiDocument } from './openapi.js'
import { type AtOwnerWork, ownerWorkHandlers } from './owner-work-handlers.js'
import type { Auth, RoutesFor } from './routes.js'

/** From a checked call to a door and back: one line a route, no rules of their own. */

/** What the handlers stand on. */
export interface Doors {
  readonly agent: AgentDoor
  readonly owner: OwnerDoor
  readonly status: () => NodeStatus | Promise<NodeStatus>
  readonly settings: () => SettingsView
}

export type Handlers = { readonly [K in RoutesFor<Auth>]: Handler<K> }

/** One handler for each route that answers JSON; a missing one doesn't compile. */
export function createHandlers(doors: Doors, links: LoginLinks): Handlers {
  return {
    ...agentHandlers(doors.agent),
    ...ownerHandlers(doors.owner),
    ...ownerWorkHandlers(doors.owner),
    ...nodeHandlers(doors, links)
  }
}

function agentHandlers(door: AgentDoor): { readonly [K in RoutesFor<'agent'>]: Handler<K> } {
  return {
    'taskTypes.list': async ({ agent }) => done(await door.taskTypes(agent)),
    'tasks.create': async ({ agent, body, once }) => written(await door.createTask(agent, body, once)),
    'tasks.list': async ({ agent, query }) => shown(await door.listTasks(agent, query), (page) => page),
    'tasks.read': async ({ agent, params }) => shown(await door.getTask(agent, params.taskUid), (task) => ({ task })),
    'tasks.transcript': async ({ agent, params }) =>
      shown(await door.transcript(agent, params.taskUid), (file) => file),
    'tasks.propose': async ({ agent, params, body, once }) =>
      written(await door.propose(agent, params.taskUid, body, once)),
    'tasks.respond': async ({ agent, params, body, once }) =>
      written(await door.respond(agent, params.taskUid, body, once)),
    'tasks.cancel': async ({ agent, params, body, once }) =>
      written(await door.cancel(agent, params.taskUid, body, once)),
    'jobs.pay': async ({ agent, params, once }) => written(await door.pay(agent, params.taskUid, once)),
    'jobs.deliver': async ({ agent, params, body, once }) =>
      written(await door.deliverJob(agent, params.taskUid, body as JsonObject, once)),
    'jobs.complete': async ({ agent, params, once }) => written(await door.completeJob(agent, params.taskUid, once)),
    'offers.list': async ({ agent }) => done(await door.offers(agent)),
    'contacts.offers': async ({ agent, params }) =>
      shown(await door.contactOffers(agent, params.contact), (found) => found),
    ...envelopeHandlers(door),
    'actions.run': async ({ agent, body, once }) => {
      const run = await door.runAction(agent, body, once)
      if (!run.ok) return run
      const { answer, replayed } = run.value
      return ok({ status: answer.status === 'recorded' ? 200 : 202, body: answer, replayed })
    },
    'inbox.read': async ({ agent, query: { wait, ...rest }, signal }) =>
      shown(await door.inbox(agent, { ...rest, waitSeconds: wait }, signal), (page) => page),
    'inbox.ack': async ({ agent, body }) => shown(await door.ackInbox(agent, body.upTo), (acked) => acked),
    'counters.read': async ({ agent }) => done(await door.counters(agent)),
    'contacts.list': async ({ agent }) => done(withoutPlaces(await door.contacts(agent))),
    'capabilities.list': async ({ agent, query }) =>
      shown(await door.capabilities(agent, query.participant), (page) => page),
    'approvals.list': async ({ agent }) => done(await door.approvals(agent)),
    'approvals.read': async ({ agent, params }) =>
      shown(await door.approval(agent, params.approvalId), (approval) => ({ approval }))
  }
}

type AtEnvelopes = Extract<RoutesFor<'agent'>, `envelopes.${string}`>

function envelopeHandlers(door: AgentDoor): { readonly [K in AtEnvelopes]: Handler<K> } {
  return {
    'envelopes.submit': async ({ agent, body, once }) =>
      delegated(await door.envelope(agent, { do: 'submit', ...body }, once)),
    'envelopes.list': async ({ agent, query }) => shown(await door.listEnvelopes(agent, query), (page) => page),
    'envelopes.owned': async ({ agent }) => done(await door.ownedEnvelopes(agent)),
    'envelopes.read': async ({ agent, params }) =>
      shown(await door.getEnvelope(agent, params.taskId), (envelope) => ({ envelope })),
    'envelopes.transcript': async ({ agent, params }) =>
      shown(await door.envelopeTranscript(agent, params.taskId), (file) => file),
    'envelopes.claim': async ({ agent, params, once }) =>
      delegated(await door.envelope(agent, { do: 'claim', ...params }, once)),
    'envelopes.status': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'status', ...params, ...body }, once)),
    'envelopes.answer': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'answer', ...params, ...body }, once)),
    'envelopes.artifacts': async ({ agent, params, body }) =>
      shown(await door.stageArtifacts(agent, params.taskId, body.artifacts), (envelope) => ({ envelope })),
    'envelopes.evidence': async ({ agent, params, body }) =>
      shown(await door.stageEvidence(agent, params.taskId, body.evidence), (envelope) => ({ envelope })),
    'envelopes.complete': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'complete', ...params, ...body }, once)),
    'envelopes.fail': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'fail', ...params, ...body }, once)),
    'envelopes.reject': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'reject', ...params, ...body }, once)),
    'envelopes.cancel': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'cancel', ...params, ...body }, once)),
    'envelopes.verdict': async ({ agent, params, body, once }) =>
      delegated(await door.envelope(agent, { do: 'verdict', ...params, ...body }, once))
  }
}

type AtNode = 'health.read' | 'openapi.read' | `owner.${'settings.list' | 'status.read' | 'loginLinks.create'}`
type AtOwnerDoor = Exclude<RoutesFor<'owner'>, AtNode | AtOwnerWork>

function ownerHandlers(door: OwnerDoor): { readonly [K in AtOwnerDoor]: Handler<K> } {
  return {
    'owner.payments.list': async ({ query }) => shown(await door.payments(query), (page) => page),
    'owner.wallet.read': async () => done({ wallet: await door.wallet() }),
    ...offerHandlers(door),
    'owner.agents.list': async () => done(await door.agents()),
    'owner.agents.add': async ({ body }) => {
      const added = await door.addAgent(body)
      return added.ok ? reply(added.value.created ? 201 : 200, { agent: added.value.agent }) : added
    },
    'owner.agents.revoke': async ({ params }) => shown(await door.revokeAgent(params.agent), (agent) => ({ agent })),
    'owner.agents.rotateToken': async ({ params }) =>
      shown(await door.rotateToken(params.agent), (agent) => ({ agent })),
    'owner.contacts.list': async ({ query }) => shown(await door.contacts(query), (page) => page),
    'owner.contacts.add': async ({ body }) => {
      const added = await door.addContact(body)
      return added.ok ? reply(201, { contact: added.value }) : added
    },
    'owner.contacts.rename': async ({ params, body }) =>
      shown(await door.renameContact({ ...params, ...body }), (contact) => ({ contact })),
    'owner.contacts.accept': changeContact(door, 'accept'),
    'owner.contacts.decline': changeContact(door, 'decline'),
    'owner.contacts.remove': changeContact(door, 'remove'),
    'owner.contacts.block': changeContact(door, 'block'),
    'owner.contacts.unblock': changeContact(door, 'unblock'),
    'owner.contacts.unfreeze': changeContact(door, 'unfreeze'),
    'owner.invites.create': async ({ body }) => {
      const made = await door.invite(body)
      return made.ok ? reply(201, made.value) : made
    },
    'owner.grants.list': async ({ query }) => shown(await door.grants(query), (page) => page),
    'owner.grants.set': async ({ body }) => shown(await door.setGrant(body), (grant) => ({ grant })),
    'owner.grants.delete': async ({ query }) => shown(await door.deleteGrant(query), (grant) => ({ grant })),
    'owner.presets.read': async ({ params, query }) =>
      shown(await door.preset({ ...params, ...query }), (preset) => ({ preset })),
    'owner.presets.apply': async ({ params, body }) =>
      shown(await door.applyPreset({ ...params, ...body }), (preset) => ({ preset })),
    'owner.ledger.read': async ({ query }) => shown(await door.ledger(query), (ledger) => ({ ledger })),
    'owner.ledger.set': async ({ body }) => shown(await door.setLedger(body), (ledger) => ({ ledger })),
    'owner.types.list': async () => done(await door.types()),
    'owner.types.read': async ({ params }) => shown(await door.type(params.type), (found) => found),
    'owner.types.inspect': async ({ body }) => shown(await door.inspectType(body), (inspection) => ({ inspection })),
    'owner.types.install': async ({ body }) => {
      const installed = await door.installType(body)
      return installed.ok ? reply(201, { type: installed.value }) : installed
    },
    'owner.types.retire': async ({ params }) => shown(await door.retireType(params.type), (type) => ({ type })),
    'owner.audit.list': async ({ query }) => shown(await door.audit(query), (page) => page),
    'owner.declines.list': async ({ query }) => shown(await door.declines(query), (page) => page),
    'owner.declines.lift': async ({ query }) => shown(await door.liftDecline(query), (page) => page),
    'owner.approvals.list': async ({ query }) => shown(await door.approvals(query), (page) => page),
    'owner.approvals.read': async ({ params }) =>
      shown(await door.approval(params.approvalId), (approval) => ({ approval })),
    'owner.approvals.answer': async ({ params, body }) =>
      shown(await door.answerApproval(params.approvalId, body), (approval) => ({ approval }))
  }
}

type AtOffers = Extract<RoutesFor<'owner'>, `owner.offers.${string}` | 'owner.contacts.offers'>

function offerHandlers(door: OwnerDoor): { readonly [K in AtOffers]: Handler<K> } {
  return {
    'owner.offers.list': async ({ query }) => shown(await door.offers(query), (page) => page),
    'owner.offers.create': async ({ body: { agent, ...offer } }) => {
      const made = await door.createOffer({ ...picked(agent), offer })
      return made.ok ? reply(201, { offer: made.value }) : made
    },
    'owner.offers.change': async ({ params, body: { agent, ...offer } }) =>
      shown(await door.changeOffer({ ...params, ...picked(agent), offer }), (changed) => ({ offer: changed })),
    'owner.offers.withdraw': async ({ params, query }) =>
      shown(await door.withdrawOffer({ ...params, ...query }), (gone) => ({ offer: gone })),
    'owner.contacts.offers': async ({ params, query }) =>
      shown(await door.contactOffers({ ...params, ...query }), (found) => found)
  }
}

function picked(agent: string | undefined): { readonly agent?: string } {
  return agent === undefined ? {} : { agent }
}

type ContactAction = Parameters<OwnerDoor['changeContact']>[0]['action']

function changeContact(door: OwnerDoor, action: ContactAction): Handler<`owner.contacts.${ContactAction}`> {
  return async ({ params, body }) =>
    shown(await door.changeContact({ ...params, ...body, action }), (contact) => ({ contact }))
}

function nodeHandlers(doors: Doors, links: LoginLinks): Pick<Handlers, AtNode> {
  let document: AnswerOf<'openapi.read'> | undefined
  return {
    'health.read': async () => done({ status: 'ok' as const }),
    'openapi.read': async () => done((document ??= openApiDocument())),
    'owner.loginLinks.create': async () => {
      const made = links()
      return made.ok ? reply(201, made.value) : made
    },
    'owner.settings.list': async () => done(doors.settings()),
    'owner.status.read': async () => done(await doors.status())
  }
}

/** An agent doesn't learn where its contacts' nodes are: that concerns the owner. */
function withoutPlaces(page: Page<ContactView>): Page<ContactView> {
  return { ...page, items: page.items.map(({ peerId: _peerId, addrs: _addrs, ...rest }) => rest) }
}

/** As `written`, of a delegated task. */
function delegated(result: Result<Answered<EnvelopeWritten>>): Result<Reply<AnswerOf<'envelopes.claim'>>> {
  if (!result.ok) return result
  const { answer, replayed } = result.value
  if (answer.status === 'pending_approval') return ok({ status: 202, body: answer, replayed })
  const { envelope, status, created } = answer
  return ok({ status: created === true ? 201 : 200, body: { envelope, status }, replayed })
}

/** 201 when the write created the task, 202 when it waits for the owner, else 200. */
function written(result: Result<Answered<WriteAnswer>>): Result<Reply<AnswerOf<'tasks.create'>>> {
  if (!result.ok) return result
  const { answer, replayed } = result.value
  if (answer.status === 'pending_approval') return ok({ status: 202, body: answer, replayed })
  const { task, status, created } = answer
  return ok({ status: created === true ? 201 : 200, body: { task, status }, replayed })
}
