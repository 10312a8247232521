import { type Instant, isoOf } from '../base/time.js'
import { isPrivateAddr } from '../wire/address.js'
import { type Pair, chainOf, sentMessage } from './chain.js'
import type { Lane } from './deliver.js'
import type { OwnerDoor } from './doors.js'
import type { Link, Tx } from './ports.js'
import type { ContactRecord } from './records/contacts.js'
import type { Steps } from './steps.js'
import type { HealthView, UndeliveredView } from './views/health.js'

/** How the node stands to the world: from how far it can be reached, and what has not left it yet and why. */
export type Health = Pick<OwnerDoor, 'health' | 'undelivered'>

type LaneOf = (pair: Pair) => Lane | undefined

/** Waiting messages of one contact that are looked at for the tasks they belong to. */
const LOOKED_AT = 100

export function createHealth(components: {
  readonly steps: Steps
  readonly link: Pick<Link, 'addrs'>
  readonly contacts: () => readonly ContactRecord[]
  readonly laneOf: LaneOf
  readonly startedAt: Instant
}): Health {
  const { steps, link, contacts, laneOf, startedAt } = components

  function waitingFor(tx: Pick<Tx, 'get'>, record: ContactRecord): UndeliveredView[] {
    const { agent, peer, state } = record
    const { out, acked } = chainOf(tx, record)
    if ((state !== 'active' && state !== 'requested') || out.seq <= acked) return []
    const seqs = Array.from({ length: Math.min(out.seq - acked, LOOKED_AT) }, (_, at) => acked + 1 + at)
    const headers = seqs.map((seq) => sentMessage(tx, record, seq).header)
    const reason = record.frozen === undefined ? (laneOf(record)?.obstacle() ?? 'on_its_way') : 'contact_frozen'
    return [
      {
        agent,
        contact: peer,
        participantHandle: record.alias ?? record.handle,
        status: state,
        pending: out.seq - acked,
        since: headers[0]?.at ?? '',
        reason,
        taskUids: [...new Set(headers.flatMap(({ task }) => task?.uid ?? []))]
      }
    ]
  }

  return {
    health: () =>
      steps.read((tx) => {
        const { undelivered, ...reached } = standingOf(tx, contacts(), laneOf)
        const addrs = link.addrs()
        return {
          reach: reachBy(addrs),
          addrs,
          contacts: reached,
          undelivered,
          startedAt: isoOf(startedAt)
        }
      }),
    undelivered: () => steps.read((tx) => ({ items: contacts().flatMap((record) => waitingFor(tx, record)) }))
  }
}

/** Active contacts, those of them with an open stream, and messages that wait for any of them. */
export function standingOf(tx: Pick<Tx, 'get'>, contacts: readonly ContactRecord[], laneOf: LaneOf) {
  const active = contacts.filter(({ state }) => state === 'active')
  const chains = active.map((record) => chainOf(tx, record))
  return {
    active: active.length,
    connected: active.filter((record) => laneOf(record)?.connected() === true).length,
    undelivered: chains.reduce((sum, { out, acked }) => sum + out.seq - acked, 0)
  }
}

function reachBy(addrs: readonly string[]): HealthView['reach'] {
  if (addrs.length === 0) return 'offline'
  if (addrs.some((addr) => !isPrivateAddr(addr))) return 'direct'
  return addrs.every((addr) => /^\/ip4\/127\.|^\/ip6\/::1\//.test(addr)) ? 'machine_only' : 'lan_only'
}
