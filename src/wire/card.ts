/** Cards: what an agent says of itself, signed by the agent and by its node. Source: protocols/identity.md, "Card". */
import { equalBytes } from '../base/bytes.js'
import { canonicalBytes } from '../base/canonical.js'
import type { AgentId, PeerId } from '../base/ids.js'
import { badRequest, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Shape, checkAs, integer, list, object, pattern, refine, text } from '../base/shape.js'
import { readCanonicalJson } from '../base/strict-json.js'
import { parseAddress } from './address.js'
import type { Signer } from './ed25519.js'
import { agentId, instant } from './forms.js'
import { publicKeyOf, publicKeyOfPeer } from './keys.js'
import { LIMITS } from './limits.js'
import { type EnvelopeParts, peekEnvelope, sealEnvelope, verifyEnvelope } from './signed-envelope.js'

export interface Card {
  readonly agent: AgentId
  /** `@` and the agent's own suggestion. */
  readonly handle: string
  /** The node that hosts the agent. */
  readonly peerId: PeerId
  /** Where that node is, best first; each ends with `/p2p/` and the peer id. May be empty. */
  readonly addrs: readonly string[]
  /** A higher one replaces. */
  readonly seq: number
  readonly at: string
}

export const CARD_PURPOSE = { domain: 'agentlink/card/1', payloadType: '/agentlink/card' } as const
export const CARD_NODE_PURPOSE = { domain: 'agentlink/card-node/1', payloadType: '/agentlink/card-node' } as const

const HANDLE = /^@[a-z0-9][a-z0-9_-]{0,30}$/
const HANDLE_FORM = '@ and 1 to 31 of a-z 0-9 _ -, a letter or digit first'

const cardShape: Shape<Card> = refine(
  object({
    agent: agentId,
    handle: pattern(HANDLE, HANDLE_FORM),
    peerId: text<PeerId>((value) => publicKeyOfPeer(value).ok, 'the peer id of an Ed25519 key'),
    addrs: list(
      text((value) => parseAddress(value) !== undefined, 'an address'),
      { max: LIMITS.cardAddrs }
    ),
    seq: integer({ min: 1 }),
    at: instant
  }),
  ({ addrs, peerId }) =>
    new Set(addrs).size === addrs.length && addrs.every((addr) => parseAddress(addr)?.peerId === peerId),
  'has different addresses, all of its own node'
)

/** Signs a card with both keys. Throws when it is malformed or the signers are not those that it names. */
export function sealCard(card: Card, agentSigner: Signer, nodeSigner: Signer): Uint8Array {
  const { agent, handle, peerId, addrs, seq, at } = card
  const payload = canonicalBytes({ agent, handle, peerId, addrs, seq, at })
  const inner = sealEnvelope(agentSigner, CARD_PURPOSE.domain, CARD_PURPOSE.payloadType, payload)
  const bytes = sealEnvelope(nodeSigner, CARD_NODE_PURPOSE.domain, CARD_NODE_PURPOSE.payloadType, inner)
  const opened = openCard(bytes)
  if (!opened.ok) throw new Error(`a card that no one would take: ${opened.refusal.message}`)
  return bytes
}

/**
 * Opens a card. Refuses with `too_large`, `bad_envelope`, `wrong_domain`, `bad_key`, `bad_signature`, `malformed_card`,
 * `wrong_sender` (a signature of a key that the card does not name) and the codes of strict JSON.
 */
export function openCard(bytes: Uint8Array): Result<Card> {
  if (bytes.length > LIMITS.cardBytes) return fail(refusal('too_large', `a card has at most ${LIMITS.cardBytes} bytes`))
  const outer = peekEnvelope(bytes)
  if (!outer.ok) return outer
  const inner = peekEnvelope(outer.value.payload)
  if (!inner.ok) return inner
  const json = readCanonicalJson(inner.value.payload, { maxBytes: LIMITS.cardBytes, maxDepth: LIMITS.jsonDepth })
  if (!json.ok) return json
  const card = checkAs('malformed_card', cardShape, json.value)
  return card.ok ? certify(card.value, inner.value, outer.value) : card
}

/** Cheap checks came first; now the two signatures. */
function certify(card: Card, inner: EnvelopeParts, outer: EnvelopeParts): Result<Card> {
  if (!isOf(publicKeyOf(card.agent), inner) || !isOf(publicKeyOfPeer(card.peerId), outer)) {
    return fail(badRequest('wrong_sender', 'the card is signed by other keys than it names'))
  }
  const byNode = verifyEnvelope(outer, CARD_NODE_PURPOSE)
  if (!byNode.ok) return byNode
  const byAgent = verifyEnvelope(inner, CARD_PURPOSE)
  return byAgent.ok ? ok(card) : byAgent
}

function isOf(key: Result<Uint8Array>, parts: EnvelopeParts): boolean {
  return key.ok && equalBytes(key.value, parts.publicKey)
}

/**
 * Whether `next` may take the place of `old`: same agent, higher `seq`, but by no more than `cardSeqJump`. Without an old
 * card any is welcome. Refuses with `malformed_card`.
 */
export function replaces(old: Card | undefined, next: Card): Result<void> {
  if (old === undefined) return ok()
  if (old.agent !== next.agent) return fail(badRequest('malformed_card', 'a card of another agent', 'agent'))
  if (next.seq <= old.seq) return fail(badRequest('malformed_card', 'not newer than the card we have', 'seq'))
  if (next.seq - old.seq > LIMITS.cardSeqJump) {
    return fail(badRequest('malformed_card', `seq rises by more than ${LIMITS.cardSeqJump}`, 'seq'))
  }
  return ok()
}

/** Parses a handle. Refuses with `invalid_field`. */
export function parseHandle(value: string): Result<string> {
  return HANDLE.test(value) ? ok(value) : fail(badRequest('invalid_field', `a handle is ${HANDLE_FORM}`, 'handle'))
}
