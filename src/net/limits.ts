/**
 * What a node lets others do to it. libp2p's own defaults are no limits: ten silent sockets block every newcomer, one
 * stranger fills all connection slots, and its worst case in memory is above one TiB. The largest frame is not among
 * them: both sides must agree on it (wire/limits.ts).
 */
export interface NetLimits extends OwnerLimits {
  /** How long a stranger may stay, milliseconds: enough for a contact request and its answer. */
  readonly strangerMs: number
  /** Handshakes under way, all addresses together, and those waiting for their turn. */
  readonly handshakes: number
  /** Handshakes under way from one address; more wait for their turn, in order. */
  readonly handshakesPerAddress: number
  /** The same for an address from which a contact has come: a household, an office, a carrier's NAT. */
  readonly handshakesPerContactAddress: number
  /** Handshakes waiting for their turn at one address; more are refused at once. */
  readonly waitingPerAddress: number
  /** A handshake, waiting included, is given up after this many milliseconds. */
  readonly handshakeMs: number
  /** New connections from one address that may come at once. */
  readonly newAtOnce: number
  /** Our protocol's streams on one connection, each way. */
  readonly streams: number
  /** Flow-control window of a stream, bytes: the most a sender can have waiting in our memory. */
  readonly windowBytes: number
  /** Muxer frames from one connection, per second and at once: what a frame costs doesn't depend on its size. */
  readonly muxerPerSecond: number
  readonly muxerAtOnce: number
  /** Time for one frame to arrive once begun; time a remote may read nothing; time to close after us. Milliseconds. */
  readonly frameMs: number
  readonly drainMs: number
  readonly lingerMs: number
  /** Bytes that may wait in memory for one channel. */
  readonly queuedBytes: number
}

/** What an owner may change; the values are in config/default.toml, under `limits`. */
export interface OwnerLimits {
  /** Connections of strangers, all together. Contacts don't count: their number is what the owner accepted. */
  readonly strangers: number
  /** Established connections of strangers from one address (IPv6: from one /64). */
  readonly strangersPerAddress: number
  /** Connections with one node, contact or not. A contact's newest replaces its oldest. */
  readonly perPeer: number
  /** New connections per second from one address that last. */
  readonly newPerSecond: number
}

export const DEFAULT_LIMITS: Omit<NetLimits, keyof OwnerLimits> = {
  strangerMs: 60_000,
  handshakes: 256,
  handshakesPerAddress: 2,
  handshakesPerContactAddress: 16,
  waitingPerAddress: 14,
  handshakeMs: 3_000,
  newAtOnce: 64,
  streams: 32,
  windowBytes: 256 * 1024,
  muxerPerSecond: 20_000,
  muxerAtOnce: 40_000,
  frameMs: 30_000,
  drainMs: 30_000,
  lingerMs: 5_000,
  queuedBytes: 8 * 1024 * 1024
}
