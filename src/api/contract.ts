import { z } from 'zod'
import { TTD1 } from '../types/limits.js'
import { CANCEL_REASONS } from '../wire/forms.js'
import { ENVELOPE_STATES, REPORT_CODES, VERDICT_SOURCES } from '../wire/envelope-bodies.js'
import { LIMITS } from '../wire/limits.js'
import { type ParamsOf, type RouteName, ROUTE_NAMES, paramNamesOf, ROUTES } from './routes.js'
import {
  agentContact,
  agentEntry,
  approval,
  artifactText,
  auditPage,
  APPROVAL_STATUSES,
  calendar,
  capability,
  changed,
  contact,
  contactOffers,
  contractText,
  counters,
  decline,
  EFFECTS,
  envelope,
  evidenceText,
  grant,
  health,
  inboxItem,
  inboxPage,
  inspection,
  invite,
  jsonObject,
  ledger,
  nodeStatus,
  offer,
  openApi,
  owned,
  ownerApproval,
  ownerEnvelope,
  ownerOwned,
  ownerTask,
  ownerType,
  page,
  payments,
  preset,
  runText,
  settingsAnswer,
  task,
  transcript,
  typeEntry,
  undelivered,
  wallet
} from './shapes.js'
import { TASK_STATUSES } from './words.js'

/**
 * The schemas of every route of `routes.ts`: query, body and answer, all strict, so that an unknown member is refused by
 * name. What two nodes or the owner's rules decide (ids, links, proposals, capabilities) is checked behind the doors;
 * here only shape and size. Spec: protocols/socket-api.md. Clients import types from here, never values.
 */

/** Characters of a task's title, the creator's own label. */
const TITLE_MAX = 200
/** Items of a list when the caller names no limit, and at most. */
const PAGE_DEFAULT = 50
const PAGE_MAX = 200
/** Seconds that an inbox read may wait. */
const WAIT_MAX = 60
/** Hours that a task may live (protocols/tasks.md, "What a node refuses"). */
const EXPIRY_HOURS = { min: 1, max: 720 }

/** A name, id or reference: never longer than any that can be meant. */
const word = z.string().min(1).max(128)

/** A whole number in a query string: digits only, no sign, no leading zeros, within bounds. */
function whole(min: number, max: number): z.ZodType<number, number | string> {
  const digits = z.string().regex(/^(0|[1-9][0-9]{0,15})$/, `it must be a whole number from ${min} to ${max}`)
  return digits.transform(Number).pipe(z.int().min(min).max(max)) as unknown as z.ZodType<number, number | string>
}

const cursor = whole(0, Number.MAX_SAFE_INTEGER).describe(
  'Only what is newer than this cursor; absent: what is not acknowledged'
)
const limit = whole(1, PAGE_MAX).default(PAGE_DEFAULT).describe('Items at most')
const after = word.describe('`next` of the page before')
const reference = word.describe('al1… id, alias or handle of a contact')
const cancelReason = word.describe(`One of ${CANCEL_REASONS.join(', ')}`)
const plan = jsonObject.describe('The complete plan: the fields that the type of the task declares, and no others')
/** The text of a definition file: at most its bytes in characters, and one more so that the door can say `too_large`. */
const definitionFile = z
  .string()
  .min(1)
  .max(TTD1.definitionBytes + 1)
const nothing = z.strictObject({})
const markdown = z.string()
const pick = z.strictObject({ agent: word.exactOptional() })
/** A list of the owner's: of one agent or of all, with one contact or with all. */
const listOf = { agent: word.exactOptional(), contact: reference.exactOptional(), limit, after: after.exactOptional() }
const oneOwnerTask = z.strictObject({ task: ownerTask })
const oneTask = z.strictObject({ task })
/** `{"task","status":"sent"}` or `{"status":"pending_approval","approvalId","taskUid"}`. */
const written = z.union([
  z.strictObject({ task, status: z.literal('sent') }),
  z.strictObject({ status: z.literal('pending_approval'), approvalId: z.string(), taskUid: z.string() })
])
/** `{"envelope","status"}` or `{"status":"pending_approval","approvalId","taskId"}`. */
const delegated = z.union([
  z.strictObject({ envelope, status: z.enum(['sent', 'unchanged']) }),
  z.strictObject({ status: z.literal('pending_approval'), approvalId: z.string(), taskId: z.string() })
])
const oneEnvelope = z.strictObject({ envelope })
const words = z.string().min(1).max(LIMITS.reasonLength)
const why = z.enum(REPORT_CODES)
const reason = words
  .describe('Free text for the sender, under delegate.report; a code alone needs no right')
  .exactOptional()
const stop = {
  query: nothing,
  body: z.strictObject({
    code: why.describe(
      'Why you stop: declined, cannot, out_of_scope, unsafe, busy, acceptance_failed; or what you lack'
    ),
    reason
  }),
  answer: delegated
}
const oneContact = z.strictObject({ contact })
const oneAgent = z.strictObject({ agent: agentEntry })
const oneGrant = z.strictObject({ grant })
const onePreset = z.strictObject({ preset })
const changeContact = { query: nothing, body: pick, answer: oneContact }
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'it must be 64 hex digits, as the preset was shown with')
const grantKey = { agent: word.exactOptional(), contact: word, capability: word }

const oneOffer = z.strictObject({ offer })
/** What an owner says of an offer. */
const offerText = {
  title: z.string().min(1).max(LIMITS.offerTitle),
  description: z.string().min(1).max(LIMITS.offerText),
  deliverable: z.string().min(1).max(LIMITS.offerText),
  price: word.describe('SOL in decimal digits, such as 0.25'),
  turnaroundHours: z.int().min(1).max(EXPIRY_HOURS.max)
}

/** `body: nothing` on routes without a body: one that is sent all the same must be `{}`. */
export const CONTRACT = {
  'health.read': { query: nothing, body: nothing, answer: z.strictObject({ status: z.literal('ok') }) },
  'openapi.read': { query: nothing, body: nothing, answer: openApi },
  'pages.front': { query: nothing, body: nothing, answer: markdown },
  'pages.read': { query: nothing, body: nothing, answer: markdown },

  'taskTypes.list': { query: nothing, body: nothing, answer: page(typeEntry) },
  'tasks.create': {
    query: nothing,
    body: z.strictObject({
      type: word.describe('Hash, name@version or name of a type from the list of types'),
      participant: reference,
      title: z.string().min(1).max(TITLE_MAX).describe('Your own label; it never leaves this node').exactOptional(),
      expiresInHours: z.int().min(EXPIRY_HOURS.min).max(EXPIRY_HOURS.max).describe('Absent: 72').exactOptional(),
      proposal: plan
    }),
    answer: written
  },
  'tasks.list': {
    query: z.strictObject({ limit, after: after.exactOptional(), status: z.enum(TASK_STATUSES).exactOptional() }),
    body: nothing,
    answer: page(task)
  },
  'tasks.read': { query: nothing, body: nothing, answer: oneTask },
  'tasks.transcript': { query: nothing, body: nothing, answer: transcript },
  'tasks.propose': { query: nothing, body: z.strictObject({ proposal: plan }), answer: written },
  'tasks.respond': {
    query: nothing,
    body: z.strictObject({
      proposalId: word.describe('Of the pending proposal that the task shows'),
      decision: z.enum(['accept', 'reject'])
    }),
    answer: written
  },
  'tasks.cancel': {
    query: nothing,
    body: z.strictObject({ reason: cancelReason.exactOptional() }),
    answer: written
  },
  'jobs.pay': { query: nothing, body: nothing, answer: written },
  'jobs.deliver': {
    query: nothing,
    body: z.strictObject({
      artifacts: z.array(artifactText).max(LIMITS.artifacts).describe('The deliverables').exactOptional(),
      evidence: evidenceText.exactOptional(),
      summary: words.describe('What the hirer should know of it').exactOptional()
    }),
    answer: written
  },
  'jobs.complete': { query: nothing, body: nothing, answer: written },
  'owner.payments.list': { query: pick, body: nothing, answer: page(payments) },
  'owner.wallet.read': { query: nothing, body: nothing, answer: z.strictObject({ wallet }) },
  'offers.list': { query: nothing, body: nothing, answer: page(offer) },
  'contacts.offers': { query: nothing, body: nothing, answer: contactOffers },
  'owner.offers.list': { query: pick, body: nothing, answer: page(offer) },
  'owner.offers.create': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), ...offerText }),
    answer: oneOffer
  },
  'owner.offers.change': {
    query: nothing,
    body: z.strictObject({
      agent: word.exactOptional(),
      title: offerText.title.exactOptional(),
      description: offerText.description.exactOptional(),
      deliverable: offerText.deliverable.exactOptional(),
      price: offerText.price.exactOptional(),
      turnaroundHours: offerText.turnaroundHours.exactOptional()
    }),
    answer: oneOffer
  },
  'owner.offers.withdraw': { query: pick, body: nothing, answer: oneOffer },
  'owner.contacts.offers': { query: pick, body: nothing, answer: contactOffers },
  'envelopes.submit': {
    query: nothing,
    body: z.strictObject({
      recipient: reference,
      taskId: word
        .describe('Your own name for it, so that others can depend on it; absent: the node makes one')
        .exactOptional(),
      expiresInHours: z.int().min(EXPIRY_HOURS.min).max(EXPIRY_HOURS.max).describe('Absent: 72').exactOptional(),
      envelope: contractText
    }),
    answer: delegated
  },
  'envelopes.list': {
    query: z.strictObject({
      limit,
      after: after.exactOptional(),
      state: z.enum(ENVELOPE_STATES).exactOptional(),
      role: z.enum(['sender', 'recipient']).exactOptional()
    }),
    body: nothing,
    answer: page(envelope)
  },
  'envelopes.owned': { query: nothing, body: nothing, answer: page(owned) },
  'envelopes.read': { query: nothing, body: nothing, answer: oneEnvelope },
  'envelopes.transcript': { query: nothing, body: nothing, answer: transcript },
  'envelopes.claim': { query: nothing, body: nothing, answer: delegated },
  'envelopes.status': {
    query: nothing,
    body: z.strictObject({
      state: z.enum(['working', 'input_required', 'auth_required']),
      code: why
        .describe(
          'What you need: blocked, needs_decision, needs_material, needs_access, other. Required unless the state is working'
        )
        .exactOptional(),
      reason
    }),
    answer: delegated
  },
  'envelopes.answer': {
    query: nothing,
    body: z.strictObject({
      questionId: word.describe('Absent: the open one').exactOptional(),
      text: words.describe('Your answer, under delegate.submit')
    }),
    answer: delegated
  },
  'envelopes.artifacts': {
    query: nothing,
    body: z.strictObject({
      artifacts: z.array(artifactText).max(LIMITS.artifacts).describe('All of them: they replace what was staged')
    }),
    answer: oneEnvelope
  },
  'envelopes.evidence': {
    query: nothing,
    body: z.strictObject({
      evidence: evidenceText
    }),
    answer: oneEnvelope
  },
  'envelopes.complete': {
    query: nothing,
    body: z.strictObject({ summary: words.describe('What the sender should know of the result').exactOptional() }),
    answer: delegated
  },
  'envelopes.fail': stop,
  'envelopes.reject': stop,
  'envelopes.cancel': {
    query: nothing,
    body: z.strictObject({ code: word.describe(`One of ${CANCEL_REASONS.join(', ')}; absent: other`).exactOptional() }),
    answer: delegated
  },
  'envelopes.verdict': {
    query: nothing,
    body: z.strictObject({
      passed: z.boolean().describe('Whether the result is what was asked for'),
      freshContext: z.boolean().describe('Whether who judged knew nothing of how the work was done'),
      verdictSource: z.enum(VERDICT_SOURCES).describe('script: a command decided; llm_judge: a model did'),
      run: runText.exactOptional(),
      note: words.describe('For the recipient, in your words').exactOptional()
    }),
    answer: delegated
  },
  /** The answer is what each event holds. */
  'events.read': { query: z.strictObject({ after: cursor.exactOptional() }), body: nothing, answer: inboxItem },
  'actions.run': {
    query: nothing,
    body: z.strictObject({
      taskUid: word.describe('Of an agreed task'),
      action: z.string().min(1).max(LIMITS.actionLength).describe("Name of an action of the task's type"),
      params: jsonObject.describe('Only what the agreed plan does not say').exactOptional(),
      approvalId: word.describe('Of your owner’s yes to exactly this; absent at the first call').exactOptional()
    }),
    answer: z.union([
      z.strictObject({ status: z.literal('recorded'), simulated: z.literal(true), recordId: z.string() }),
      z.strictObject({ status: z.literal('pending_approval'), approvalId: z.string(), taskUid: z.string() })
    ])
  },
  'inbox.read': {
    query: z.strictObject({
      after: cursor.exactOptional(),
      wait: whole(0, WAIT_MAX).default(0).describe('Seconds to wait for something to arrive'),
      limit
    }),
    body: nothing,
    answer: inboxPage
  },
  'inbox.ack': {
    query: nothing,
    body: z.strictObject({ upTo: z.int().min(0).describe('Cursor of the newest item that you have dealt with') }),
    answer: z.strictObject({ ackedUpTo: z.int() })
  },
  'counters.read': { query: nothing, body: nothing, answer: counters },
  'contacts.list': { query: nothing, body: nothing, answer: page(agentContact) },
  'capabilities.list': {
    query: z.strictObject({ participant: reference.exactOptional() }),
    body: nothing,
    answer: page(capability)
  },
  'approvals.list': { query: nothing, body: nothing, answer: page(approval) },
  'approvals.read': { query: nothing, body: nothing, answer: z.strictObject({ approval }) },

  'owner.agents.list': { query: nothing, body: nothing, answer: page(agentEntry) },
  /** The answer is what each line holds. */
  'owner.records': {
    query: nothing,
    body: nothing,
    answer: z.union([z.tuple([z.string(), z.string()]), z.strictObject({ records: z.int() })])
  },
  /** The answer is what each event holds. */
  'owner.events': { query: nothing, body: nothing, answer: changed },
  'owner.tasks.list': {
    query: z.strictObject({ ...listOf, status: z.enum(TASK_STATUSES).exactOptional(), type: word.exactOptional() }),
    body: nothing,
    answer: page(ownerTask)
  },
  'owner.tasks.read': { query: pick, body: nothing, answer: oneOwnerTask },
  'owner.tasks.cancel': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), reason: cancelReason.exactOptional() }),
    answer: z.strictObject({ task: ownerTask, status: z.literal('sent') })
  },
  'owner.envelopes.list': {
    query: z.strictObject({
      ...listOf,
      state: z.enum(ENVELOPE_STATES).exactOptional(),
      role: z.enum(['sender', 'recipient']).exactOptional()
    }),
    body: nothing,
    answer: page(ownerEnvelope)
  },
  'owner.envelopes.read': { query: pick, body: nothing, answer: z.strictObject({ envelope: ownerEnvelope }) },
  'owner.envelopes.cancel': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), code: word.exactOptional() }),
    answer: z.strictObject({ envelope: ownerEnvelope, status: z.enum(['sent', 'unchanged']) })
  },
  'owner.owned.list': { query: pick, body: nothing, answer: page(ownerOwned) },
  'owner.health.read': { query: nothing, body: nothing, answer: z.strictObject({ health }) },
  'owner.undelivered.list': { query: nothing, body: nothing, answer: page(undelivered) },
  'owner.capabilities.list': {
    query: z.strictObject({ agent: word.exactOptional(), participant: reference.exactOptional() }),
    body: nothing,
    answer: page(capability)
  },
  'owner.tasks.calendar': { query: pick, body: nothing, answer: calendar },
  'owner.tasks.transcript': { query: pick, body: nothing, answer: transcript },
  'owner.agents.add': {
    query: nothing,
    body: z.strictObject({ name: word, handle: word.exactOptional() }),
    answer: oneAgent
  },
  'owner.agents.revoke': { query: nothing, body: nothing, answer: oneAgent },
  'owner.agents.rotateToken': { query: nothing, body: nothing, answer: oneAgent },
  'owner.contacts.list': { query: pick, body: nothing, answer: page(contact) },
  'owner.contacts.add': {
    query: nothing,
    body: z.strictObject({
      agent: word.exactOptional(),
      link: z.string().min(1).max(LIMITS.linkLength),
      alias: word.exactOptional()
    }),
    answer: oneContact
  },
  'owner.contacts.rename': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), alias: word }),
    answer: oneContact
  },
  'owner.contacts.accept': changeContact,
  'owner.contacts.decline': changeContact,
  'owner.contacts.remove': changeContact,
  'owner.contacts.block': changeContact,
  'owner.contacts.unblock': changeContact,
  'owner.contacts.unfreeze': changeContact,
  'owner.invites.create': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), secret: z.boolean().default(true) }),
    answer: invite
  },
  'owner.grants.list': { query: pick, body: nothing, answer: page(grant) },
  'owner.grants.set': {
    query: nothing,
    body: z.strictObject({ ...grantKey, effect: z.enum(EFFECTS) }),
    answer: oneGrant
  },
  'owner.grants.delete': { query: z.strictObject(grantKey), body: nothing, answer: oneGrant },
  'owner.presets.read': { query: pick, body: nothing, answer: onePreset },
  'owner.presets.apply': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), digest }),
    answer: onePreset
  },
  'owner.ledger.read': { query: pick, body: nothing, answer: z.strictObject({ ledger }) },
  'owner.ledger.set': {
    query: nothing,
    body: z.strictObject({ agent: word.exactOptional(), tools: z.array(word).max(500) }),
    answer: z.strictObject({ ledger })
  },
  'owner.types.list': { query: nothing, body: nothing, answer: page(ownerType) },
  'owner.types.read': { query: nothing, body: nothing, answer: z.strictObject({ type: ownerType, inspection }) },
  'owner.types.inspect': {
    query: nothing,
    body: z.strictObject({ file: definitionFile }),
    answer: z.strictObject({ inspection })
  },
  'owner.types.install': {
    query: nothing,
    body: z.strictObject({ file: definitionFile, hash: word.exactOptional() }),
    answer: z.strictObject({ type: ownerType })
  },
  'owner.types.retire': { query: nothing, body: nothing, answer: z.strictObject({ type: ownerType }) },
  'owner.declines.list': { query: pick, body: nothing, answer: page(decline) },
  'owner.declines.lift': {
    query: z.strictObject({ agent: word.exactOptional(), contact: word, type: word }),
    body: nothing,
    answer: page(decline)
  },
  'owner.approvals.list': {
    query: z.strictObject({ limit, after: word.exactOptional(), status: z.enum(APPROVAL_STATUSES).exactOptional() }),
    body: nothing,
    answer: page(ownerApproval)
  },
  'owner.approvals.read': { query: nothing, body: nothing, answer: z.strictObject({ approval: ownerApproval }) },
  'owner.approvals.answer': {
    query: nothing,
    body: z.strictObject({
      decision: z.enum(['approve', 'deny']),
      scope: z.enum(['once', 'contact', 'always']).default('once')
    }),
    answer: z.strictObject({ approval: ownerApproval })
  },
  'owner.audit.list': {
    query: z.strictObject({
      agent: word.exactOptional(),
      contact: word.exactOptional(),
      task: word.exactOptional(),
      what: word.exactOptional(),
      capability: word.exactOptional(),
      since: word.exactOptional(),
      until: word.exactOptional(),
      limit,
      after: whole(1, Number.MAX_SAFE_INTEGER).exactOptional()
    }),
    body: nothing,
    answer: auditPage
  },
  'owner.loginLinks.create': {
    query: nothing,
    body: nothing,
    answer: z.strictObject({ url: z.string(), expiresAt: z.string() })
  },
  'owner.settings.list': { query: nothing, body: nothing, answer: settingsAnswer },
  'owner.status.read': { query: nothing, body: nothing, answer: nodeStatus }
} as const satisfies Record<RouteName, RouteSchemas>

interface RouteSchemas {
  readonly query: z.ZodType
  readonly body: z.ZodType
  readonly answer: z.ZodType
}
type Contract = typeof CONTRACT

/** What a handler gets, checked and with defaults filled in. */
export interface InputOf<K extends RouteName> {
  readonly params: ParamsOf<K>
  readonly query: z.output<Contract[K]['query']>
  readonly body: z.output<Contract[K]['body']>
}

/** The body of a 2xx answer. */
export type AnswerOf<K extends RouteName> = z.output<Contract[K]['answer']>

/** What a client may write. */
export type QueryOf<K extends RouteName> = z.input<Contract[K]['query']>
export type BodyOf<K extends RouteName> = z.input<Contract[K]['body']>

/** What the path parameters of agent routes are, for programs that never saw one. */
const PARAM_WORDS: Readonly<Record<string, string>> = {
  taskUid: 'Id of the task, from its creation, your inbox or the list of tasks',
  taskId: 'taskId of the delegated task; its taskUid where two senders chose one taskId',
  approvalId: 'Id of the question, from the answer that said pending_approval',
  contact: 'al1… id, alias or handle of a contact'
}

/** Path parameters: strings of bounded length; what they name is looked up behind the doors. */
export const PARAMS = Object.fromEntries(
  ROUTE_NAMES.map((name) => [
    name,
    z.strictObject(Object.fromEntries(paramNamesOf(ROUTES[name].path).map((param) => [param, wordFor(param)])))
  ])
) as unknown as Readonly<Record<RouteName, z.ZodType<Record<string, string>>>>

function wordFor(param: string): typeof word {
  const description = PARAM_WORDS[param]
  return description === undefined ? word : word.describe(description)
}
