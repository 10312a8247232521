/** Contact links and the one-time secret in them. Source: protocols/identity.md, "Link" and "Invite proof". */
import { fromBase64url, toBase64url, toHex, toUtf8 } from '../base/bytes.js'
import { hmacSha256 } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Card, openCard } from './card.js'
import { LIMITS } from './limits.js'

const LINK = /^agentlink:(al1[a-z0-9]{59})\?card=([A-Za-z0-9_-]+)(?:&invite=([A-Za-z0-9_-]{22}))?$/

const ID_LABEL = toUtf8('agentlink/invite-id/1')
const KEY_LABEL = toUtf8('agentlink/invite-key/1')
const PROOF_LABEL = 'agentlink/invite-proof/1'
const ID_BYTES = 16

/** What a link says. */
export interface ContactLink {
  readonly agent: AgentId
  readonly card: Card
  readonly cardBytes: Uint8Array
  /** The one-time secret, 16 bytes. */
  readonly invite?: Uint8Array
}

/** Writes a link. `card` are the signed bytes. Throws RangeError for a secret of another length. */
export function writeLink(link: {
  readonly agent: AgentId
  readonly card: Uint8Array
  readonly invite?: Uint8Array
}): string {
  const start = `agentlink:${link.agent}?card=${toBase64url(link.card)}`
  return link.invite === undefined ? start : `${start}&invite=${toBase64url(secretOf(link.invite))}`
}

/**
 * Reads a link; white space around it is left out. Refuses with `malformed_link`, or with the card's own refusal. Both
 * keys of the card have been checked in full.
 */
export function readLink(text: string): Result<ContactLink> {
  const parts = text.length <= LIMITS.linkLength ? LINK.exec(text.trim()) : null
  const cardBytes = fromBase64url(parts?.[2] ?? '')
  const invite = parts?.[3] === undefined ? undefined : fromBase64url(parts[3])
  if (parts === null || cardBytes === undefined || (parts[3] !== undefined && invite === undefined)) {
    return fail(badRequest('malformed_link', 'not a contact link, agentlink:al1…?card=…', 'link'))
  }
  const card = openCard(cardBytes)
  if (!card.ok) return card
  if (card.value.agent !== parts[1]) return fail(badRequest('malformed_link', 'the card is of another agent', 'link'))
  const link = { agent: card.value.agent, card: card.value, cardBytes }
  return ok(invite === undefined ? link : { ...link, invite })
}

/** The public id of an invite secret, 32 hex digits: it finds the record and tells nothing. */
export function inviteId(secret: Uint8Array): string {
  return toHex(hmacSha256(secretOf(secret), ID_LABEL).subarray(0, ID_BYTES))
}

/** The 32-byte key that proves an invite, derived from its secret: all that the inviter's node keeps. */
export function proofKeyOf(secret: Uint8Array): Uint8Array {
  return hmacSha256(secretOf(secret), KEY_LABEL)
}

/** The proof of a request from one agent to another under a proof key, 64 hex digits. */
export function proofOf(proofKey: Uint8Array, pair: { readonly from: AgentId; readonly to: AgentId }): string {
  return toHex(hmacSha256(proofKey, toUtf8(`${PROOF_LABEL}\n${pair.from}\n${pair.to}`)))
}

/** The proof that `from` knows the secret which `to` gave out: bound to both, so that it serves nobody else. */
export function inviteProof(secret: Uint8Array, pair: { readonly from: AgentId; readonly to: AgentId }): string {
  return proofOf(proofKeyOf(secret), pair)
}

function secretOf(secret: Uint8Array): Uint8Array {
  if (secret.length !== LIMITS.inviteBytes) throw new RangeError(`an invite secret has ${LIMITS.inviteBytes} bytes`)
  return secret
}
