import { fromBase64url, toBase64url } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Instant, isoOf } from '../base/time.js'
import { type Card, openCard, sealCard } from '../wire/card.js'
import { record } from './audit.js'
import { agentKey } from './keys.js'
import type { Keyring, Link, Tx } from './ports.js'
import type { AgentRecord } from './records/contacts.js'

/** The agents that this node hosts, and their cards. */
export interface AgentBook {
  /** Known before `start`; the record itself is in the store. */
  host(agent: HostedAgent): void
  /** It is hosted no more: its token is nobody's, and what comes for it is for no agent of ours. */
  drop(agent: AgentId): void
  /** Its token is another from now on. */
  renew(agent: AgentId, tokenHash: string): void
  /** Stages the record of a hosted agent, with a new card if name, node or addresses changed. Answers whether they did. */
  publish(tx: Tx, agent: AgentId, now: Instant): 'unchanged' | 'changed'
  all(): readonly AgentId[]
  byTokenHash(tokenHash: string): AgentId | undefined
  isOurs(agent: AgentId): boolean
  /** By name, id or handle; without a word the only one, or `default`. Refuses with `not_found`. */
  pick(tx: Pick<Tx, 'get'>, word: string | undefined): Result<AgentRecord>
}

export interface HostedAgent {
  readonly agent: AgentId
  /** Its directory in the home, e.g. `default`. */
  readonly name: string
  /** With `@`. */
  readonly handle: string
  /** SHA-256 of its bearer token, hex. */
  readonly tokenHash: string
}

export function createAgentBook(components: { readonly keyring: Keyring; readonly link: Link }): AgentBook {
  const { keyring, link } = components
  const hosted = new Map<AgentId, HostedAgent>()

  const recordOf = (tx: Pick<Tx, 'get'>, agent: AgentId): AgentRecord | undefined => tx.get('agents', agentKey(agent))

  function publish(tx: Tx, agent: AgentId, now: Instant): 'unchanged' | 'changed' {
    const host = hosted.get(agent)
    if (host === undefined) throw new Error(`agent ${agent} is not hosted here`)
    const old = recordOf(tx, agent)
    const next = { agent, handle: host.handle, peerId: link.peerId, addrs: [...link.addrs()] }
    const same = old !== undefined && old.card !== '' && sameCard(old.card, next)
    const cardSeq = same ? old.cardSeq : (old?.cardSeq ?? 0) + 1
    const card = same ? old.card : toBase64url(seal({ ...next, seq: cardSeq, at: isoOf(now) }))
    tx.put('agents', agentKey(agent), { ...host, cardSeq, card })
    // A token that another program put in place while the node was down is one more that the owner should know of.
    const what = old === undefined ? 'agent.added' : 'token.rotated'
    if (old?.tokenHash !== host.tokenHash) record(tx, { at: now, who: { kind: 'owner' }, what, about: { agent } })
    return same ? 'unchanged' : 'changed'
  }

  function seal(card: Card): Uint8Array {
    return sealCard(card, keyring.signer(card.agent), keyring.node)
  }

  function pick(tx: Pick<Tx, 'get'>, word: string | undefined): Result<AgentRecord> {
    const all = [...hosted.values()]
    const found =
      word === undefined
        ? (all.find((one) => one.name === 'default') ?? all[0])
        : all.find((one) => one.name === word || one.agent === word || one.handle === word)
    const known = found === undefined ? undefined : recordOf(tx, found.agent)
    if (known !== undefined) return ok(known)
    return fail(refusal('not_found', `This node hosts no agent called ${word ?? 'default'}.`, { field: 'agent' }))
  }

  return {
    host(agent) {
      hosted.set(agent.agent, agent)
    },
    drop: (agent) => void hosted.delete(agent),
    renew(agent, tokenHash) {
      const known = hosted.get(agent)
      if (known !== undefined) hosted.set(agent, { ...known, tokenHash })
    },
    publish,
    all: () => [...hosted.keys()],
    byTokenHash(tokenHash) {
      for (const one of hosted.values()) if (one.tokenHash === tokenHash) return one.agent
      return undefined
    },
    isOurs: (agent) => hosted.has(agent),
    pick
  }
}

/** The current card of one of our agents, as it stands in messages. */
export function ownCard(tx: Pick<Tx, 'get'>, agent: AgentId): string {
  const record = tx.get('agents', agentKey(agent))
  if (record === undefined || record.card === '') throw new Error(`agent ${agent} has no card yet`)
  return record.card
}

function sameCard(text: string, next: Pick<Card, 'agent' | 'handle' | 'peerId' | 'addrs'>): boolean {
  const bytes = fromBase64url(text)
  const card = bytes === undefined ? undefined : openCard(bytes)
  if (card?.ok !== true) return false
  const { handle, peerId, addrs } = card.value
  return handle === next.handle && peerId === next.peerId && addrs.join(' ') === next.addrs.join(' ')
}
