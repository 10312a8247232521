import type { ConnectionGater, MultiaddrConnection, PeerId } from '@libp2p/interface'
import { addressKey } from './addresses.js'
import type { Admission } from './admission.js'
import type { Handshakes, Newcomer } from './handshakes.js'

/** Binds who may start a handshake, who may stay, and what may be dialled to libp2p's hooks. */
export interface GaterComponents {
  readonly handshakes: Handshakes
  readonly admission: Admission
  /** Counts a refusal under its reason. */
  readonly refused: (reason: string) => void
  /** Number of open streams with a node. */
  readonly streamsWith: (peerId: PeerId) => number
  /** Addresses that `connect` asked for, and nothing else, are dialled. */
  readonly dialling: (addr: string) => boolean
}

export function createGater(components: GaterComponents): ConnectionGater {
  const { handshakes, admission, refused } = components
  const newcomers = new WeakMap<MultiaddrConnection, Newcomer>()

  function leave(connection: MultiaddrConnection): void {
    const newcomer = newcomers.get(connection)
    if (newcomer !== undefined) handshakes.leave(newcomer)
  }

  /** The one point where a connection whose node is known is let in. True = refuse. */
  function refuse(peerId: PeerId, connection: MultiaddrConnection, direction: 'inbound' | 'outbound'): boolean {
    const guest = {
      peerId: peerId.toString(),
      address: addressKey(connection.remoteAddr.toString()),
      direction,
      idle: () => components.streamsWith(peerId) === 0,
      dismiss: (reason: string) => connection.abort(new Error(reason))
    }
    const verdict = admission.admit(guest)
    if (verdict !== 'admitted') {
      refused(verdict)
      return true
    }
    connection.addEventListener('close', () => admission.release(guest))
    return false
  }

  return {
    async denyInboundConnection(connection) {
      const newcomer = newcomerOf(connection)
      newcomers.set(connection, newcomer)
      connection.addEventListener('close', () => handshakes.leave(newcomer))
      const turn = await handshakes.enter(addressKey(connection.remoteAddr.toString()), newcomer)
      if (!turn) refused('handshakes')
      return !turn
    },
    denyInboundEncryptedConnection: (peerId, connection) => refuse(peerId, connection, 'inbound'),
    denyInboundUpgradedConnection(peerId, connection) {
      if (admission.isContact(peerId.toString())) {
        handshakes.welcome(addressKey(connection.remoteAddr.toString()))
      }
      leave(connection)
      return false
    },
    denyOutboundEncryptedConnection: (peerId, connection) => refuse(peerId, connection, 'outbound'),
    denyDialMultiaddr: (addr) => !components.dialling(addr.toString())
  }
}

// A connection that is gone already can be neither paused nor resumed: libp2p throws then.
function newcomerOf(connection: MultiaddrConnection): Newcomer {
  return {
    pause() {
      if (connection.status === 'open') connection.pause()
    },
    resume() {
      if (connection.status === 'open') connection.resume()
    }
  }
}
