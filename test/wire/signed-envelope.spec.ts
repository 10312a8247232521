import '../../src/net/polyfill.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { concat, toUtf8 } from '../../src/base/bytes.js'
import { openEnvelope, peekEnvelope, sealEnvelope } from '../../src/wire/signed-envelope.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { MESSAGE_DOMAIN, MESSAGE_TYPE } from '../../src/wire/message.js'
import { alice } from '../support/vectors/people.js'

const payloads = fc.uint8Array({ minLength: 1, maxLength: 300 })

/** A record as libp2p's own envelope wants it. */
function record(payload: Uint8Array): {
  domain: string
  codec: Uint8Array
  marshal: () => Uint8Array
  equals: () => boolean
} {
  return { domain: MESSAGE_DOMAIN, codec: toUtf8(MESSAGE_TYPE), marshal: () => payload, equals: () => false }
}

describe('The signed envelope', () => {
  it('opens with libp2p’s own code, and only in its domain', async () => {
    const { RecordEnvelope } = await import('@libp2p/peer-record')
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const bytes = sealEnvelope(alice.signer, MESSAGE_DOMAIN, MESSAGE_TYPE, payload)
        const opened = await RecordEnvelope.openAndCertify(bytes, MESSAGE_DOMAIN)
        expect(new Uint8Array(opened.payload.subarray())).to.deep.equal(payload)
        expect(new Uint8Array(opened.publicKey.raw)).to.deep.equal(alice.signer.publicKey)
        const other = await RecordEnvelope.openAndCertify(bytes, 'agentlink/receipt/1').catch(() => 'refused')
        expect(other).to.equal('refused')
      }),
      { numRuns: 30 }
    )
  })

  it('opens what libp2p’s own code sealed, which is byte for byte what ours seals', async () => {
    const { RecordEnvelope } = await import('@libp2p/peer-record')
    const { generateKeyPairFromSeed } = await import('@libp2p/crypto/keys')
    const key = await generateKeyPairFromSeed('Ed25519', alice.seed)
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const theirs = new Uint8Array((await RecordEnvelope.seal(record(payload), key)).marshal())
        expect(theirs).to.deep.equal(sealEnvelope(alice.signer, MESSAGE_DOMAIN, MESSAGE_TYPE, payload))
        const opened = openEnvelope(theirs, MESSAGE_DOMAIN, MESSAGE_TYPE)
        expect(opened.ok && opened.value.payload).to.deep.equal(payload)
      }),
      { numRuns: 30 }
    )
  })

  it('is refused for another domain and for another payload type', () => {
    const bytes = sealEnvelope(alice.signer, MESSAGE_DOMAIN, MESSAGE_TYPE, Uint8Array.of(1))
    const code = (domain: string, type: string): unknown => {
      const opened = openEnvelope(bytes, domain, type)
      return opened.ok ? 'opened' : opened.refusal.details.code
    }
    expect(code(MESSAGE_DOMAIN, MESSAGE_TYPE)).to.equal('opened')
    expect(code('agentlink/message/2', MESSAGE_TYPE)).to.equal('bad_signature')
    expect(code(MESSAGE_DOMAIN, '/agentlink/other')).to.equal('wrong_domain')
  })

  it('does not let bytes wander between domain, type and payload', () => {
    const bytes = sealEnvelope(alice.signer, 'agentlink/a', '/b', toUtf8('cd'))
    const { signature } = (peekEnvelope(bytes) as { value: { signature: Uint8Array } }).value
    const shifted = concat(
      bytes.slice(0, 38),
      Uint8Array.of(0x12, 3),
      toUtf8('/bc'),
      Uint8Array.of(0x1a, 1),
      toUtf8('d'),
      Uint8Array.of(0x2a, 64),
      signature
    )
    const opened = openEnvelope(shifted, 'agentlink/a', '/bc')
    expect(opened.ok ? 'opened' : opened.refusal.details.code).to.equal('bad_signature')
  })

  it('has one encoding: whatever opens is exactly what sealing its parts gives', () => {
    const bytes = sealEnvelope(alice.signer, MESSAGE_DOMAIN, MESSAGE_TYPE, Uint8Array.of(1, 2, 3))
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.nat(3), fc.uint8Array({ maxLength: 3 }), (at, cut, put) => {
        const changed = concat(bytes.slice(0, at), put, bytes.slice(at + cut))
        const opened = openEnvelope(changed, MESSAGE_DOMAIN, MESSAGE_TYPE)
        if (opened.ok) expect(changed).to.deep.equal(bytes)
      }),
      { numRuns: 1000 }
    )
  })

  it('never makes the reader throw, and parts of what it splits lie within the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const parts = peekEnvelope(bytes)
        if (parts.ok) expect(parts.value.payload.buffer).to.equal(bytes.buffer)
      }),
      { numRuns: 500 }
    )
  })

  it('carries payloads up to the largest message', () => {
    for (const size of [127, 128, 16_383, 16_384, 262_000]) {
      const payload = new Uint8Array(size).fill(7)
      const opened = openEnvelope(
        sealEnvelope(signerOf(alice.seed), MESSAGE_DOMAIN, MESSAGE_TYPE, payload),
        MESSAGE_DOMAIN,
        MESSAGE_TYPE
      )
      expect(opened.ok && opened.value.payload.length).to.equal(size)
    }
  })
})
