/** Cases for signed messages: what opens, what opens opaque, what is refused. */
import { concat, toHex, toUtf8 } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import { sha256Hex } from '../../../src/base/digest.js'
import type { Json, JsonObject } from '../../../src/base/json.js'
import type { Signer } from '../../../src/wire/ed25519.js'
import { LIMITS } from '../../../src/wire/limits.js'
import { MESSAGE_DOMAIN, MESSAGE_TYPE } from '../../../src/wire/message.js'
import { sealEnvelope } from '../../../src/wire/signed-envelope.js'
import type { VectorCase } from './form.js'
import { AT, SOME_ID, SOME_UID, alice, aliceNode, bob, mallory } from './people.js'

export const about =
  'Signed messages (wire.md). bytes (hex) are opened as written by from to to. Accepted: id is the message id, payload the payload text, opaque whether the content is unreadable. Signers: alice seed 01, bob seed 02, mallory seed 03, each 32 times.'

/** Base58 of 32 and of 64 bytes. */
const ADDRESS = 'So11111111111111111111111111111111111111112'
const SIGNATURE = '1'.repeat(64)

const RUN = { command: 'npm test', exitStatus: 0, output: { tail: 'ok', bytes: 2, sha256: SOME_ID }, durationMs: 1200 }

/** Bodies of every kind, as small as they get. */
export const BODIES: Readonly<Record<string, JsonObject>> = {
  'contact.request': { card: 'AAAA', proof: { invite: '0'.repeat(32), mac: '1'.repeat(64) } },
  'contact.accept': { card: 'AAAA' },
  'contact.decline': {},
  'contact.remove': {},
  'card.update': { card: 'AAAA' },
  'task.invite': {
    type: { name: 'dinner.coordination', version: 1, hash: SOME_ID, definition: { format: 'ttd1' } },
    expiresAt: '2026-11-16T19:00:00.000Z',
    proposal: { date: '2026-11-14', partySize: 2 }
  },
  'task.propose': { proposal: { date: '2026-11-14', notes: 'é 日本 😀' } },
  'task.respond': { proposalId: SOME_ID, decision: 'accept' },
  'task.confirm': {
    proposalId: SOME_ID,
    action: 'reservation.book',
    recordId: '2'.repeat(32),
    summary: 'Booked',
    params: { table: 4 }
  },
  'task.cancel': { reason: 'changed_plans' },
  'task.refuse': { of: SOME_ID, code: 'backdated' },
  'envelope.submit': {
    taskId: 'parser',
    contract: {
      objective: 'Make the parser take comments',
      outputFormat: 'A commit',
      toolAndSourceGuidance: 'The sources alone',
      boundaries: 'No new dependency',
      filesAndInterfaces: ['src/parser/'],
      acceptanceCheck: { passFailCommand: 'npm test', endToEndVerification: 'Parse the example file' },
      contextID: 'repo',
      dependsOn: ['lexer'],
      toolsAllowed: ['shell']
    },
    expiresAt: '2026-11-16T19:00:00.000Z'
  },
  'envelope.answer': { of: SOME_ID, text: 'Line comments only' },
  'envelope.resolve': { taskId: 'lexer', outcome: 'completed' },
  'envelope.verdict': {
    of: SOME_ID,
    passed: true,
    freshContext: true,
    verdictSource: 'script',
    run: RUN,
    note: 'Same'
  },
  'envelope.cancel': { code: 'no_longer_needed' },
  'envelope.claim': {},
  'envelope.status': { state: 'input_required', code: 'needs_decision', reason: 'Which comments?' },
  'envelope.result': {
    artifacts: [{ name: 'patch', location: 'patches/1.diff', mediaType: 'text/x-diff', size: 12, sha256: SOME_ID }],
    evidence: {
      ...RUN,
      endToEnd: { passed: true, note: 'Parsed' },
      verdictSource: 'script',
      secondOpinion: { passed: true, freshContext: true, verdictSource: 'llm_judge', note: 'Reads well' }
    },
    summary: 'Done'
  },
  'envelope.reject': { code: 'ownership_conflict', reason: 'Another task has it', conflictsWith: 'lexer' },
  'offers.update': {
    offers: [
      {
        offerId: '3'.repeat(32),
        title: 'A logo',
        description: 'Drawn by hand',
        deliverable: 'One SVG file',
        price: '0.25',
        turnaroundHours: 72
      }
    ]
  },
  'job.pay': { proposalId: SOME_ID, attempt: 1, reference: ADDRESS, payer: ADDRESS },
  'job.unpaid': { attempt: 1 },
  'job.paid': { attempt: 1, signature: SIGNATURE, slot: 7 },
  'job.deliver': {
    artifacts: [{ name: 'logo', location: 'logo.svg', mediaType: 'image/svg+xml', size: 12, sha256: SOME_ID }],
    evidence: { ...RUN, endToEnd: { passed: true }, verdictSource: 'script' },
    summary: 'Done'
  },
  'job.complete': {}
}

const PLACE = { uid: SOME_UID, n: 2, seen: 1, seenId: SOME_ID }

/** The payload of a message of a kind, from alice to bob, with members laid over it; undefined takes a member away. */
export function payloadOf(kind: string, over: Readonly<Record<string, Json | undefined>> = {}): JsonObject {
  const base = {
    v: 1,
    kind,
    from: alice.id,
    to: bob.id,
    seq: 2,
    prev: SOME_ID,
    at: AT,
    body: BODIES[kind] ?? {},
    ...(/^(task|envelope|job)\./.test(kind) ? { task: PLACE } : {}),
    ...over
  }
  return Object.fromEntries(Object.entries(base).filter(([, value]) => value !== undefined)) as JsonObject
}

function sign(
  text: string | Uint8Array,
  by: Signer = alice.signer,
  domain = MESSAGE_DOMAIN,
  type = MESSAGE_TYPE
): Uint8Array {
  return sealEnvelope(by, domain, type, typeof text === 'string' ? toUtf8(text) : text)
}

const PAIR = { from: alice.id, to: bob.id }

function takes(name: string, payload: JsonObject, opaque = 'no'): VectorCase {
  const text = canonicalText(payload)
  const content = opaque === 'opaque' ? { opaque: true } : { opaque: false }
  return { name, ...PAIR, bytes: toHex(sign(text)), id: sha256Hex(toUtf8(text)), payload: text, ...content }
}

function refuses(name: string, bytes: Uint8Array, refused: string, pair = PAIR): VectorCase {
  return { name, ...pair, bytes: toHex(bytes), refused }
}

function header(
  name: string,
  over: Readonly<Record<string, Json | undefined>>,
  refused = 'malformed_message'
): VectorCase {
  return refuses(name, sign(canonicalText(payloadOf('task.propose', over))), refused)
}

function acceptedCases(): VectorCase[] {
  return [
    ...Object.keys(BODIES).map((kind) => takes(kind, payloadOf(kind))),
    takes('the first of a chain', payloadOf('contact.decline', { seq: 1, prev: '' })),
    takes('a request without proof', payloadOf('contact.request', { body: { card: 'AAAA' } })),
    takes('a cancel without reason', payloadOf('task.cancel', { body: {} })),
    takes(
      'the first of a side in a task',
      payloadOf('task.propose', { task: { uid: SOME_UID, n: 1, seen: 0, seenId: '' } })
    )
  ]
}

function opaqueCases(): VectorCase[] {
  const opaque = (name: string, payload: JsonObject): VectorCase => takes(`opaque: ${name}`, payload, 'opaque')
  return [
    opaque('an unknown kind', payloadOf('x.unknown')),
    opaque('an attempt without a reference', payloadOf('job.pay', { body: { ...BODIES['job.pay'], reference: '' } })),
    opaque('a delivery of nothing', payloadOf('job.deliver', { body: { artifacts: [] } })),
    opaque('an offer for nothing', payloadOf('offers.update', { body: { offers: [{ price: '0.0' }] } })),
    opaque('version 2', payloadOf('task.propose', { v: 2 })),
    opaque('version 2 with a new header member', payloadOf('task.propose', { v: 2, priority: 1 })),
    opaque('an unknown member in the body', payloadOf('task.propose', { body: { proposal: {}, more: 1 } })),
    opaque('a missing member in the body', payloadOf('task.propose', { body: {} })),
    opaque('a body that is no object', payloadOf('task.propose', { body: 'x' })),
    opaque('an unknown refusal code', payloadOf('task.refuse', { body: { of: SOME_ID, code: 'because' } })),
    opaque('a cancel in free text', payloadOf('task.cancel', { body: { reason: 'I am tired' } })),
    opaque('a task kind without a place', payloadOf('task.propose', { task: undefined })),
    opaque('a contact kind with a place', payloadOf('contact.decline', { task: PLACE })),
    opaque(
      'an expiry on a day that does not exist',
      payloadOf('task.invite', { body: { ...BODIES['task.invite'], expiresAt: '2026-02-30T00:00:00.000Z' } })
    )
  ]
}

function headerCases(): VectorCase[] {
  return [
    header('an unknown header member', { priority: 1 }),
    header('no seq', { seq: undefined }),
    header('seq 0', { seq: 0, prev: '' }),
    header('seq as text', { seq: '2' }),
    header('seq with a fraction', { seq: 2.5 }),
    header('no prev after the first', { prev: '' }),
    header('a prev before the first', { seq: 1 }),
    header('prev in upper case', { prev: SOME_ID.toUpperCase() }),
    header('version 0', { v: 0 }),
    header('no version', { v: undefined }),
    header('a kind in upper case', { kind: 'Task.Propose' }),
    header('a kind too long', { kind: 'x'.repeat(65) }),
    header('no body', { body: undefined }),
    header('a time without milliseconds', { at: '2026-11-14T19:00:00Z' }),
    header('a day that does not exist', { at: '2026-02-30T19:00:00.000Z' }),
    header('a place with n 0', { task: { ...PLACE, n: 0 } }),
    header('a place with seen but no seenId', { task: { ...PLACE, seenId: '' } }),
    header('a place with seenId but nothing seen', { task: { ...PLACE, seen: 0 } }),
    header('a place with an unknown member', { task: { ...PLACE, side: 'inviter' } }),
    header('a place that is null', { task: null }),
    header('another recipient', { to: mallory.id }, 'wrong_recipient'),
    header('another sender in the header', { from: mallory.id }, 'wrong_sender'),
    refuses('a payload that is a list', sign('[]'), 'malformed_message'),
    refuses('a payload that is no JSON', sign('hello'), 'malformed_json'),
    refuses(
      'a payload that is not canonical',
      sign(`${canonicalText(payloadOf('contact.decline'))} `),
      'not_canonical'
    ),
    refuses('a payload with a member twice', sign('{"v":1,"v":1}'), 'duplicate_key'),
    refuses('a payload that is too deep', sign(canonicalText(payloadOf('x.deep', { body: deep(9) }))), 'too_deep')
  ]
}

function deep(levels: number): Json {
  return levels === 0 ? {} : { a: deep(levels - 1) }
}

function envelopeCases(): VectorCase[] {
  const text = canonicalText(payloadOf('contact.decline'))
  const good = sign(text)
  const secp = concat(good.slice(0, 2), Uint8Array.of(0x08, 0x02), good.slice(4))
  // Payload type first: the same fields in another order.
  const typeAt = 2 + 36
  const typeEnd = typeAt + 2 + toUtf8(MESSAGE_TYPE).length
  const swapped = concat(good.slice(typeAt, typeEnd), good.slice(0, typeAt), good.slice(typeEnd))
  const padded = concat(good.slice(0, 1), Uint8Array.of(0xa4, 0x00), good.slice(2))
  const flip = (at: number): Uint8Array => good.map((byte, i) => (i === at ? byte ^ 1 : byte))
  return [
    refuses('nothing', new Uint8Array(0), 'bad_envelope'),
    refuses('a byte after the end', concat(good, Uint8Array.of(0)), 'bad_envelope'),
    refuses('an unknown field after the end', concat(good, Uint8Array.of(0x32, 1, 0)), 'bad_envelope'),
    refuses('the signature twice', concat(good, good.slice(-66)), 'bad_envelope'),
    refuses('cut short', good.slice(0, -1), 'bad_envelope'),
    refuses('fields in another order', swapped, 'bad_envelope'),
    refuses('a length that is not in its shortest form', padded, 'bad_envelope'),
    refuses('a key of another type', secp, 'bad_envelope'),
    refuses('a flipped bit in the payload', flip(good.length - 80), 'bad_signature'),
    refuses('a flipped bit in the signature', flip(good.length - 40), 'bad_signature'),
    refuses('another domain', sign(text, alice.signer, 'agentlink/receipt/1'), 'bad_signature'),
    refuses('another payload type', sign(text, alice.signer, MESSAGE_DOMAIN, '/agentlink/receipt'), 'wrong_domain'),
    refuses('signed by mallory', sign(text, mallory.signer), 'wrong_sender'),
    refuses('signed by the node', sign(text, aliceNode.signer), 'wrong_sender'),
    refuses('opened as from bob', good, 'wrong_sender', { from: bob.id, to: bob.id }),
    refuses('opened as to mallory', good, 'wrong_recipient', { from: alice.id, to: mallory.id })
  ]
}

/** The largest message that is taken, and one byte more. Written out they would fill the file: a rule stands for them. */
export function sizedMessage(kind: string, bytes: number): Uint8Array {
  const make = (fill: number): Uint8Array =>
    sign(canonicalText(payloadOf(kind, { body: { proposal: { x: 'x'.repeat(fill) } } })))
  const rough = bytes - make(0).length
  for (let fill = rough - 8; fill <= rough; fill++) {
    const made = make(fill)
    if (made.length === bytes) return made
  }
  throw new Error(`no message of ${LIMITS.messageBytes} bytes`)
}

export function cases(): VectorCase[] {
  return [...acceptedCases(), ...opaqueCases(), ...headerCases(), ...envelopeCases()]
}
