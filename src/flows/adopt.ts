import { type Result, ok } from '../base/result.js'
import { open } from '../wire/open.js'
import { type Pair, chainOf, storeOwn } from './chain.js'
import type { ContactBook } from './contact-book.js'
import type { EnvelopeIntake } from './envelope-intake.js'
import type { JobBook } from './job-book.js'
import type { OfferBook } from './offer-book.js'
import type { Clock } from './ports.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import { adoptOwnTask } from './task-intake.js'
import type { TypeBook } from './type-book.js'

/**
 * Takes back a message of our own that the peer holds and we lost, because this home was restored from an old backup
 * (protocols/streams.md, "Want"). It is ours only if we signed it and it follows our head. Resolves with our head after it.
 * One that we signed for the next place and that follows another head proves a second history of ours: that freezes.
 */
export function adoptOwn(
  components: {
    readonly steps: Steps
    readonly book: TaskBook
    readonly envelopes: EnvelopeIntake
    readonly types: TypeBook
    readonly jobs: JobBook
    readonly contacts: ContactBook
    readonly offers: OfferBook
    readonly clock: Clock
  },
  pair: Pair,
  bytes: Uint8Array
): Result<Promise<number>> {
  const { steps, book, types, jobs, envelopes, contacts, offers, clock } = components
  const opened = open(bytes, { from: pair.agent, to: pair.peer })
  if (!opened.ok) return opened
  const message = opened.value
  return ok(
    steps.run((tx) => {
      const out = chainOf(tx, pair).out
      // What is not next was adopted before.
      if (message.header.seq !== out.seq + 1) return out.seq
      if (message.header.prev !== out.id) {
        contacts.freeze(tx, pair, out.seq, clock.now())
        return out.seq
      }
      storeOwn(tx, pair, message)
      if (envelopes.concerns(tx, pair, message)) envelopes.adopt(tx, pair, message, clock.now())
      else if (message.content?.kind === 'offers.update') {
        offers.adopt(tx, pair, { ...message.header, ...message.content.body }, clock.now())
      } else adoptOwnTask(tx, { book, types, jobs }, pair, message, clock.now())
      offers.settle(tx, pair, clock.now())
      return chainOf(tx, pair).out.seq
    })
  )
}
