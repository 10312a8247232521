import type { AgentId } from '../base/ids.js'
import { type Refusal, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import type { Signer } from '../wire/ed25519.js'
import type { Content, Draft, TaskPlace, VerifiedMessage } from '../wire/message.js'
import { reopen } from '../wire/open.js'
import { seal } from '../wire/seal.js'
import { pairKey, seqKey } from './keys.js'
import type { Tx } from './ports.js'
import type { ChainRecord } from './records/contacts.js'

/** The two chains of a pair: one of our agents, and the agent it talks to (protocols/wire.md, "Chains"). */

export interface Pair {
  readonly agent: AgentId
  readonly peer: AgentId
}

/** The pair of whatever names one, without the rest of it. */
export function onlyPair(of: Pair): Pair {
  return { agent: of.agent, peer: of.peer }
}

const EMPTY: ChainRecord = { out: { seq: 0, id: '' }, in: { seq: 0, id: '' }, acked: 0 }

/** Both heads of the pair; zeros before the first message. */
export function chainOf(tx: Pick<Tx, 'get'>, pair: Pair): ChainRecord {
  return tx.get('chains', pairKey(pair.agent, pair.peer)) ?? EMPTY
}

/**
 * Seals the next message of our chain and stages it: the outbox is whatever lies above the last receipt, so this one
 * record is log, chain and outbox. Refuses with `too_large`, and with `unavailable` (see `mayWrite`).
 */
export function appendOwn(
  tx: Tx,
  pair: Pair,
  draft: { readonly content: Content; readonly task?: TaskPlace },
  by: { readonly signer: Signer; readonly now: Instant }
): Result<VerifiedMessage> {
  const may = mayWrite(tx, pair)
  if (!may.ok) return may
  const chain = chainOf(tx, pair)
  const { kind, body } = draft.content
  const { seq, id: prev } = chain.out
  const { agent: from, peer: to } = pair
  const { task } = draft
  const at = isoOf(by.now)
  const members =
    task === undefined
      ? { at, body, from, kind, prev, seq: seq + 1, to }
      : { at, body, from, kind, prev, seq: seq + 1, task, to }
  const sealed = seal(members as Draft, by.signer)
  if (!sealed.ok) return sealed
  storeOwn(tx, pair, sealed.value)
  return ok(sealed.value)
}

/** Stages a message of our own chain that follows its head. */
export function storeOwn(tx: Tx, pair: Pair, message: VerifiedMessage): void {
  const seq = message.header.seq
  tx.put('sent', seqKey(pair.agent, pair.peer, seq), message.bytes)
  const { in: into, acked, lostUpTo } = chainOf(tx, pair)
  putChain(tx, pair, { out: { seq, id: message.id }, in: into, acked }, lostUpTo)
}

/** Stages how much of our chain the peer says it holds; what is above our head was lost here. */
export function noteHeld(tx: Tx, pair: Pair, held: number): void {
  const chain = chainOf(tx, pair)
  if (held > chain.out.seq || chain.lostUpTo !== undefined) putChain(tx, pair, chain, held)
}

/** Stages that the peer's receipts cover our chain up to here. */
export function noteAcked(tx: Tx, pair: Pair, acked: number): void {
  const { out, in: into, lostUpTo } = chainOf(tx, pair)
  putChain(tx, pair, { out, in: into, acked }, lostUpTo)
}

/** Nothing is written to the peer before its next hello: a restored node can't know how far its own chain went. */
export function awaitHello(tx: Tx, pair: Pair): void {
  const chain = chainOf(tx, pair)
  putChain(tx, pair, chain, chain.out.seq + 1)
}

/** Refuses with `unavailable` while messages that we lost are being fetched: what we wrote now would contradict them. */
export function mayWrite(tx: Pick<Tx, 'get'>, pair: Pair): Result<void> {
  return chainOf(tx, pair).lostUpTo === undefined ? ok() : fail(restoring())
}

/** What we answer while a contact still has to show us what we lost. */
export function restoring(): Refusal {
  return refusal(
    'unavailable',
    'This node was restored from a backup and fetches what it lost from this contact. Try again when it was reached.'
  )
}

/** `lostUpTo`: how much of our chain the peer holds, where that may be more than we do. */
function putChain(tx: Tx, pair: Pair, { out, in: into, acked }: ChainRecord, lostUpTo: number | undefined): void {
  const isLost = lostUpTo !== undefined && lostUpTo > out.seq
  tx.put(
    'chains',
    pairKey(pair.agent, pair.peer),
    isLost ? { out, in: into, acked, lostUpTo } : { out, in: into, acked }
  )
}

/** Stages a message of the peer's chain that follows its head: it is stored whatever it says. */
export function storeTheirs(tx: Tx, pair: Pair, message: VerifiedMessage): void {
  const seq = message.header.seq
  tx.put('received', seqKey(pair.agent, pair.peer, seq), message.bytes)
  const { out, acked, lostUpTo } = chainOf(tx, pair)
  putChain(tx, pair, { out, in: { seq, id: message.id }, acked }, lostUpTo)
}

/** A message of our chain, as it was sent. Throws when the store has a hole: the audit at start would have said so. */
export function sentMessage(tx: Pick<Tx, 'get'>, pair: Pair, seq: number): VerifiedMessage {
  return readBack(tx.get('sent', seqKey(pair.agent, pair.peer, seq)), seq)
}

/** A message of the peer's chain, as it was stored. Throws when the store has a hole. */
export function receivedMessage(tx: Pick<Tx, 'get'>, pair: Pair, seq: number): VerifiedMessage {
  return readBack(tx.get('received', seqKey(pair.agent, pair.peer, seq)), seq)
}

/** Our newest contact request that no receipt covers, as it was signed. */
export function queuedRequest(tx: Pick<Tx, 'get'>, pair: Pair): Uint8Array | undefined {
  const chain = chainOf(tx, pair)
  for (let seq = chain.out.seq; seq > chain.acked; seq--) {
    const message = sentMessage(tx, pair, seq)
    if (message.content?.kind === 'contact.request') return message.bytes
  }
  return undefined
}

function readBack(bytes: Uint8Array | undefined, seq: number): VerifiedMessage {
  if (bytes === undefined) throw new Error(`the store has no message ${seq} of a chain whose head lies above it`)
  return reopen(bytes)
}
