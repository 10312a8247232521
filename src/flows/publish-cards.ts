import { type AgentBook, ownCard } from './agents.js'
import { mayWrite } from './chain.js'
import type { ContactBook } from './contact-book.js'
import type { KnownContacts } from './known-contacts.js'
import type { Clock } from './ports.js'
import type { Steps } from './steps.js'

/** A node that moved tells its contacts where it is now: the cards of its agents, and `card.update` to whom they are news. */
export function publishCards(components: {
  readonly steps: Steps
  readonly agents: AgentBook
  readonly contacts: ContactBook
  readonly known: KnownContacts
  readonly clock: Clock
}): Promise<void> {
  const { steps, agents, contacts, known, clock } = components
  return steps.run((tx) => {
    const now = clock.now()
    for (const agent of agents.all()) {
      if (agents.publish(tx, agent, now) === 'unchanged') continue
      const card = ownCard(tx, agent)
      for (const record of known.of(agent)) {
        if (record.state !== 'active' || record.frozen !== undefined) continue
        // Whom we may not write to now learns it by our hello.
        if (!mayWrite(tx, record).ok) continue
        contacts.write(tx, record, { kind: 'card.update', body: { card } }, now)
      }
    }
  })
}
