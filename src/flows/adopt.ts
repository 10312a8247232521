import { type Result, ok } from '../base/result.js'
import { open } from '../wire/open.js'
import { type Pair, chainOf, storeOwn } from './chain.js'
import type { Clock } from './ports.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import { adoptOwnTask } from './task-intake.js'

/**
 * Takes back a message of our own that the peer holds and we lost, because this home was restored from an old backup
 * (protocols/streams.md, "Want"). It is ours only if we signed it and it follows our head. Resolves with our head after it.
 */
export function adoptOwn(
  components: { readonly steps: Steps; readonly book: TaskBook; readonly clock: Clock },
  pair: Pair,
  bytes: Uint8Array
): Result<Promise<number>> {
  const { steps, book, clock } = components
  const opened = open(bytes, { from: pair.agent, to: pair.peer })
  if (!opened.ok) return opened
  const message = opened.value
  return ok(
    steps.run((tx) => {
      const out = chainOf(tx, pair).out
      // What is not next was adopted before, or belongs to another history: it changes nothing.
      if (message.header.seq !== out.seq + 1 || message.header.prev !== out.id) return out.seq
      storeOwn(tx, pair, message)
      adoptOwnTask(tx, book, pair, message, clock.now())
      return message.header.seq
    })
  )
}
