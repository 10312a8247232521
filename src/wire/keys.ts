/** Names of keys: agent ids (`al1…`) and libp2p peer ids. Source: protocols/identity.md, "Agent id" and "Peer id". */
import { base58, bech32m } from '@scure/base'
import { concat, equalBytes, fromHex } from '../base/bytes.js'
import type { AgentId, PeerId } from '../base/ids.js'
import { Memory } from '../base/memory.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { PUBLIC_KEY_BYTES, isSoundKey } from './ed25519.js'

const PREFIX = 'al'
const VERSION = 1
/** `al1`, 53 characters of version and key, 6 of checksum. */
const AGENT_ID = /^al1[02-9ac-hj-np-z]{59}$/
/** What base58btc gives for 38 bytes that begin with 00 24. */
const PEER_ID = /^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/
const DECODED_IDS = 4096

/** A public key as libp2p writes it (protobuf `PublicKey`, type Ed25519) before the 32 bytes. */
export const LIBP2P_KEY_PREFIX = fromHex('08011220') as Uint8Array
/** An identity multihash (code 0, 36 bytes) of that. */
const PEER_PREFIX = concat(Uint8Array.of(0x00, 0x24), LIBP2P_KEY_PREFIX)

const decodedIds = new Memory<string, Uint8Array | null>(DECODED_IDS)
const namedPeers = new Memory<string, Uint8Array | null>(DECODED_IDS)

/** The id of an agent's 32-byte public key. */
export function agentIdOf(publicKey: Uint8Array): AgentId {
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError(`a public key has ${PUBLIC_KEY_BYTES} bytes`)
  return bech32m.encode(PREFIX, bech32m.toWords(concat(Uint8Array.of(VERSION), publicKey))) as AgentId
}

/** The public key in an agent id, decoded only: whether the key is sound is for `parseAgentId`. Refuses with `malformed_id`. */
export function publicKeyOf(id: string): Result<Uint8Array> {
  const key = AGENT_ID.test(id) ? decodedIds.recall(id, decodeId) : null
  return key === null ? malformed('agent') : ok(key)
}

/** Parses an agent id and checks its key in full. Refuses with `malformed_id` or `bad_key`. */
export function parseAgentId(text: string, field = 'agent'): Result<AgentId> {
  const key = publicKeyOf(text)
  if (!key.ok) return malformed(field)
  if (!isSoundKey(key.value)) return fail(badRequest('bad_key', `${field} names a key that may not be used`, field))
  return ok(text as AgentId)
}

/** The peer id of a node's 32-byte public key. */
export function peerIdOf(publicKey: Uint8Array): PeerId {
  if (publicKey.length !== PUBLIC_KEY_BYTES) throw new RangeError(`a public key has ${PUBLIC_KEY_BYTES} bytes`)
  return base58.encode(concat(PEER_PREFIX, publicKey)) as PeerId
}

/** The public key in a peer id; only inlined Ed25519 keys have one. Refuses with `malformed_id`. */
export function publicKeyOfPeer(peerId: string): Result<Uint8Array> {
  const key = PEER_ID.test(peerId) ? namedPeers.recall(peerId, decodePeer) : null
  return key === null ? fail(badRequest('malformed_id', 'not the peer id of an Ed25519 key', 'peerId')) : ok(key)
}

function decodeId(id: string): Uint8Array | null {
  const decoded = bech32m.decodeUnsafe(id)
  const bytes = decoded && decoded.prefix === PREFIX ? bech32m.fromWordsUnsafe(decoded.words) : undefined
  return bytes && bytes[0] === VERSION && bytes.length === PUBLIC_KEY_BYTES + 1
    ? new Uint8Array(bytes.subarray(1))
    : null
}

function decodePeer(peerId: string): Uint8Array | null {
  const bytes = base58.decode(peerId)
  const sound = bytes.length === PEER_PREFIX.length + PUBLIC_KEY_BYTES
  return sound && equalBytes(bytes.subarray(0, PEER_PREFIX.length), PEER_PREFIX)
    ? bytes.slice(PEER_PREFIX.length)
    : null
}

function malformed(field: string): ReturnType<typeof fail> {
  return fail(badRequest('malformed_id', `${field} must be an agent id, al1…`, field))
}
