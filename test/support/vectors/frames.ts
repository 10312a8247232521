/** Cases for frames. */
import { concat, toBase64url, toHex, toUtf8 } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import type { Json } from '../../../src/base/json.js'
import { CARD, sign } from './cards.js'
import type { VectorCase } from './form.js'
import { SOME_ID, alice, bob } from './people.js'

export const about =
  'Frames of the message stream without their length prefix (streams.md). bytes is hex; frame what it says, where the bytes of messages and receipts are hex.'

export const HELLO = {
  v: 1,
  card: toBase64url(sign(canonicalText(CARD))),
  to: bob.id,
  have: { mine: { seq: 3, id: SOME_ID }, yours: { seq: 0, id: '' } }
}

const TYPES = { hello: 1, want: 2, message: 3, receipt: 4, refuse: 5 } as const

function frame(type: number, rest: string | Uint8Array): Uint8Array {
  return concat(Uint8Array.of(type), typeof rest === 'string' ? toUtf8(rest) : rest)
}

function takes(name: string, type: 'hello' | 'want' | 'refuse', value: Json): VectorCase {
  const said = type === 'hello' ? { hello: value } : (value as object)
  return { name, bytes: toHex(frame(TYPES[type], canonicalText(value))), frame: { type, ...said } }
}

function refuses(name: string, bytes: Uint8Array, refused = 'malformed_message'): VectorCase {
  return { name, bytes: toHex(bytes), refused }
}

function json(name: string, type: 'hello' | 'want' | 'refuse', value: Json): VectorCase {
  return refuses(`${type}: ${name}`, frame(TYPES[type], canonicalText(value)))
}

export function cases(): VectorCase[] {
  const opaque = Uint8Array.of(1, 2, 3)
  return [
    takes('hello', 'hello', HELLO),
    takes('want of own messages', 'want', { chain: 'mine', from: 1 }),
    takes('want of the other chain', 'want', { chain: 'yours', from: 9007199254740991 }),
    takes('no contact', 'refuse', { code: 'not_contact' }),
    takes('later', 'refuse', { code: 'retry', afterMs: 5000 }),
    takes('later, without saying when', 'refuse', { code: 'retry' }),
    takes('a bad hello', 'refuse', { code: 'bad_hello' }),
    { name: 'a message', bytes: toHex(frame(3, opaque)), frame: { type: 'message', bytes: toHex(opaque) } },
    { name: 'a receipt', bytes: toHex(frame(4, opaque)), frame: { type: 'receipt', bytes: toHex(opaque) } },
    refuses('nothing', new Uint8Array(0)),
    refuses('type 0', frame(0, '{}')),
    refuses('type 6', frame(6, '{}')),
    refuses('a message without bytes', frame(3, '')),
    refuses('a receipt without bytes', frame(4, '')),
    refuses('a hello that is no JSON', frame(1, 'hello'), 'malformed_json'),
    refuses('a want that is not canonical', frame(2, '{"from":1,"chain":"mine"}'), 'not_canonical'),
    refuses('a want that is too large', frame(2, ' '.repeat(257)), 'too_large'),
    refuses('a member twice', frame(2, '{"chain":"mine","chain":"mine","from":1}'), 'duplicate_key'),
    json('version 2', 'hello', { ...HELLO, v: 2 }),
    json('an unknown member', 'hello', { ...HELLO, more: 1 }),
    json('no card', 'hello', { v: 1, to: HELLO.to, have: HELLO.have }),
    json('a card that is no base64url', 'hello', { ...HELLO, card: '****' }),
    json('to nobody', 'hello', { ...HELLO, to: 'al1nobody' }),
    json('to a peer id', 'hello', { ...HELLO, to: CARD.peerId }),
    json('a head without id', 'hello', { ...HELLO, have: { mine: { seq: 3, id: '' }, yours: { seq: 0, id: '' } } }),
    json('an id without head', 'hello', {
      ...HELLO,
      have: { mine: { seq: 0, id: SOME_ID }, yours: { seq: 0, id: '' } }
    }),
    json('a negative head', 'hello', { ...HELLO, have: { mine: { seq: -1, id: SOME_ID }, yours: { seq: 0, id: '' } } }),
    json('from 0', 'want', { chain: 'mine', from: 0 }),
    json('another chain', 'want', { chain: 'theirs', from: 1 }),
    json('no chain', 'want', { from: 1 }),
    json('an unknown code', 'refuse', { code: 'busy' }),
    json('when, without retry', 'refuse', { code: 'not_contact', afterMs: 1 }),
    json('later than a day', 'refuse', { code: 'retry', afterMs: 86_400_001 }),
    json('a reason in free text', 'refuse', { code: 'retry', reason: alice.id })
  ]
}
