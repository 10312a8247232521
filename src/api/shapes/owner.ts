import { z } from 'zod'
import type { NodeStatus } from '../../flows/doors.js'
import type { AgentView, GrantView, InviteView, PresetView } from '../../flows/views/contacts.js'
import { type AuditPage, CHANGED_ROOMS } from '../../flows/views/pages.js'
import { AUDIT_CODES } from '../../policy/audit.js'
import type { AuditAbout, AuditEntry } from '../../policy/audit.js'
import { PRESET_NAMES } from '../../policy/preset-names.js'
import { count, effect, text, view } from './parts.js'

/** What only the owner sees: rules, presets, the audit log, links, agents and the node's state. */

export const grant: z.ZodType<GrantView> = view<GrantView>()({ contact: text, capability: text, effect })

export const preset: z.ZodType<PresetView> = view<PresetView>()({
  preset: z.enum(PRESET_NAMES),
  agent: text,
  digest: text,
  capabilities: z.array(z.strictObject({ capability: text, now: effect, becomes: effect })),
  sets: z.array(grant),
  removes: z.array(grant),
  keeps: z.array(grant)
})

/** References as they were written: brands are checked where they are made. */
const auditAbout = view<AuditAbout>()({
  agent: text.exactOptional(),
  contact: text.exactOptional(),
  taskUid: text.exactOptional(),
  messageId: text.exactOptional(),
  approvalId: text.exactOptional(),
  kind: text.exactOptional(),
  capability: text.exactOptional(),
  capabilities: z.array(text).exactOptional(),
  effect: effect.exactOptional(),
  was: effect.exactOptional(),
  decision: z.enum(['approve', 'deny']).exactOptional(),
  scope: z.enum(['once', 'contact', 'always']).exactOptional(),
  preset: text.exactOptional(),
  type: text.exactOptional(),
  recordId: text.exactOptional(),
  action: text.exactOptional(),
  route: text.exactOptional(),
  code: text.exactOptional()
})

const auditEntry = view<AuditEntry>()({
  seq: count,
  prev: text,
  at: text,
  who: z.strictObject({ kind: z.enum(['agent', 'owner', 'peer', 'node', 'unknown']), id: text.exactOptional() }),
  what: z.enum(AUDIT_CODES),
  about: auditAbout,
  under: z.strictObject({ grants: z.array(grant).exactOptional(), approvalId: text.exactOptional() }).exactOptional(),
  times: count.exactOptional()
}) as unknown as z.ZodType<AuditEntry>

export const auditPage: z.ZodType<AuditPage> = view<AuditPage>()({
  items: z.array(auditEntry),
  next: text.exactOptional(),
  head: z.strictObject({ seq: count, hash: text })
})

export const invite: z.ZodType<InviteView> = view<InviteView>()({ link: text, expiresAt: text.exactOptional() })

export const agentEntry: z.ZodType<AgentView> = view<AgentView>()({
  agent: text,
  name: text,
  handle: text
})

export const nodeStatus: z.ZodType<NodeStatus> = view<NodeStatus>()({
  peerId: text,
  addrs: z.array(text),
  agents: z.array(agentEntry),
  contacts: z.strictObject({ active: count, connected: count, pending: count }),
  undelivered: count,
  approvalsPending: count
})

/** What an event of the stream of changes holds. */
export const changed = z.strictObject({ what: z.array(z.enum(CHANGED_ROOMS)) })
