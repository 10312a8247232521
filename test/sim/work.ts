/** The part of a world in which agents delegate work, between nodes and between the two agents of one. */
import type { KvOp } from '../../src/store/key-value.js'
import { type Actor, type Cast, actorOf } from './cast.js'
import { delegateDuel, delegateMove, observeDelegation } from './delegate.js'
import { changedEnvelopes, overlapsIn, ownershipFaults } from './delegated.js'
import type { SimNode } from './node.js'
import { connectNeighbours } from './owners.js'
import type { Prng } from './prng.js'

export interface Work {
  /** Makes the two agents of each node contacts of each other. */
  meet(): void
  /** A write reached the disk of an actor's node. */
  onSynced(actor: Actor, ops: readonly KvOp[]): void
  onCrash(node: SimNode): void
  onJump(node: SimNode): void
  /** Looks through the doors at whatever changed. */
  lookAtChanged(): void
  /** Spreads moves of agents over the time of a world. */
  schedule(begin: (share: number, label: string, move: () => void) => void): void
  /** Looks at everything once more, and at the disks. */
  judge(): void
}

export function createWork(cast: Cast, prng: Prng): Work {
  const changed = new Map<Actor, Set<string>>()
  /** Per node, the latest time that its clock ever showed. */
  const latest: number[] = []
  const all = [...cast.actors, ...cast.neighbours]

  function noteTime(node: SimNode): number {
    const time = Math.max(latest[node.index] ?? 0, node.now())
    latest[node.index] = time
    return time
  }

  function burst(move: () => void): void {
    for (let left = prng.chance(0.2) ? prng.whole(2, 5) : 1; left > 0; left--) move()
  }

  return {
    meet() {
      for (const neighbour of cast.neighbours) {
        const actor = cast.actors[neighbour.node.index]
        if (actor !== undefined) connectNeighbours(cast, actor, neighbour)
      }
    },
    onSynced({ node }, ops) {
      for (const fault of overlapsIn(ops, noteTime(node))) cast.broken(`${node.name}: ${fault}`)
      for (const { agent, uid } of changedEnvelopes(ops)) {
        const actor = actorOf(cast, agent)
        if (actor !== undefined) changed.set(actor, (changed.get(actor) ?? new Set()).add(uid))
      }
    },
    onCrash(node) {
      for (const neighbour of cast.neighbours) if (neighbour.node.index === node.index) neighbour.calls = 0
    },
    onJump: (node) => void noteTime(node),
    lookAtChanged() {
      for (const [actor, uids] of changed) {
        changed.delete(actor)
        for (const uid of uids) observeDelegation(cast, actor, uid)
      }
    },
    schedule(begin) {
      // Worlds without second agents are those without delegated work.
      for (const actor of cast.neighbours.length === 0 ? [] : all) {
        begin(prng.whole(8, 24), `${actor.node.name} work`, () => burst(() => delegateMove(cast, actor)))
        begin(prng.whole(0, 8), `${actor.node.name} work duel`, () => delegateDuel(cast, actor))
      }
    },
    judge() {
      for (const actor of all) {
        for (const { taskUid } of actor.delegations.all()) observeDelegation(cast, actor, taskUid)
      }
      for (const { node } of cast.actors) for (const fault of ownershipFaults(node)) cast.broken(fault)
    }
  }
}
