import type { AgentId, MessageId } from '../base/ids.js'
import type { VerifiedMessage } from '../wire/message.js'
import { type Pair, chainOf, receivedMessage, sentMessage } from './chain.js'
import { seqKey } from './keys.js'
import type { Tx } from './ports.js'
import type { Head } from './records/contacts.js'

/**
 * Messages that a damaged store lost out of the middle of a chain, and the proof that what comes back is what was there:
 * the hashes of what stands before and after them. Spec: protocols/backups.md, "Mending".
 */

/** Messages `from` … `to` of one chain. */
export interface Harm {
  readonly agent: AgentId
  readonly peer: AgentId
  /** Whether our agent wrote them or its contact. */
  readonly chain: 'sent' | 'received'
  readonly from: number
  readonly to: number
}

/** One harm while it is mended. */
export interface Mending {
  readonly harm: Harm
  /** What comes right before the harm, as a hello names it. */
  readonly before: Head
  /** Keeps a message that belongs into the harm; true when it was the last that was missing and all of them fit. */
  take(message: VerifiedMessage): boolean
  /** Stages what was taken. Call it once, after `take` said true. */
  stage(tx: Tx): void
}

/** Reads what stands around a harm. Throws when that is harmed as well: neighbours belong into one harm. */
export function mendingOf(tx: Pick<Tx, 'get'>, harm: Harm): Mending {
  const { chain, from, to } = harm
  const pair: Pair = { agent: harm.agent, peer: harm.peer }
  const read = chain === 'sent' ? sentMessage : receivedMessage
  const before: Head = from === 1 ? { seq: 0, id: '' } : { seq: from - 1, id: read(tx, pair, from - 1).id }
  const head = chain === 'sent' ? chainOf(tx, pair).out : chainOf(tx, pair).in
  const last = head.seq === to ? head.id : read(tx, pair, to + 1).header.prev
  const found = new Map<number, VerifiedMessage>()

  /** Each is named by the one after it, and the first follows what stands before. */
  function fits(): boolean {
    let id: MessageId | '' = last
    for (let seq = to; seq >= from; seq--) {
      const message = found.get(seq)
      if (message === undefined || message.id !== id) return false
      id = message.header.prev
    }
    return id === before.id
  }

  return {
    harm,
    before,
    take(message) {
      const { seq } = message.header
      if (seq < from || seq > to) return false
      found.set(seq, message)
      return found.size === to - from + 1 && fits()
    },
    stage(tx) {
      for (const [seq, message] of found) tx.put(chain, seqKey(pair.agent, pair.peer, seq), message.bytes)
    }
  }
}

/** Harms as they can be mended: those that touch each other are one, in the order of pairs, chains and numbers. */
export function joined(harms: readonly Harm[]): Harm[] {
  const inOrder = [...harms].sort((a, b) => compare(chainName(a), chainName(b)) || a.from - b.from)
  const result: Harm[] = []
  for (const harm of inOrder) {
    const last = result.at(-1)
    if (last !== undefined && chainName(last) === chainName(harm) && harm.from <= last.to + 1) {
      result[result.length - 1] = { ...last, to: Math.max(last.to, harm.to) }
    } else result.push(harm)
  }
  return result
}

function chainName({ agent, peer, chain }: Harm): string {
  return `${agent}/${peer}/${chain}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
