import type { Instant } from '../base/time.js'

/**
 * Who may stay connected, once the handshake has told who it is. Contacts always get in; strangers share a small
 * number of places, few of them for one address, and for a short time.
 */
export interface AdmissionLimits {
  readonly strangers: number
  readonly strangersPerAddress: number
  readonly perPeer: number
  readonly strangerMs: number
}

export interface Guest {
  readonly peerId: string
  /** What per-address limits count by (addresses.ts). */
  readonly address: string
  readonly direction: 'inbound' | 'outbound'
  /** Whether it has no stream open. */
  idle(): boolean
  /** Ends the connection now. */
  dismiss(reason: string): void
}

export interface Admission {
  /** Takes the guest in, or answers why not. */
  admit(guest: Guest): 'admitted' | 'strangers_full' | 'address_full' | 'peer_full'
  release(guest: Guest): void
  setContacts(peers: ReadonlySet<string>): void
  isContact(peerId: string): boolean
  /** Dismisses strangers who have stayed too long. */
  sweep(): void
}

export function createAdmission(limits: AdmissionLimits, now: () => Instant): Admission {
  /** Since when each guest has been a stranger here. Insertion order is age. */
  const guests = new Map<Guest, { strangerSince: Instant }>()
  let contacts: ReadonlySet<string> = new Set()

  function all(test: (guest: Guest) => boolean): Guest[] {
    return [...guests.keys()].filter(test)
  }

  function admitStranger(guest: Guest): 'admitted' | 'strangers_full' | 'address_full' | 'peer_full' {
    const strangers = all((other) => other.direction === 'inbound' && !contacts.has(other.peerId))
    if (strangers.length >= limits.strangers) return 'strangers_full'
    if (strangers.filter((other) => other.address === guest.address).length >= limits.strangersPerAddress) {
      return 'address_full'
    }
    return all((other) => other.peerId === guest.peerId).length >= limits.perPeer ? 'peer_full' : 'admitted'
  }

  // The old connection of a contact whose network changed looks alive to us for a while. It proved who it is, so it
  // may always come back: the newcomer takes the place of its oldest.
  function replaceOldest(peerId: string): void {
    const own = all((other) => other.peerId === peerId)
    if (own.length < limits.perPeer) return
    const oldest = own.find((other) => other.direction === 'inbound') ?? own[0]
    if (oldest === undefined) return
    guests.delete(oldest)
    oldest.dismiss('replaced by a newer connection')
  }

  function overstayed(guest: Guest, strangerSince: Instant): boolean {
    if (contacts.has(guest.peerId) || now() - strangerSince < limits.strangerMs) return false
    return guest.direction === 'inbound' || guest.idle()
  }

  return {
    admit(guest) {
      // Maintainers leave dials of our own outside every cap, so that a flooded node can still reach out; so do we.
      const verdict = guest.direction === 'outbound' || contacts.has(guest.peerId) ? 'admitted' : admitStranger(guest)
      if (verdict !== 'admitted') return verdict
      if (contacts.has(guest.peerId)) replaceOldest(guest.peerId)
      guests.set(guest, { strangerSince: now() })
      return verdict
    },
    release(guest) {
      guests.delete(guest)
    },
    setContacts(peers) {
      for (const [guest, stay] of guests) {
        if (contacts.has(guest.peerId) && !peers.has(guest.peerId)) stay.strangerSince = now()
      }
      contacts = new Set(peers)
    },
    isContact: (peerId) => contacts.has(peerId),
    sweep() {
      for (const [guest, stay] of [...guests]) {
        if (overstayed(guest, stay.strangerSince)) guest.dismiss('a stranger may stay only so long')
      }
    }
  }
}
