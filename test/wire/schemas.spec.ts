/** The JSON Schemas in protocols/ against the code: what one takes the other takes, and what one refuses the other refuses. */
import { readFileSync, readdirSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { concat, fromBase64url } from '../../src/base/bytes.js'
import { canonicalBytes, canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import { instantOf } from '../../src/base/time.js'
import { parseAddress } from '../../src/wire/address.js'
import { fromBase58 } from '../../src/wire/base58.js'
import { openCard } from '../../src/wire/card.js'
import { decodeFrame } from '../../src/wire/frames.js'
import { publicKeyOf, publicKeyOfPeer } from '../../src/wire/keys.js'
import { CANCEL_REASONS, TASK_REFUSE_CODES } from '../../src/wire/forms.js'
import { KINDS } from '../../src/wire/kinds.js'
import { LIMITS } from '../../src/wire/limits.js'
import { readPayload } from '../../src/wire/message.js'
import { openReceipt } from '../../src/wire/receipt.js'
import { CARD, sign as signCard } from '../support/vectors/cards.js'
import { HELLO } from '../support/vectors/frames.js'
import { payloadOf } from '../support/vectors/messages.js'
import { alice, aliceNode, bob, bobNode, mallory } from '../support/vectors/people.js'
import { RECEIPT, sign as signReceipt } from '../support/vectors/receipts.js'

const FOLDER = new URL('../../protocols/schemas/', import.meta.url)

function compile(): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false })
  ajv.addFormat('agent-id', (text) => publicKeyOf(text).ok)
  ajv.addFormat('peer-id', (text) => publicKeyOfPeer(text).ok)
  ajv.addFormat('instant', (text) => instantOf(text) !== undefined)
  ajv.addFormat('address', (text) => parseAddress(text) !== undefined)
  ajv.addFormat('base64url', (text) => fromBase64url(text) !== undefined)
  ajv.addFormat('chain-address', (text) => fromBase58(text, 32) !== undefined)
  ajv.addFormat('chain-signature', (text) => fromBase58(text, 64) !== undefined)
  for (const file of readdirSync(FOLDER)) {
    const schema = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { $id?: string }
    if (schema.$id?.startsWith('urn:agentlink:schema:') === true && file !== 'ttd1.json') ajv.addSchema(schema)
  }
  return (name) => ajv.getSchema(`urn:agentlink:schema:${name}`) as ValidateFunction
}

const BOUNDARIES = [0, 1, 2, -1, 1.5, 720, 721, 1000, 1001, 86_400_000, 86_400_001, Number.MAX_SAFE_INTEGER]
const WORDS = [
  'accept',
  'reject',
  'opaque',
  'duplicate',
  'mine',
  'yours',
  'retry',
  'not_contact',
  'bad_hello',
  'late_refuse',
  '@a',
  '@A'
]
const LENGTHS = [
  32,
  33,
  44,
  45,
  64,
  65,
  80,
  81,
  600,
  601,
  4000,
  4001,
  160,
  161,
  LIMITS.summaryLength,
  LIMITS.summaryLength + 1,
  5462,
  5463
]
const NAMES = [alice.id, bob.id, mallory.id, aliceNode.peerId, bobNode.peerId, alice.id.slice(1), `${bob.id}q`]
const FORMS = [
  '0'.repeat(32),
  '0'.repeat(64),
  'A'.repeat(64),
  '2026-11-14T19:00:00.000Z',
  '2026-02-30T19:00:00.000Z',
  'AAAA',
  'AB',
  '1'.repeat(31),
  '1'.repeat(63),
  'So11111111111111111111111111111111111111112',
  '0.0',
  '0.000000001',
  '1.0000000001',
  '1.',
  '01',
  '999999999'
]
const HOME = `/ip4/1.2.3.4/tcp/1/p2p/${aliceNode.peerId}`
const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((port) => `/ip4/1.2.3.4/tcp/${port}/p2p/${aliceNode.peerId}`)
const LISTS: Json[] = [
  [HOME],
  [HOME, HOME],
  ['/ip4/1.2.3.4/tcp/1'],
  NINE.slice(1),
  NINE,
  ...[256, 257].map((n) => new Array(n).fill({ seq: 1, code: 'opaque' }) as Json)
]

/** Values that are right in one place and wrong in another. */
const STRANGERS: readonly Json[] = [
  ...[null, true, '', 'x', {}, []],
  ...BOUNDARIES,
  ...WORDS,
  ...CANCEL_REASONS,
  ...TASK_REFUSE_CODES,
  ...LENGTHS.flatMap((length) => [
    'a'.repeat(length),
    'A'.repeat(length),
    '😀'.repeat(length),
    '😀'.repeat(Math.ceil(length / 2))
  ]),
  ...NAMES,
  ...FORMS,
  ...LISTS
]
const stranger = fc.constantFrom(...STRANGERS)

/** Every single change of a value: each member taken away, one added to each object, each value replaced by each stranger. */
function* singleChanges(value: Json): Generator<Json> {
  yield* STRANGERS
  if (typeof value !== 'object' || value === null) return
  const entries = Object.entries(value as JsonObject)
  const rebuild = (pairs: Array<[string, Json]>): Json =>
    Array.isArray(value) ? pairs.map(([, item]) => item) : (Object.fromEntries(pairs) as JsonObject)
  yield rebuild([...entries, ['more', 1]])
  for (const [at, [name, inner]] of entries.entries()) {
    yield rebuild(entries.toSpliced(at, 1))
    for (const other of singleChanges(inner)) yield rebuild(entries.toSpliced(at, 1, [name, other]))
  }
}

/** A change at a random place: a member taken away, one added, one replaced. */
const change = fc.record({
  path: fc.array(fc.nat(20), { maxLength: 4 }),
  how: fc.constantFrom('drop', 'add', 'put'),
  value: stranger
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

function changed(value: Json, { path, how, value: put }: Change): Json {
  if (typeof value !== 'object' || value === null) return put
  const copy: Record<string, Json> = { ...(value as JsonObject) }
  const names = Object.keys(copy)
  const name = names[(path[0] ?? 0) % Math.max(names.length, 1)] ?? 'x'
  if (path.length > 1 && name in copy)
    copy[name] = changed(copy[name] as Json, { path: path.slice(1), how, value: put })
  else if (how === 'drop') delete copy[name]
  else copy[how === 'add' ? 'more' : name] = put
  return Array.isArray(value) ? Object.values(copy) : copy
}

const samples: ReadonlyArray<readonly [string, Json, (value: Json) => boolean]> = [
  ...Object.keys(KINDS).map((kind) => {
    const takes = (value: Json): boolean => {
      const read = readPayload(canonicalBytes(value))
      return read.ok && read.value.content?.kind === kind
    }
    return [kind, payloadOf(kind), takes] as const
  }),
  ['card', CARD, takesCard],
  ['receipt', { ...RECEIPT, results: [{ seq: 2, code: 'opaque' }] }, takesReceipt],
  ['hello', HELLO, (value) => decodeFrame(concat(Uint8Array.of(1), canonicalBytes(value))).ok],
  ['want', { chain: 'mine', from: 3 }, (value) => decodeFrame(concat(Uint8Array.of(2), canonicalBytes(value))).ok],
  ['refuse', { code: 'retry', afterMs: 5 }, (value) => decodeFrame(concat(Uint8Array.of(5), canonicalBytes(value))).ok]
]

/** What has its shape but names others than it was signed by, or is about others than we asked for. */
const OTHERS: ReadonlySet<unknown> = new Set(['wrong_sender', 'wrong_recipient'])

function takesCard(value: Json): boolean {
  const opened = openCard(signCard(canonicalText(value)))
  return opened.ok || OTHERS.has(opened.refusal.details.code)
}

function takesReceipt(value: Json): boolean {
  const opened = openReceipt(signReceipt(canonicalText(value)), { from: bob.id, to: alice.id })
  return opened.ok || OTHERS.has(opened.refusal.details.code)
}

/** The one rule that no schema can state: each address of a card names the card's own node. */
function ownAddresses(value: Json): boolean {
  const { addrs, peerId } = value as { addrs: string[]; peerId: string }
  return addrs.every((addr) => addr.endsWith(`/p2p/${peerId}`))
}

describe('The JSON Schemas', () => {
  const schema = compile()

  it('exist for each kind', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace('.json', ''))
    expect(names).to.include.members([
      ...Object.keys(KINDS),
      'card',
      'receipt',
      'hello',
      'want',
      'refuse',
      'header',
      'forms'
    ])
  })

  for (const [name, sample, takes] of samples) {
    it(`agree with the code about ${name}, right or wrong`, () => {
      const validate = schema(name)
      const agrees = (value: Json): void => {
        const bySchema = validate(value) && (name !== 'card' || ownAddresses(value))
        expect(takes(value), canonicalText(value)).to.equal(bySchema)
      }
      expect(validate(sample), JSON.stringify(validate.errors)).to.equal(true)
      agrees(sample)
      for (const other of singleChanges(sample)) agrees(other)
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) =>
          agrees(changes.reduce(changed, sample))
        ),
        { numRuns: 100 }
      )
    })
  }

  it('agree with the code about which headers can be read, whatever the kind', () => {
    const validate = schema('header')
    const sample: Json = payloadOf('task.other')
    const agrees = (value: Json): void => {
      const version = typeof value === 'object' && value !== null ? (value as JsonObject)['v'] : undefined
      // A later version may have more header members: the schema speaks of version 1.
      if (typeof version === 'number' && version > 1) return
      expect(readPayload(canonicalBytes(value)).ok, canonicalText(value)).to.equal(validate(value))
    }
    for (const other of singleChanges(sample)) agrees(other)
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 4 }), (changes) =>
        agrees(changes.reduce(changed, sample))
      ),
      { numRuns: 200 }
    )
  })
})
