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
import { openCard } from '../../src/wire/card.js'
import { decodeFrame } from '../../src/wire/frames.js'
import { publicKeyOf, publicKeyOfPeer } from '../../src/wire/keys.js'
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
  for (const file of readdirSync(FOLDER)) {
    const schema = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { $id?: string }
    if (schema.$id?.startsWith('urn:agentlink:schema:') === true && file !== 'ttd1.json') ajv.addSchema(schema)
  }
  return (name) => ajv.getSchema(`urn:agentlink:schema:${name}`) as ValidateFunction
}

/** Values that are likely to be right in one place and wrong in another. */
const stranger = fc.oneof(
  fc.constantFrom<Json>(
    ...[0, 1, 2, -1, 1.5, 256, 257, 86_400_000, 86_400_001, LIMITS.summaryLength, Number.MAX_SAFE_INTEGER]
  ),
  fc.constantFrom<Json>(
    ...['', 'x', 'accept', 'opaque', 'other', 'mine', 'retry', 'AAAA', 'AAAB', 'AB', '@a', '@A', null, true, {}, []]
  ),
  fc.constantFrom<Json>(
    ...[alice.id, bob.id, mallory.id, aliceNode.peerId, bobNode.peerId, alice.id.slice(1), `${bob.id}q`]
  ),
  fc.constantFrom<Json>(
    '0'.repeat(32),
    '0'.repeat(64),
    'A'.repeat(64),
    '2026-11-14T19:00:00.000Z',
    '2026-02-30T19:00:00.000Z'
  ),
  fc.constantFrom<Json>(
    'x'.repeat(500),
    'x'.repeat(501),
    '😀'.repeat(500),
    '😀'.repeat(251),
    '😀'.repeat(501),
    'A'.repeat(5462),
    'A'.repeat(5463)
  ),
  fc.constantFrom<Json>(
    [{ seq: 1, code: 'opaque' }],
    [`/ip4/1.2.3.4/tcp/1/p2p/${aliceNode.peerId}`],
    ['/ip4/1.2.3.4/tcp/1']
  ),
  fc.string({ maxLength: 5 })
)

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

/** A card whose shape is right is either opened or signed by others than it names. */
function takesCard(value: Json): boolean {
  const opened = openCard(signCard(canonicalText(value)))
  return opened.ok || opened.refusal.details.code === 'wrong_sender'
}

function takesReceipt(value: Json): boolean {
  const opened = openReceipt(signReceipt(canonicalText(value)), { from: bob.id, to: alice.id })
  return opened.ok || opened.refusal.details.field === 'from' || opened.refusal.details.field === 'to'
    ? opened.ok || ['wrong_sender', 'wrong_recipient'].includes(String(opened.refusal.details.code))
    : false
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
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) =>
          agrees(changes.reduce(changed, sample))
        ),
        { numRuns: name === 'card' || name === 'receipt' ? 150 : 400 }
      )
    })
  }

  it('agree with the code about which headers can be read, whatever the kind', () => {
    const validate = schema('header')
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const value = changes.reduce(changed, payloadOf('task.other') as Json)
        const version = (value as JsonObject)['v']
        // A later version may have more header members: the schema speaks of version 1.
        fc.pre(typeof version !== 'number' || version <= 1)
        expect(readPayload(canonicalBytes(value)).ok, canonicalText(value)).to.equal(validate(value))
      }),
      { numRuns: 600 }
    )
  })
})
