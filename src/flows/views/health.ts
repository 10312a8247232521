import type { WithWhom } from './owner-work.js'

/** How the node stands to the world, for its owner. Source: protocols/socket-api.md, "Views". */

/** How far away others can be and still reach this node by the addresses that it tells them. */
export const REACHES = ['direct', 'lan_only', 'machine_only', 'offline'] as const

export interface HealthView {
  readonly reach: (typeof REACHES)[number]
  readonly addrs: readonly string[]
  readonly contacts: { readonly active: number; readonly connected: number }
  readonly undelivered: number
  readonly startedAt: string
}

/** Why messages are still here: `on_its_way` when nothing speaks against it so far. */
export const WAITS_FOR = ['on_its_way', 'unreachable', 'not_contact', 'busy', 'contact_frozen'] as const

/** What waits for the node of one contact. */
export interface UndeliveredView extends WithWhom {
  readonly contact: string
  /** Of the contact: `requested` while its owner has not answered. */
  readonly status: 'requested' | 'active'
  readonly pending: number
  /** When the oldest of them was written. */
  readonly since: string
  readonly reason: (typeof WAITS_FOR)[number]
  /** Tasks that the oldest of them belong to. */
  readonly taskUids: readonly string[]
}
