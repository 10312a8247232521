import type { EnvelopeView, OwnedView } from './envelopes.js'
import type { TaskView } from './tasks.js'

/** The work of all agents as their owner sees it. Source: protocols/socket-api.md, "Views". */

/** Whose it is, and with whom in the owner's own words. */
export interface WithWhom {
  /** Our agent. */
  readonly agent: string
  /** The contact's alias or handle; empty when the contact is gone. */
  readonly participantHandle: string
}

export interface OwnerTaskView extends TaskView, WithWhom {
  /** As its definition says. */
  readonly typeTitle?: string
}

export interface OwnerEnvelopeView extends EnvelopeView, WithWhom {}

export interface OwnerOwnedView extends OwnedView, WithWhom {}
