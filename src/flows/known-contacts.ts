import type { AgentId, PeerId } from '../base/ids.js'
import type { AgentBook } from './agents.js'
import type { Pair } from './chain.js'
import { isAdmitted } from './contact.js'
import type { ContactBook } from './contact-book.js'
import { pairKey } from './keys.js'
import type { Link, Store } from './ports.js'
import type { ContactRecord } from './records/contacts.js'

/**
 * All contacts of the hosted agents, as the store has them: few, and needed whenever a stream comes in. The link keeps
 * places for the nodes of those that are admitted.
 */
export interface KnownContacts {
  all(): ContactRecord[]
  of(agent: AgentId): ContactRecord[]
  /** Reads them from the store, once, when all agents are hosted. */
  load(): Promise<void>
  /** Reads one again that was written. */
  changed(pair: Pair): void
  /** Drops those of an agent that is hosted no more. */
  forget(agent: AgentId): void
}

export function createKnownContacts(components: {
  readonly store: Store
  readonly link: Pick<Link, 'setContacts'>
  readonly agents: AgentBook
  readonly contacts: ContactBook
}): KnownContacts {
  const { store, link, agents, contacts } = components
  const known = new Map<string, ContactRecord>()

  function of(agent: AgentId): ContactRecord[] {
    return [...known.values()].filter((record) => record.agent === agent)
  }

  function reserve(): void {
    const nodes = [...known.values()].filter((record) => isAdmitted(record))
    link.setContacts(new Set<PeerId>(nodes.map((record) => record.peerId)))
  }

  return {
    all: () => [...known.values()],
    of,
    async load() {
      for (const [name, record] of await store.range('contacts', { prefix: '' })) {
        if (agents.isOurs(record.agent)) known.set(name, record)
      }
      reserve()
    },
    changed(pair) {
      const record = contacts.find(store, pair)
      if (record !== undefined && agents.isOurs(pair.agent)) known.set(pairKey(pair.agent, pair.peer), record)
      reserve()
    },
    forget(agent) {
      for (const record of of(agent)) known.delete(pairKey(record.agent, record.peer))
      reserve()
    }
  }
}
