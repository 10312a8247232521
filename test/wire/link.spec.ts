import { expect } from 'chai'
import fc from 'fast-check'
import { toBase64url, toHex } from '../../src/base/bytes.js'
import { canonicalText } from '../../src/base/canonical.js'
import { inviteId, inviteProof, proofKeyOf, proofOf, readLink, writeLink } from '../../src/wire/link.js'
import { CARD, sign } from '../support/vectors/cards.js'
import { alice, bob, mallory } from '../support/vectors/people.js'

const card = sign(canonicalText(CARD))
const secret = fc.uint8Array({ minLength: 16, maxLength: 16 })
const pair = { from: bob.id, to: alice.id }

describe('A contact link', () => {
  it('says what was written into it', () => {
    fc.assert(
      fc.property(fc.option(secret, { nil: undefined }), (invite) => {
        const written = writeLink({ agent: alice.id, card, ...(invite === undefined ? {} : { invite }) })
        const read = readLink(written)
        expect(read.ok && read.value.invite).to.deep.equal(invite)
        expect(read.ok && read.value.cardBytes).to.deep.equal(card)
        expect(read.ok && read.value.agent).to.equal(alice.id)
      }),
      { numRuns: 20 }
    )
  })

  it('never makes the reader throw, and one changed character makes it another link or none', () => {
    const link = writeLink({ agent: alice.id, card, invite: new Uint8Array(16).fill(7) })
    fc.assert(
      fc.property(fc.nat(link.length - 1), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (at, put) => {
        fc.pre(link.charAt(at) !== put)
        const read = readLink(link.slice(0, at) + put + link.slice(at + 1))
        // Only the secret itself can change without anyone noticing yet: the proof will.
        if (read.ok) expect(at).to.be.at.least(link.indexOf('&invite=') + 8)
      }),
      { numRuns: 300 }
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readLink(text).ok).to.equal(false)
      })
    )
  })

  it('is not written with a secret of another length', () => {
    expect(() => writeLink({ agent: alice.id, card, invite: new Uint8Array(15) })).to.throw(RangeError)
  })
})

describe('An invite proof', () => {
  it('is checked with the derived key alone, which is all that a node keeps', () => {
    fc.assert(
      fc.property(secret, (value) => {
        expect(proofOf(proofKeyOf(value), pair)).to.equal(inviteProof(value, pair))
      })
    )
  })

  it('serves one sender, one recipient and one secret', () => {
    const one = new Uint8Array(16).fill(1)
    const proofs = [
      inviteProof(one, pair),
      inviteProof(one, { ...pair, from: mallory.id }),
      inviteProof(one, { ...pair, to: mallory.id }),
      inviteProof(one, { from: alice.id, to: bob.id }),
      inviteProof(new Uint8Array(16).fill(2), pair)
    ]
    expect(new Set(proofs).size).to.equal(proofs.length)
    for (const proof of proofs) expect(proof).to.match(/^[0-9a-f]{64}$/)
  })

  it('and the public id of an invite do not contain its secret', () => {
    fc.assert(
      fc.property(secret, (value) => {
        const shown = [inviteId(value), toHex(proofKeyOf(value)), inviteProof(value, pair)].join(' ')
        expect(inviteId(value)).to.match(/^[0-9a-f]{32}$/)
        expect(shown).to.not.include(toHex(value))
        expect(shown).to.not.include(toBase64url(value))
      })
    )
  })
})
