import { concat, toUtf8 } from '../../src/base/bytes.js'
import { sha256Hex } from '../../src/base/digest.js'
import type { AgentId, MessageId } from '../../src/base/ids.js'
import { pairKey, seqKey } from '../../src/flows/keys.js'
import type { Head } from '../../src/flows/records/contacts.js'
import type { KvOp } from '../../src/store/key-value.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import type { Signer } from '../../src/wire/ed25519.js'
import { peekEnvelope, sealEnvelope } from '../../src/wire/signed-envelope.js'

/** Chains of well-formed messages for the audit, which looks at envelopes and hashes, and at no signature. */
export const ALICE = 'al1alice' as AgentId
export const BOB = 'al1bob' as AgentId
export const CAROL = 'al1carol' as AgentId

const UNSIGNED: Signer = { publicKey: new Uint8Array(32).fill(7), sign: () => new Uint8Array(64).fill(9) }

/** Messages 1 … length of the chain from one agent to another. */
export function chainOf(from: AgentId, to: AgentId, length: number): { messages: Uint8Array[]; head: Head } {
  const messages: Uint8Array[] = []
  let head: Head = { seq: 0, id: '' }
  for (let seq = 1; seq <= length; seq++) {
    const body = { text: `message ${seq} of ${from} `.repeat(1 + (seq % 7)) }
    const payload = toUtf8(JSON.stringify({ body, from, kind: 'x', prev: head.id, seq, to, v: 1 }))
    messages.push(sealEnvelope(UNSIGNED, 'test', '/test', payload))
    head = { seq, id: sha256Hex(payload) as MessageId }
  }
  return { messages, head }
}

/** Puts both chains of a pair, with their record; the messages up to `after` are there already. */
export function chainOps(length: { out: number; in: number }, agent = ALICE, peer = BOB, after = 0): KvOp[] {
  const sent = chainOf(agent, peer, length.out)
  const received = chainOf(peer, agent, length.in)
  const rows = (table: 'sent' | 'received', messages: Uint8Array[]): KvOp[] =>
    messages.map((value, i) => ({ key: placeOf(table, seqKey(agent, peer, i + 1)), value })).slice(after)
  return [
    ...rows('sent', sent.messages),
    ...rows('received', received.messages),
    {
      key: placeOf('chains', pairKey(agent, peer)),
      value: TABLES.chains.encode({ out: sent.head, in: received.head, acked: 0 })
    }
  ]
}

/** The same signed message with one byte of its payload changed. */
export function withAlteredPayload(message: Uint8Array): Uint8Array {
  const parts = peekEnvelope(message)
  if (!parts.ok) throw new Error(parts.refusal.message)
  const altered = concat(message)
  const at = parts.value.payload.byteOffset - message.byteOffset + 12
  altered[at] = (altered[at] as number) ^ 1
  return altered
}
