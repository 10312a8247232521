import { expect } from 'chai'
import fc from 'fast-check'
import { concat, toBase64url, toUtf8 } from '../../src/base/bytes.js'
import { type Frame, type Hello, decodeFrame, encodeFrame } from '../../src/wire/frames.js'
import { LIMITS } from '../../src/wire/limits.js'
import { HELLO } from '../support/vectors/frames.js'

const hello = HELLO as unknown as Hello

const frames = fc.oneof(
  fc.constant<Frame>({ type: 'hello', hello }),
  fc.record({
    type: fc.constant('want' as const),
    chain: fc.constantFrom('mine' as const, 'yours' as const),
    from: fc.integer({ min: 1 })
  }),
  fc.record({
    type: fc.constantFrom('message' as const, 'receipt' as const),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 50 })
  }),
  fc.constantFrom<Frame>(
    { type: 'refuse', code: 'not_contact' },
    { type: 'refuse', code: 'retry', afterMs: 0 },
    { type: 'refuse', code: 'bad_hello' }
  )
)

/** Without the prototypes that strict reading takes away. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

describe('A frame', () => {
  it('reads as what was written', () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const decoded = decodeFrame(encodeFrame(frame as Frame))
        expect(decoded.ok && plain(decoded.value)).to.deep.equal(plain(frame))
      })
    )
  })

  it('never makes the reader throw, whatever the bytes, and has one encoding', () => {
    const nearly = fc
      .tuple(fc.integer({ min: 0, max: 6 }), fc.oneof(fc.json({ maxDepth: 2 }), fc.string()))
      .map(([type, text]) => concat(Uint8Array.of(type), toUtf8(text)))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), nearly), (bytes) => {
        const decoded = decodeFrame(bytes)
        if (decoded.ok) expect(encodeFrame(decoded.value)).to.deep.equal(bytes)
      }),
      { numRuns: 2000 }
    )
  })

  it('keeps its meaning or is refused when any byte of it changes', () => {
    const bytes = encodeFrame({ type: 'hello', hello })
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const decoded = decodeFrame(bytes.map((byte, i) => (i === at ? byte ^ mask : byte)))
        if (decoded.ok) expect(encodeFrame(decoded.value)).to.not.deep.equal(bytes)
      }),
      { numRuns: 500 }
    )
  })

  it('is not larger than its type may be', () => {
    const code = (type: number, length: number): unknown => {
      const decoded = decodeFrame(concat(Uint8Array.of(type), new Uint8Array(length)))
      return decoded.ok ? decoded.value.type : decoded.refusal.code
    }
    expect(code(3, LIMITS.envelopeMessageBytes)).to.equal('message')
    expect(code(3, LIMITS.envelopeMessageBytes + 1)).to.equal('too_large')
    expect(code(4, LIMITS.receiptBytes)).to.equal('receipt')
    expect(code(4, LIMITS.receiptBytes + 1)).to.equal('too_large')
    expect(code(1, LIMITS.helloBytes + 1)).to.equal('too_large')
    expect(code(2, LIMITS.controlBytes + 1)).to.equal('too_large')
    expect(code(5, LIMITS.controlBytes + 1)).to.equal('too_large')
    expect(LIMITS.frameBytes).to.equal(LIMITS.envelopeMessageBytes + 1)
  })

  it('with the largest card fits the limit of a hello', () => {
    const card = toBase64url(new Uint8Array(LIMITS.cardBytes))
    const bytes = encodeFrame({ type: 'hello', hello: { ...hello, card } })
    expect(bytes.length - 1).to.be.at.most(LIMITS.helloBytes)
    expect(decodeFrame(bytes).ok).to.equal(true)
  })

  it('lends its bytes instead of copying them', () => {
    const bytes = encodeFrame({ type: 'message', bytes: Uint8Array.of(1, 2) })
    const decoded = decodeFrame(bytes)
    expect(decoded.ok && decoded.value.type === 'message' && decoded.value.bytes.buffer === bytes.buffer).to.equal(true)
  })

  for (const [why, frame] of [
    ['a want from 0', { type: 'want', chain: 'mine', from: 0 }],
    ['a hello without card', { type: 'hello', hello: { ...hello, card: '' } }],
    ['a time on a refusal that is no retry', { type: 'refuse', code: 'not_contact', afterMs: 1 }]
  ] as ReadonlyArray<readonly [string, Frame]>) {
    it(`of ours with ${why} is a bug of ours: writing throws`, () => expect(() => encodeFrame(frame)).to.throw(Error))
  }
})
