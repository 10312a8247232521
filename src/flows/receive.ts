import { toBase64url } from '../base/bytes.js'
import type { MessageId } from '../base/ids.js'
import type { DetailCode } from '../base/refusal.js'
import type { Result } from '../base/result.js'
import { ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { VerifiedMessage } from '../wire/message.js'
import { open } from '../wire/open.js'
import { type Pair, chainOf, mayWrite, receivedMessage, storeTheirs } from './chain.js'
import { isAdmitted } from './contact.js'
import type { ContactBook } from './contact-book.js'
import type { EnvelopeIntake } from './envelope-intake.js'
import { pairKey, seqKey } from './keys.js'
import type { OfferBook } from './offer-book.js'
import type { Clock, Log } from './ports.js'
import type { StepTx, Steps } from './steps.js'
import type { TaskIntake } from './task-intake.js'

/**
 * The inbound journey of one message, top to bottom: open -> next in the sender's chain? -> store -> effects -> one
 * synced commit. Its bytes were charged to the sender's budget before they came here (`net/budget.ts`), its frame was
 * within size and queued per contact (`flows/inbound.ts`), and the receipt leaves after the commit (`flows/listening.ts`).
 */

/** What became of a message; the caller turns it into a receipt, a `want`, or the end of the stream. */
export type Received =
  /** On disk now. `head` is our own chain's head towards the peer at that commit; the receipt says it. */
  | {
      readonly what: 'stored'
      readonly seq: number
      readonly id: MessageId
      readonly head: number
      readonly opaque: boolean
      /** What it said ended the contact: this is the last receipt. */
      readonly last: boolean
    }
  /** Known since before: the receipt is answered again, for all that is stored by now. Another stream may have brought it. */
  | { readonly what: 'duplicate'; readonly seq: number; readonly id: MessageId; readonly head: number }
  /** It lies beyond the next place in the chain: ask for what is between. */
  | { readonly what: 'gap'; readonly from: number }
  /** Two different signed messages for one place: both are kept, the contact is frozen. */
  | { readonly what: 'frozen' }
  /** The contact ended or was frozen while this was on its way: not stored. */
  | { readonly what: 'closed' }
  /** Not stored, and to be sent again: what this home lost must come back first. */
  | { readonly what: 'later' }

export interface ReceiveComponents {
  readonly steps: Steps
  readonly contacts: ContactBook
  readonly intake: TaskIntake
  readonly envelopes: EnvelopeIntake
  readonly offers: OfferBook
  readonly clock: Clock
  readonly log: Log
}

export type Receive = (pair: Pair, bytes: Uint8Array) => Result<Promise<Received>>

/** Refuses (as a value) what does not authenticate; everything else is stored and advances the chain. */
export function createReceive(components: ReceiveComponents): Receive {
  const { steps, contacts, intake, envelopes, offers, clock, log } = components

  return (pair, bytes) => {
    // Decode, strict verify, addressed to us, signed by the contact of this stream.
    const opened = open(bytes, { from: pair.peer, to: pair.agent })
    if (!opened.ok) return opened
    return ok(steps.run((tx) => take(tx, pair, opened.value, clock.now())))
  }

  function take(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): Received {
    // What was queued before the contact ended or was frozen comes too late.
    if (!isAdmitted(contacts.find(tx, pair))) return { what: 'closed' }
    if (!mayWrite(tx, pair).ok) return { what: 'later' }

    // Next in the sender's chain?
    const head = chainOf(tx, pair).in
    const seq = message.header.seq
    if (seq > head.seq + 1) return { what: 'gap', from: head.seq + 1 }
    if (seq <= head.seq) return recall(tx, pair, message, now)
    if (message.header.prev !== head.id) return freeze(tx, pair, head.seq, message, now)

    // What authenticates is stored, whatever it says: one odd message never wedges a contact.
    storeTheirs(tx, pair, message)
    const why = effect(tx, pair, message, now)
    envelopes.heard(tx, pair, now)
    if (why !== undefined) log.warn('message without effect', { kind: message.header.kind, why })
    return {
      what: 'stored',
      seq,
      id: message.id,
      head: chainOf(tx, pair).out.seq,
      opaque: message.content === undefined,
      last: !isAdmitted(contacts.find(tx, pair))
    }
  }

  /** What the message does here; undefined, or why it has no effect. */
  function effect(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): DetailCode | undefined {
    if (envelopes.concerns(tx, pair, message)) return envelopes.take(tx, pair, message, now)
    if (message.header.task !== undefined) return intake.take(tx, pair, message, now)
    const { id, content, header } = message
    if (content === undefined) return 'malformed_message'
    if (content.kind === 'offers.update') return offers.take(tx, pair, { ...header, ...content.body }, now)
    return contacts.take(tx, pair, { id, content }, now)
  }

  function recall(tx: StepTx, pair: Pair, message: VerifiedMessage, now: Instant): Received {
    const known = receivedMessage(tx, pair, message.header.seq)
    const { in: into, out } = chainOf(tx, pair)
    if (known.id === message.id && into.id !== '') {
      return { what: 'duplicate', seq: into.seq, id: into.id, head: out.seq }
    }
    return freeze(tx, pair, message.header.seq, message, now)
  }

  function freeze(tx: StepTx, pair: Pair, seq: number, other: VerifiedMessage, now: Instant): Received {
    const first = tx.get('received', seqKey(pair.agent, pair.peer, seq))
    tx.put('equivocations', seqKey(pair.agent, pair.peer, seq), {
      seq,
      first: first === undefined ? '' : toBase64url(first),
      second: toBase64url(other.bytes),
      at: now
    })
    contacts.freeze(tx, pair, seq, now)
    log.warn('contact frozen: two messages with one sequence number', { pair: pairKey(pair.agent, pair.peer), seq })
    return { what: 'frozen' }
  }
}
