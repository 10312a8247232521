import type { Pair } from './chain.js'
import { type DeliverComponents, type DeliverOptions, type Lane, createLane } from './deliver.js'
import { pairKey } from './keys.js'

/** The lanes of this node: one to each contact that it has had something to say to. */
export interface Lanes {
  /** The lane to a contact, made when it is first needed. */
  to(pair: Pair): Lane
  /** The lane to a contact, if there is one. */
  find(pair: Pair): Lane | undefined
  /** Ends the lane to a contact; the next `to` makes another. */
  cut(pair: Pair): void
  /** Ends all of them, for good. */
  stop(): void
}

export function createLanes(components: DeliverComponents, options: DeliverOptions): Lanes {
  const lanes = new Map<string, Lane>()

  return {
    to({ agent, peer }) {
      const name = pairKey(agent, peer)
      const lane = lanes.get(name) ?? createLane(components, options, { agent, peer })
      lanes.set(name, lane)
      return lane
    },
    find: ({ agent, peer }) => lanes.get(pairKey(agent, peer)),
    cut({ agent, peer }) {
      lanes.get(pairKey(agent, peer))?.cut()
      lanes.delete(pairKey(agent, peer))
    },
    stop() {
      for (const lane of lanes.values()) lane.cut()
    }
  }
}
