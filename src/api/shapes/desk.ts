import { z } from 'zod'
import type { CapabilityView, ContactView } from '../../flows/views/contacts.js'
import type { Counters, InboxItem } from '../../flows/views/pages.js'
import { count, effect, jsonObject, text, view } from './parts.js'

/** What an agent finds on its desk: inbox, badges, contacts, and what it may do. */

export const inboxItem: z.ZodType<InboxItem> = view<InboxItem>()({
  cursor: count,
  kind: text,
  from: text,
  taskUid: text.exactOptional(),
  at: text,
  content: jsonObject
})

/** `next` is a cursor, present even when nothing came: pass it as `after`. */
export interface InboxPage {
  readonly items: readonly InboxItem[]
  readonly next: number
}

export const inboxPage: z.ZodType<InboxPage> = view<InboxPage>()({ items: z.array(inboxItem), next: count })

export const counters: z.ZodType<Counters> = view<Counters>()({
  unread: count,
  tasksWaitingForMe: count,
  envelopesQueued: count,
  approvalsPending: count,
  undelivered: count
})

const contactMembers = {
  agent: text,
  handle: text,
  alias: text.exactOptional(),
  status: z.enum(['requested', 'pending', 'active', 'blocked', 'removed']),
  reason: text.exactOptional(),
  frozen: z.literal(true).exactOptional(),
  since: text,
  undelivered: count
}

/** Where a contact's node is concerns the owner alone. */
type AgentContactView = Omit<ContactView, 'peerId' | 'addrs'>

export const agentContact: z.ZodType<AgentContactView> = view<AgentContactView>()(contactMembers)

export const contact: z.ZodType<ContactView> = view<ContactView>()({
  ...contactMembers,
  peerId: text.exactOptional(),
  addrs: z.array(text).exactOptional()
})

export const capability: z.ZodType<CapabilityView> = view<CapabilityView>()({
  capability: text,
  effect,
  because: z.union([z.strictObject({ contact: text, capability: text }), z.literal('default')])
})
