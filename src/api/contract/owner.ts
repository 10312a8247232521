import { z } from 'zod'
import { TTD1 } from '../../types/limits.js'
import { LIMITS } from '../../wire/limits.js'
import type { OWNER_ROUTES } from '../owner-routes.js'
import {
  EFFECTS,
  agentEntry,
  auditPage,
  changed,
  contact,
  decline,
  grant,
  inspection,
  invite,
  ledger,
  nodeStatus,
  ownerApproval,
  ownerType,
  page,
  preset,
  settingsAnswer
} from '../shapes.js'
import { APPROVAL_STATUSES } from '../words.js'
import { type RouteSchemas, limit, nothing, pick, whole, word } from './parts.js'

/** What an owner decides: agents, contacts, rules, task types, approvals; and the record of it all. */

const oneContact = z.strictObject({ contact })
const oneAgent = z.strictObject({ agent: agentEntry })
const oneGrant = z.strictObject({ grant })
const onePreset = z.strictObject({ preset })
const changeContact = { query: nothing, body: pick, answer: oneContact }
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'it must be 64 hex digits, as the preset was shown with')
const grantKey = { agent: word.exactOptional(), contact: word, capability: word }
/** The text of a definition file: at most its bytes in characters, and one more so that the door can say `too_large`. */
const definitionFile = z
  .string()
  .min(1)
  .max(TTD1.definitionBytes + 1)

export const OWNER_CONTRACT = {
  'owner.agents.list': { query: nothing, body: nothing, answer: page(agentEntry) },
  /** The answer is what each line holds. */
  'owner.records': {
    query: nothing,
    body: nothing,
    answer: z.union([z.tuple([z.string(), z.string()]), z.strictObject({ records: z.int() })])
  },
  /** The answer is what each event holds. */
  'owner.events': { query: nothing, body: nothing, answer: changed },
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
} as const satisfies Record<keyof typeof OWNER_ROUTES, RouteSchemas>
