import type { MessageId } from '../base/ids.js'
import type { RefuseCode } from './log.js'

/** What became of a message: `applied`, or why it has no effect. */
export type Effect =
  'applied' | 'opaque' | 'version_conflict' | 'illegal_transition' | 'late_refuse' | `refused:${RefuseCode}`

/** What became of each message of a log. Source: protocols/tasks.md, "Fold". */
export interface Effects extends Iterable<readonly [MessageId, Effect]> {
  /** Undefined for a message that is not in the log. */
  get(id: MessageId): Effect | undefined
}

/** The effects of a log that is longer by one message. They rest on those of the shorter log: a copy would cost more each time. */
export function withEffect(before: Effects, id: MessageId, effect: Effect): Effects {
  return new Longer(before, id, effect)
}

class Longer implements Effects {
  constructor(
    readonly before: Effects,
    readonly id: MessageId,
    readonly effect: Effect
  ) {}

  get(id: MessageId): Effect | undefined {
    return this.id === id ? this.effect : effectIn(this.before, id)
  }

  *[Symbol.iterator](): Iterator<readonly [MessageId, Effect]> {
    const added = [this.entry()]
    let at = this.before
    for (; at instanceof Longer; at = at.before) added.push(at.entry())
    yield* at
    yield* added.reverse()
  }

  entry(): readonly [MessageId, Effect] {
    return [this.id, this.effect]
  }
}

/** By a loop: a log may be longer than the stack is deep. */
function effectIn(effects: Effects, id: MessageId): Effect | undefined {
  let at = effects
  for (; at instanceof Longer; at = at.before) if (at.id === id) return at.effect
  return at.get(id)
}
