import { sha256 } from '../base/digest.js'

/** Above what `init` picks from for other nodes, below the range that the system takes outgoing ports from. */
const PORTS = { first: 30_000, count: 2_768 }

/**
 * The loopback port of a node whose settings name none. It hangs on the node's key (32 bytes), so that an open page and an
 * agent's address find the node again after a restart, with nothing to be kept.
 */
export function ownPort(publicKey: Uint8Array): number {
  const digest = Buffer.from(sha256(publicKey))
  return PORTS.first + (digest.readUInt32BE() % PORTS.count)
}
