import type { AgentId, PeerId } from '../base/ids.js'
import type { Result } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { Address, Signature } from '../payments/address.js'
import type { FetchedTransaction } from '../payments/fetched.js'
import type { Cluster, PaymentTerms, SignedPayment } from '../payments/terms.js'
import type { Signer } from '../wire/ed25519.js'
import type { TableName, Tables } from './records/tables.js'

/** What the journeys need from the world. `store/`, `net/` and `node/` implement these; the simulator does too. */

/** Time. `wake` and `defer` never run their function before returning. */
export interface Clock {
  now(): Instant
  /** Runs `fn` once, `ms` milliseconds later (at most 2^31-1). The returned function calls it off. */
  wake(ms: number, fn: () => void): () => void
  /** Runs `fn` in a later turn of the loop, after what is at hand. */
  defer(fn: () => void): void
}

export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array
  /** A number in [0, 1), for jitter only. */
  fraction(): number
}

/** What one step may read and write. Reads see what this and earlier steps staged. */
export interface Tx {
  get<T extends TableName>(table: T, key: string): Tables[T] | undefined
  put<T extends TableName>(table: T, key: string, value: Tables[T]): void
  /** What stands in the audit log stays there. */
  del(table: Exclude<TableName, 'audit'>, key: string): void
}

export interface Step<T> {
  readonly value: T
  /** Resolves when everything that this step staged or read is on disk. Rejects when the disk refused it. */
  readonly durable: Promise<void>
}

export interface RangeOptions {
  /** Only keys that start with this. */
  readonly prefix: string
  /** Exclusive bounds within the prefix, without it. */
  readonly after?: string
  readonly before?: string
  readonly reverse?: boolean
  readonly limit?: number
}

/**
 * The node's memory: one writer. A step is synchronous, so rules that span contacts can't race; staged steps share one
 * synced batch. Whatever leaves the node (answer, receipt, message) leaves after `durable`.
 */
export interface Store extends Pick<Tx, 'get'> {
  /** Runs `step` at once. If it throws, nothing of it is staged. */
  transact<T>(step: (tx: Tx) => T): Step<T>
  /** Like `transact`, but for what may wait for the next batch or a few milliseconds (receipts): no sync of its own. */
  transactLazily<T>(step: (tx: Tx) => T): Step<T>
  /** Committed records in key order, as `[key, value]`; waits for what is staged first. */
  range<T extends TableName>(table: T, options: RangeOptions): Promise<Array<[string, Tables[T]]>>
  /** Resolves when everything staged so far is on disk. */
  durable(): Promise<void>
  /** The input that a batch waited for has been taken: it may start. */
  kick(): void
}

/** A bidirectional, authenticated stream of frames with one remote node. */
export interface Channel {
  /** The Noise-authenticated peer id of the other node. */
  readonly peerId: PeerId
  /**
   * Queues one frame; frames of one turn of the loop leave together. Undefined = go on; a promise = wait for it before
   * sending more (it resolves when the remote has read enough, and also when the channel ends). Never throws: after the
   * end it does nothing.
   */
  send(frame: Uint8Array): Promise<void> | undefined
  /**
   * Hands every inbound frame to `onFrame`, in order; a returned promise stops reading until it resolves. Called once.
   * A throw or rejection of `onFrame` ends this channel and nothing else.
   */
  read(onFrame: (frame: Uint8Array) => Promise<void> | void): void
  /** Ends both directions after what was sent has left; `abort` ends them now. Both may be called any number of times. */
  close(): void
  abort(reason: string): void
  /** Resolves when the channel has ended, for whatever reason. Never rejects. */
  readonly closed: Promise<void>
}

export interface Target {
  readonly peerId: PeerId
  readonly addrs: readonly string[]
  /** Loopback, link-local and private ranges are dialled only for contacts that the owner accepted. */
  readonly allowPrivate: boolean
}

/** The way to other nodes. */
export interface Link {
  /** Opens a fresh channel to that node. Rejects when it can't be reached within the dial deadline. */
  connect(target: Target): Promise<Channel>
  /** Called for each channel that a remote node opens. Set once, before `start`. */
  onChannel(accept: (channel: Channel) => void): void
  /** Peer ids of nodes that hold reserved connection slots. */
  setContacts(peers: ReadonlySet<PeerId>): void
  /** This node's own peer id and the addresses that go into its cards. */
  readonly peerId: PeerId
  addrs(): readonly string[]
}

/** The keys of our agents and of the node. Secrets stay behind `sign`. */
export interface Keyring {
  signer(agent: AgentId): Signer
  readonly node: Signer
}

/** Where the agents of this node have their keys, tokens and doors: files and sockets. */
export interface AgentPlaces {
  /**
   * Makes the key and the token of an agent where they are missing: its id, and SHA-256 of the token in hex. Refuses with
   * `bad_request` when the home has no room for that name.
   */
  make(name: string): Promise<Result<{ readonly agent: AgentId; readonly tokenHash: string }>>
  /** Puts a new token in the place of the old one: SHA-256 of it, in hex. */
  renewToken(name: string): Promise<string>
  /** Takes key and token out of use for good. Does nothing when that was done. */
  retire(name: string, agent: AgentId): Promise<void>
  /** Opens the agent's own door. Refuses as the listener does. */
  open(name: string, agent: AgentId): Promise<Result<void>>
  /** Shuts it, and ends what a token of that agent holds open anywhere. */
  close(agent: AgentId): void
  /** Ends what a token of that agent holds open, and leaves the door. */
  interrupt(agent: AgentId): void
}

/**
 * One Solana cluster, through one RPC node that is not trusted to be there, to be quick or to remember. Every call has a
 * deadline and a size limit and never rejects. What went wrong on the way (no answer, null, nonsense, too much, too slow)
 * is refused with `unavailable` and `chain_unreachable`: it says nothing about the payment, so ask again. A node of another
 * cluster than the configured one, mainnet above all, is refused with `chain_mismatch` until the configuration changes.
 * Source: protocols/payments.md, "Asking the chain".
 */
export interface Chain {
  readonly cluster: Cluster
  /** Asks for the genesis hash: at the start, and before the next call after any that went wrong. */
  check(): Promise<Result<void>>
  /** The own wallet; undefined when there is none. */
  address(): Address | undefined
  /** Lamports, finalized; 0 for an account that does not exist. */
  balance(address: Address): Promise<Result<bigint>>
  /** The finalized slot. */
  slot(): Promise<Result<number>>
  /** The finalized block height, which `lastValidBlockHeight` is held against. Never lower than it was. */
  blockHeight(): Promise<Result<number>>
  /**
   * The slots whose transactions this RPC node has: from the oldest block that it did not throw away yet to the newest
   * finalized one. What it does not find there was never there, as far as it knows.
   */
  history(): Promise<Result<{ readonly oldest: number; readonly newest: number }>>
  /**
   * Builds the one transaction of these terms on a fresh blockhash and signs it with the wallet. Sends nothing. Refuses
   * with `wallet_needed`, or with `payer_mismatch` when the terms name another wallet.
   */
  sign(terms: PaymentTerms): Promise<Result<SignedPayment>>
  /**
   * Broadcasts exactly these bytes; again and again is safe. ok: accepted, or known already. Refuses with
   * `transaction_refused` when the RPC node would not take them now (`details.reason`), which proves nothing: only a
   * finalized block height above `lastValidBlockHeight` and a clean search do.
   */
  send(bytes: Uint8Array): Promise<Result<void>>
  /**
   * By signature in the whole history, finalized only. ok(undefined): not there, as far as this RPC node knows; together
   * with a block height that was asked for before, above `lastValidBlockHeight`, it will never be.
   */
  fetch(signature: Signature): Promise<Result<FetchedTransaction | undefined>>
  /** All finalized signatures that name the reference, newest first, failed ones too, every page of them. */
  find(reference: Address): Promise<Result<readonly Signature[]>>
}

/** One line per event with fields; never payloads, keys or tokens. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void
}
