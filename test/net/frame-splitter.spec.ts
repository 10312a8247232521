import { expect } from 'chai'
import fc from 'fast-check'
import * as lp from 'it-length-prefixed'
import { createFrameSplitter, FrameLengthError, lengthPrefix } from '../../src/net/frame-splitter.js'

const MAX = 262_145

function split(chunks: readonly Uint8Array[], max = MAX): Uint8Array[] {
  const splitter = createFrameSplitter(max)
  const frames: Uint8Array[] = []
  for (const chunk of chunks) {
    splitter.push(chunk)
    for (let frame = splitter.next(); frame !== undefined; frame = splitter.next()) frames.push(frame.slice())
  }
  return frames
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 400 }), { minLength: 1, maxLength: 12 })
const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 })

describe('the frame splitter', () => {
  it('gives back what an independent encoder wrote, however the bytes were cut', () => {
    fc.assert(
      fc.property(bodies, sizes, (written, cuts) => {
        const wire = Buffer.concat([...lp.encode(written)].map((part) => part.subarray()))
        expect(split(cut(wire, cuts)).map((each) => [...each])).to.deep.equal(written.map((each) => [...each]))
      })
    )
  })

  it('writes prefixes that an independent decoder reads', () => {
    for (const length of [1, 127, 128, 16_383, 16_384, MAX]) {
      const wire = Buffer.concat([lengthPrefix(length), Buffer.alloc(length, 7)])
      const [frame, ...more] = [...lp.decode([wire], { maxDataLength: MAX })]
      expect([frame?.byteLength, more.length]).to.deep.equal([length, 0])
      expect(split([wire]).map((each) => each.length)).to.deep.equal([length])
    }
  })

  it('does not copy a frame that arrived in one piece', () => {
    const wire = Uint8Array.from([2, 8, 9, 1, 7])
    const splitter = createFrameSplitter(MAX)
    splitter.push(wire)
    const frame = splitter.next()
    expect(frame?.buffer).to.equal(wire.buffer)
  })

  it('puts the largest frame together from single bytes, copying each byte a few times at most', () => {
    const chunks = cut(Buffer.concat([lengthPrefix(MAX), Buffer.alloc(MAX, 5)]), [1])
    const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'set')
    let copied = 0
    Object.defineProperty(Uint8Array.prototype, 'set', {
      configurable: true,
      value(this: Uint8Array, source: Uint8Array, at?: number) {
        copied += source.length
        Reflect.apply(set?.value as Uint8Array['set'], this, [source, at])
      }
    })
    try {
      expect(split(chunks).map((frame) => frame.every((byte) => byte === 5) && frame.length)).to.deep.equal([MAX])
    } finally {
      Reflect.deleteProperty(Uint8Array.prototype, 'set')
    }
    expect(copied).to.be.within(MAX, 3 * MAX)
  })

  const junk: ReadonlyArray<readonly [string, readonly number[]]> = [
    ['a length of zero', [0]],
    ['one above the largest frame', [0x82, 0x80, 0x10]],
    ['a length in a longer form than needed', [0x81, 0x00]],
    ['a length that never ends', [0x80, 0x80, 0x80, 0x80, 0x80]],
    ['a length beyond 32 bits', [0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['text', [...new TextEncoder().encode('not json, not a frame')].map((byte) => byte | 0x80)]
  ]
  for (const [name, bytes] of junk) {
    it(`refuses ${name}, in one piece and byte by byte`, () => {
      expect(() => split([Uint8Array.from(bytes)])).to.throw(FrameLengthError)
      expect(() => split(bytes.map((byte) => Uint8Array.of(byte)))).to.throw(FrameLengthError)
    })
  }

  it('never throws anything but FrameLengthError, whatever arrives', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), (chunks) => {
        try {
          split(chunks, 100)
        } catch (error) {
          expect(error).to.be.instanceOf(FrameLengthError)
        }
      })
    )
  })

  it('knows whether a frame has begun', () => {
    const splitter = createFrameSplitter(MAX)
    const states = [0x80, 0x01, 1, 2].map((byte) => {
      splitter.push(Uint8Array.of(byte))
      splitter.next()
      return splitter.pending()
    })
    expect(states).to.deep.equal([true, true, true, true])
    splitter.push(new Uint8Array(126))
    expect(splitter.next()?.length).to.equal(128)
    expect(splitter.pending()).to.equal(false)
  })

  it('reserves no memory for a length that was only claimed', () => {
    const before = process.memoryUsage().arrayBuffers
    const splitters = Array.from({ length: 1000 }, () => {
      const splitter = createFrameSplitter(MAX)
      splitter.push(Uint8Array.from([0x81, 0x80, 0x10, 1]))
      splitter.next()
      return splitter
    })
    expect(splitters.every((each) => each.pending())).to.equal(true)
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(16 * 1024 * 1024)
  })
})
