import '../../src/net/polyfill.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { agentIdOf, parseAgentId, peerIdOf, publicKeyOf, publicKeyOfPeer } from '../../src/wire/keys.js'
import { signerOf } from '../../src/wire/ed25519.js'

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('Names of keys', () => {
  it('are the peer ids that libp2p gives', async () => {
    const { generateKeyPairFromSeed } = await import('@libp2p/crypto/keys')
    const { peerIdFromPrivateKey } = await import('@libp2p/peer-id')
    for (const byte of [0, 1, 2, 200]) {
      const secret = new Uint8Array(32).fill(byte)
      const theirs = peerIdFromPrivateKey(await generateKeyPairFromSeed('Ed25519', secret)).toString()
      expect(peerIdOf(signerOf(secret).publicKey)).to.equal(theirs)
    }
  })

  it('lead back to the key', () => {
    fc.assert(
      fc.property(seed, (secret) => {
        const { publicKey } = signerOf(secret)
        expect(publicKeyOf(agentIdOf(publicKey))).to.deep.equal({ ok: true, value: publicKey })
        expect(publicKeyOfPeer(peerIdOf(publicKey))).to.deep.equal({ ok: true, value: publicKey })
        expect(parseAgentId(agentIdOf(publicKey)).ok).to.equal(true)
      }),
      { numRuns: 30 }
    )
  })

  it('are refused when any one character is another', () => {
    const id = agentIdOf(signerOf(new Uint8Array(32).fill(1)).publicKey)
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, put) => {
        fc.pre(id.charAt(at) !== put)
        expect(publicKeyOf(id.slice(0, at) + put + id.slice(at + 1)).ok).to.equal(false)
      }),
      { numRuns: 300 }
    )
  })

  it('never make the parsers throw', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ maxLength: 59 }).map((rest) => `al1${rest}`)
    )
    fc.assert(
      fc.property(text, (value) => {
        for (const result of [publicKeyOf(value), parseAgentId(value), publicKeyOfPeer(value)])
          expect(result.ok).to.equal(false)
      })
    )
  })

  it('say which field was at fault', () => {
    const parsed = parseAgentId('bob', 'participant')
    expect(parsed.ok ? undefined : parsed.refusal.details).to.deep.equal({ code: 'malformed_id', field: 'participant' })
  })

  it('are made of 32 bytes only', () => {
    expect(() => agentIdOf(new Uint8Array(31))).to.throw(RangeError)
    expect(() => peerIdOf(new Uint8Array(33))).to.throw(RangeError)
  })
})
