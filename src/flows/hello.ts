import { fromBase64url } from '../base/bytes.js'
import type { AgentId, PeerId } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Card, openCard } from '../wire/card.js'
import type { Hello } from '../wire/frames.js'
import { type Pair, chainOf } from './chain.js'
import { ownCard } from './agents.js'
import type { Tx } from './ports.js'

/** The first frame both ways: who speaks, and how far each chain goes (protocols/streams.md, "Hello"). */

/** Our hello for a pair: the newest card and both heads as we hold them. */
export function ownHello(tx: Pick<Tx, 'get'>, pair: Pair): Hello {
  const chain = chainOf(tx, pair)
  return { v: 1, card: ownCard(tx, pair.agent), to: pair.peer, have: { mine: chain.out, yours: chain.in } }
}

/** A hello whose card verifies and names the node at the other end of the stream. */
export interface BoundHello {
  readonly card: Card
  readonly cardText: string
  readonly to: AgentId
  readonly have: Hello['have']
}

/**
 * Binds a hello to its stream: the card is signed by agent and node, and the Noise peer id is the card's. Refuses with
 * `malformed_card` or `wrong_sender`.
 */
export function bindHello(hello: Hello, peerId: PeerId): Result<BoundHello> {
  const bytes = fromBase64url(hello.card)
  if (bytes === undefined) return fail(badRequest('malformed_card', 'the card of a hello must be base64url', 'card'))
  const card = openCard(bytes)
  if (!card.ok) return card
  if (card.value.peerId !== peerId) {
    return fail(
      badRequest('wrong_sender', 'the card names another node than the one at the end of this stream', 'card')
    )
  }
  return ok({ card: card.value, cardText: hello.card, to: hello.to, have: hello.have })
}
