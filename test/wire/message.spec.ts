import { readFileSync, readdirSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { concat, toHex } from '../../src/base/bytes.js'
import type { JsonObject } from '../../src/base/json.js'
import { KINDS, isKind } from '../../src/wire/kinds.js'
import { LIMITS } from '../../src/wire/limits.js'
import type { Draft } from '../../src/wire/message.js'
import { open, reopen } from '../../src/wire/open.js'
import { seal } from '../../src/wire/seal.js'
import { AT, SOME_ID, SOME_UID, alice, bob, mallory } from '../support/vectors/people.js'
import { BODIES, payloadOf, sizedMessage } from '../support/vectors/messages.js'

const PAIR = { from: alice.id, to: bob.id }

function draftOf(kind: string, over: object = {}): Draft {
  const { v: _, ...rest } = payloadOf(kind)
  return { ...rest, ...over } as unknown as Draft
}

function sealed(draft: Draft): ReturnType<typeof reopen> {
  const made = seal(draft, alice.signer)
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value
}

describe('A message', () => {
  for (const kind of Object.keys(KINDS)) {
    it(`of kind ${kind} is the same after sealing, opening and reading back`, () => {
      const made = sealed(draftOf(kind))
      const opened = open(made.bytes, PAIR)
      expect(opened).to.deep.equal({ ok: true, value: made })
      expect(reopen(made.bytes)).to.deep.equal(made)
      expect(made.content?.kind).to.equal(kind)
    })
  }

  it('has a sample of every kind, and no kind that is not known', () => {
    expect(Object.keys(BODIES).sort()).to.deep.equal(Object.keys(KINDS).sort())
    expect(isKind('toString')).to.equal(false)
    expect(isKind('job.haggle')).to.equal(false)
  })

  it('is frozen', () => {
    const made = sealed(draftOf('task.propose'))
    expect(Object.isFrozen(made)).to.equal(true)
    expect(Object.isFrozen(made.header)).to.equal(true)
    expect(Object.isFrozen(made.content)).to.equal(true)
  })

  it('has the id of its payload: the same words sealed again are the same message', () => {
    expect(sealed(draftOf('task.propose')).id).to.equal(sealed(draftOf('task.propose')).id)
    expect(sealed(draftOf('task.propose', { seq: 3 })).id).to.not.equal(sealed(draftOf('task.propose')).id)
  })

  it('carries any proposal there and back', () => {
    const key = fc
      .string({ unit: 'grapheme', maxLength: 8 })
      .filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name))
    const scalar = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null)
    )
    const proposal = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxKeys: 6 })
    fc.assert(
      fc.property(proposal, (value) => {
        const made = sealed(draftOf('task.propose', { body: { proposal: value } }))
        const opened = open(made.bytes, PAIR)
        const content = opened.ok ? opened.value.content : undefined
        expect(JSON.parse(JSON.stringify(content?.body))).to.deep.equal(JSON.parse(JSON.stringify({ proposal: value })))
      }),
      { numRuns: 60 }
    )
  })

  it('never makes open throw, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(open(bytes, PAIR).ok).to.equal(false)
      })
    )
  })

  it('is taken up to its limit and refused with too_large above it', () => {
    const fits = open(sizedMessage('task.propose', LIMITS.messageBytes), PAIR)
    expect(fits.ok && fits.value.content?.kind).to.equal('task.propose')
    const over = open(sizedMessage('task.propose', LIMITS.messageBytes + 1), PAIR)
    expect(over.ok ? undefined : over.refusal.code).to.equal('too_large')
  })

  it('of an envelope kind may be four times as large, known or not', () => {
    const fits = open(sizedMessage('envelope.submit', LIMITS.envelopeMessageBytes), PAIR)
    expect(fits.ok && fits.value.content).to.equal(undefined)
    expect(fits.ok).to.equal(true)
    const over = open(sizedMessage('envelope.submit', LIMITS.envelopeMessageBytes + 1), PAIR)
    expect(over.ok ? undefined : over.refusal.code).to.equal('too_large')
  })

  it('that is too large is not sealed', () => {
    const made = seal(
      draftOf('task.propose', { body: { proposal: { x: 'x'.repeat(LIMITS.messageBytes) } } }),
      alice.signer
    )
    expect(made.ok ? undefined : made.refusal.code).to.equal('too_large')
    const close = seal(
      draftOf('task.propose', { body: { proposal: { x: 'x'.repeat(LIMITS.messageBytes - 500) } } }),
      alice.signer
    )
    expect(close.ok ? undefined : close.refusal.code).to.equal('too_large')
  })

  it('carries a definition of six levels in an invite', () => {
    const definition = { fields: [{ fields: [{ options: ['x'] }] }] }
    const body = { ...BODIES['task.invite'], type: { ...(BODIES['task.invite']?.['type'] as JsonObject), definition } }
    expect(sealed(draftOf('task.invite', { body })).content?.kind).to.equal('task.invite')
  })

  for (const [why, draft] of [
    ['a body without its shape', draftOf('task.propose', { body: {} })],
    ['an unknown member in the body', draftOf('task.cancel', { body: { note: 'x' } })],
    ['an unknown header member', draftOf('task.cancel', { priority: 1 })],
    ['a place where none belongs', draftOf('contact.decline', { task: { uid: SOME_UID, n: 1, seen: 0, seenId: '' } })],
    ['no place where one belongs', { ...draftOf('task.cancel'), task: undefined } as unknown as Draft],
    ['a broken time', draftOf('task.cancel', { at: '2026-11-14' })],
    ['an unsafe integer', draftOf('task.propose', { body: { proposal: { x: 1e300 } } })],
    ['a lone surrogate', draftOf('task.propose', { body: { proposal: { x: '\ud800' } } })],
    ['a prototype key', draftOf('task.propose', { body: { proposal: { constructor: 1 } } })],
    ['another sender than the signer', draftOf('task.cancel', { from: mallory.id })],
    ['an unknown kind', draftOf('x.unknown')]
  ] as ReadonlyArray<readonly [string, Draft]>) {
    it(`of ours with ${why} is a bug of ours: sealing throws`, () => {
      expect(() => seal(draft, alice.signer)).to.throw(Error)
    })
  }

  it('is not read back from a damaged store', () => {
    expect(() => reopen(new Uint8Array(10))).to.throw(Error)
    const { bytes } = sealed(draftOf('task.cancel'))
    expect(() => reopen(concat(bytes, Uint8Array.of(0)))).to.throw(Error)
  })

  it('keeps its place when nothing else of it can be read', () => {
    const made = open(sizedMessage('task.unknown', 2000), PAIR)
    expect(made.ok && made.value.header.task).to.deep.equal({ uid: SOME_UID, n: 2, seen: 1, seenId: SOME_ID })
    expect(made.ok && [made.value.header.seq, made.value.header.at]).to.deep.equal([2, AT])
  })

  it('is vouched for in open and seal alone', () => {
    const folder = new URL('../../src/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const users = files.filter((name) => readFileSync(new URL(name, folder), 'utf8').includes('/verified.js'))
    expect(users.sort()).to.deep.equal(['wire/open.ts', 'wire/seal.ts'])
  })

  it('opened for another pair is refused even when the signature is good', () => {
    const { bytes } = sealed(draftOf('task.cancel'))
    expect(toHex(bytes)).to.have.length.above(0)
    for (const pair of [
      { from: alice.id, to: mallory.id },
      { from: bob.id, to: alice.id },
      { from: bob.id, to: bob.id }
    ]) {
      expect(open(bytes, pair).ok).to.equal(false)
    }
  })
})
