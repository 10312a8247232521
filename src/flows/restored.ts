import type { Approvals } from './approvals.js'
import { record } from './audit.js'
import { awaitHello } from './chain.js'
import type { ContactBook } from './contact-book.js'
import { META } from './keys.js'
import type { Clock, Store } from './ports.js'
import type { Steps } from './steps.js'

/**
 * What a home that came out of a backup must do before it speaks: it can't tell what it signed, answered or gave away
 * after the backup was made. Spec: protocols/backups.md, "Restoring", 3.
 */
export async function settleRestored(components: {
  readonly store: Store
  readonly steps: Steps
  readonly contacts: ContactBook
  readonly approvals: Approvals
  readonly clock: Clock
}): Promise<void> {
  const { store, steps, contacts, approvals, clock } = components
  if (store.get('meta', META.restored) === undefined) return
  const known = await store.range('contacts', { prefix: '' })
  const asked = await store.range('approvals', { prefix: '' })
  const invites = await store.range('invites', { prefix: '' })
  await steps.run((tx) => {
    const now = clock.now()
    for (const [, contact] of known) {
      if (contact.state === 'active') awaitHello(tx, contact)
      if (contact.state === 'pending')
        contacts.save(tx, { ...contact, state: 'removed', reason: 'restored', since: now })
    }
    for (const [, approval] of asked) approvals.abandon(tx, approval, now)
    for (const [key] of invites) tx.del('invites', key)
    tx.del('meta', META.restored)
    record(tx, { at: now, who: { kind: 'node' }, what: 'node.restored', about: {} })
  })
}
