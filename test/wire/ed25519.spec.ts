import { createHash } from 'node:crypto'
import * as noble from '@noble/ed25519'
import { expect } from 'chai'
import fc from 'fast-check'
import { isSoundKey, signerOf, verifyStrict } from '../../src/wire/ed25519.js'
import { unsoundKeys } from '../support/vectors/ed25519.js'

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
const message = fc.uint8Array({ maxLength: 100 })

/** noble's strict answer; it throws for wrong lengths. */
function nobleSays(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return noble.verify(signature, bytes, key, { zip215: false })
  } catch {
    return false
  }
}

describe('Strict Ed25519', () => {
  before(() => {
    noble.hashes.sha512 = (bytes) => new Uint8Array(createHash('sha512').update(bytes).digest())
  })
  after(() => {
    noble.hashes.sha512 = undefined
  })

  it('signs as a second implementation does, byte for byte', () => {
    fc.assert(
      fc.property(seed, message, (secret, bytes) => {
        const signer = signerOf(secret)
        expect(signer.publicKey).to.deep.equal(noble.getPublicKey(secret))
        expect(signer.sign(bytes)).to.deep.equal(noble.sign(bytes, secret))
        expect(Object.getPrototypeOf(signer.publicKey)).to.equal(Uint8Array.prototype)
        expect(verifyStrict(signer.publicKey, bytes, signer.sign(bytes))).to.equal(true)
      }),
      { numRuns: 30 }
    )
  })

  it('never disagrees with a second strict implementation on a checked key', () => {
    const flips = fc.array(fc.record({ at: fc.nat(63), bit: fc.nat(7) }), { maxLength: 2 })
    fc.assert(
      fc.property(seed, message, flips, fc.boolean(), (secret, bytes, changes, cut) => {
        const { publicKey, sign } = signerOf(secret)
        const signature = sign(bytes)
        for (const { at, bit } of changes) signature[at] = (signature[at] as number) ^ (1 << bit)
        const given = cut ? signature.slice(1) : signature
        expect(isSoundKey(publicKey)).to.equal(true)
        expect(verifyStrict(publicKey, bytes, given)).to.equal(nobleSays(publicKey, bytes, given))
      }),
      { numRuns: 60 }
    )
  })

  it('never throws, whatever key, message and signature are', () => {
    const any = fc.uint8Array({ maxLength: 66 })
    const key = fc.oneof(fc.constantFrom(...unsoundKeys().map((one) => one.key)), any, seed)
    fc.assert(
      fc.property(
        key,
        any,
        fc.oneof(any, fc.uint8Array({ minLength: 64, maxLength: 64 })),
        (publicKey, bytes, signature) => {
          expect(verifyStrict(publicKey, bytes, signature)).to.equal(false)
        }
      ),
      { numRuns: 200 }
    )
  })

  for (const { name, key } of unsoundKeys()) {
    it(`uses no key that is ${name}`, () => expect(isSoundKey(key)).to.equal(false))
  }

  it('makes no signer of a seed of another length', () => {
    expect(() => signerOf(new Uint8Array(31))).to.throw(RangeError)
    expect(() => signerOf(new Uint8Array(64))).to.throw(RangeError)
  })

  it('shows no secret on a signer', () => {
    expect(Object.keys(signerOf(new Uint8Array(32).fill(1))).sort()).to.deep.equal(['publicKey', 'sign'])
  })
})
