/** Cases for receipts. */
import { concat, toHex, toUtf8 } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import type { Json } from '../../../src/base/json.js'
import type { Signer } from '../../../src/wire/ed25519.js'
import { RECEIPT_PURPOSE } from '../../../src/wire/receipt.js'
import { sealEnvelope } from '../../../src/wire/signed-envelope.js'
import type { VectorCase } from './form.js'
import { AT, SOME_ID, alice, bob, mallory } from './people.js'

export const about =
  'Receipts (wire.md). bytes (hex) are opened as written by from about the chain of to. Bob (seed 02) stored what alice (seed 01) wrote.'

export const RECEIPT = { from: bob.id, to: alice.id, upTo: { seq: 3, id: SOME_ID }, head: 2, results: [], at: AT }

const PAIR = { from: bob.id, to: alice.id }

export function sign(text: string, signer: Signer = bob.signer, domain: string = RECEIPT_PURPOSE.domain): Uint8Array {
  return sealEnvelope(signer, domain, RECEIPT_PURPOSE.payloadType, toUtf8(text))
}

function takes(name: string, over: Readonly<Record<string, Json>>): VectorCase {
  const receipt = { ...RECEIPT, ...over }
  return { name, ...PAIR, bytes: toHex(sign(canonicalText(receipt))), receipt }
}

function refuses(
  name: string,
  over: Readonly<Record<string, Json | undefined>>,
  refused = 'malformed_message',
  signer = bob.signer
): VectorCase {
  const members = Object.entries({ ...RECEIPT, ...over }).filter(([, value]) => value !== undefined)
  return { name, ...PAIR, bytes: toHex(sign(canonicalText(Object.fromEntries(members) as Json), signer)), refused }
}

export function cases(): VectorCase[] {
  const text = canonicalText(RECEIPT)
  return [
    takes('plainly stored', {}),
    takes('nothing written by the storer yet', { head: 0 }),
    takes('exceptions', {
      results: [
        { seq: 2, code: 'opaque' },
        { seq: 3, code: 'duplicate' }
      ]
    }),
    takes('as many exceptions as there may be', { results: new Array(256).fill({ seq: 1, code: 'opaque' }) as Json }),
    refuses('one exception too many', { results: new Array(257).fill({ seq: 1, code: 'opaque' }) as Json }),
    refuses('an unknown result', { results: [{ seq: 2, code: 'accepted' }] }),
    refuses('upTo nothing', { upTo: { seq: 0, id: '' } }),
    refuses('upTo without id', { upTo: { seq: 3 } }),
    refuses('no head', { head: undefined }),
    refuses('a head below 0', { head: -1 }),
    refuses('an unknown member', { read: true }),
    refuses('no results', { results: undefined }),
    refuses('signed by mallory', {}, 'wrong_sender', mallory.signer),
    refuses('signed by whose chain it is', {}, 'wrong_sender', alice.signer),
    refuses('names another storer', { from: mallory.id }, 'wrong_sender'),
    refuses('about the chain of another', { to: mallory.id }, 'wrong_recipient'),
    {
      name: 'the domain of a message',
      ...PAIR,
      bytes: toHex(sign(text, bob.signer, 'agentlink/message/1')),
      refused: 'bad_signature'
    },
    {
      name: 'a byte after the end',
      ...PAIR,
      bytes: toHex(concat(sign(text), Uint8Array.of(0))),
      refused: 'bad_envelope'
    },
    { name: 'not canonical', ...PAIR, bytes: toHex(sign(`${text}\n`)), refused: 'not_canonical' }
  ]
}
