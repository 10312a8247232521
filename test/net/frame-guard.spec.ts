import { expect } from 'chai'
import { createHeaderWatch } from '../../src/net/frame-guard.js'

const LIMITS = { maxBody: 1000, framesPerSecond: 100, framesAtOnce: 50 }

function frame(type: number, length: number, body = type === 0 ? length : 0): Uint8Array {
  const bytes = new Uint8Array(12 + body)
  bytes[1] = type
  new DataView(bytes.buffer).setUint32(8, length)
  return bytes
}

describe('the watch over muxer frames', () => {
  it('lets ordinary traffic by, however it is cut', () => {
    const wire = Buffer.concat([frame(1, 262_144), frame(0, 1000), frame(2, 4_000_000_000), frame(0, 1), frame(3, 0)])
    for (const size of [1, 5, 12, 13, 1000, 4000]) {
      const fits = createHeaderWatch(LIMITS, () => 0)
      for (let at = 0; at < wire.length; at += size) expect(fits(wire.subarray(at, at + size))).to.equal(true)
    }
  })

  it('stops a body larger than any window at its header, before a byte of it came', () => {
    expect(createHeaderWatch(LIMITS, () => 0)(frame(0, 4_294_967_295, 0))).to.equal(false)
    const fits = createHeaderWatch(LIMITS, () => 0)
    const verdicts = [...Buffer.concat([frame(0, 10), frame(0, 1001, 0)])].map((byte) => fits(Uint8Array.of(byte)))
    expect(verdicts.indexOf(false)).to.equal(verdicts.length - 1)
  })

  it('stops a flood of small frames, and not the same number over time', () => {
    let time = 0
    const fits = createHeaderWatch(LIMITS, () => time)
    const verdicts = Array.from({ length: 60 }, () => fits(frame(0, 1)))
    expect(verdicts.indexOf(false)).to.equal(50)
    const patient = createHeaderWatch(LIMITS, () => time)
    for (let i = 0; i < 5000; i++) {
      time += 11
      expect(patient(frame(0, 1))).to.equal(true)
    }
  })
})
