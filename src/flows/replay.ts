import { encodeFrame } from '../wire/frames.js'
import { type Pair, chainOf } from './chain.js'
import { seqKey } from './keys.js'
import type { Channel, Store } from './ports.js'

/**
 * Shows a peer the messages that it signed itself and lost (a restored backup): only its own chain towards us, only on a
 * stream that passed the hello, and never more than the channel takes. Resolves with the last number that it showed.
 */
export async function replay(at: {
  readonly store: Store
  readonly channel: Channel
  readonly pair: Pair
  readonly from: number
  readonly isOver: () => boolean
}): Promise<number> {
  const { store, channel, pair, isOver } = at
  await store.durable()
  const last = chainOf(store, pair).in.seq
  for (let seq = at.from; seq <= last && !isOver(); seq++) {
    const bytes = store.get('received', seqKey(pair.agent, pair.peer, seq))
    if (bytes === undefined) throw new Error(`the peer's chain has a hole at ${seq}`)
    await channel.send(encodeFrame({ type: 'message', bytes }))
  }
  return Math.max(last, at.from)
}
