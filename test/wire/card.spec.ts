import { expect } from 'chai'
import fc from 'fast-check'
import type { Card } from '../../src/wire/card.js'
import { openCard, parseHandle, replaces, sealCard } from '../../src/wire/card.js'
import { LIMITS } from '../../src/wire/limits.js'
import { CARD } from '../support/vectors/cards.js'
import { alice, aliceNode, bob, bobNode } from '../support/vectors/people.js'

const card = CARD as unknown as Card

describe('A card', () => {
  it('opens as what was sealed', () => {
    const opened = openCard(sealCard(card, alice.signer, aliceNode.signer))
    expect(opened.ok && { ...opened.value }).to.deep.equal(card)
  })

  it('fits its limit with eight of the longest addresses', () => {
    const label = 'a'.repeat(61)
    const addrs = [1, 2, 3, 4, 5, 6, 7, 8].map(
      (n) => `/dns4/${label}.${label}.${label}.${label}.a${n}/tcp/65535/ws/p2p/${aliceNode.peerId}`
    )
    const bytes = sealCard({ ...card, handle: `@${'a'.repeat(31)}`, addrs }, alice.signer, aliceNode.signer)
    expect(bytes.length).to.be.at.most(LIMITS.cardBytes)
  })

  for (const [why, over] of [
    ['a broken handle', { handle: 'alice' }],
    ['an address of another node', { addrs: [`/ip4/1.2.3.4/tcp/1/p2p/${bobNode.peerId}`] }],
    ['another agent than the signer', { agent: bob.id }],
    ['another node than the signer', { peerId: bobNode.peerId, addrs: [] }],
    ['seq 0', { seq: 0 }]
  ] as const) {
    it(`of ours with ${why} is a bug of ours: sealing throws`, () => {
      expect(() => sealCard({ ...card, ...over } as Card, alice.signer, aliceNode.signer)).to.throw(Error)
    })
  }

  it('is replaced by a newer one within the jump, and by nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1, max: 3_000_000 }), (old, next) => {
        const rise = next - old
        expect(replaces({ ...card, seq: old }, { ...card, seq: next }).ok).to.equal(
          rise > 0 && rise <= LIMITS.cardSeqJump
        )
      })
    )
  })

  it('never makes the reader throw, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(openCard(bytes).ok).to.equal(false)
      })
    )
  })

  it('bears a handle of its own form', () => {
    expect(['@a', '@hermes', '@0-_x', `@${'a'.repeat(31)}`].every((text) => parseHandle(text).ok)).to.equal(true)
    for (const text of ['', '@', 'a', '@A', '@_a', '@é', '@a b', '@a.b', `@${'a'.repeat(32)}`, '@a\n']) {
      const parsed = parseHandle(text)
      expect(parsed.ok ? text : parsed.refusal.details.code).to.equal('invalid_field')
    }
  })
})
