import { expect } from 'chai'
import fc from 'fast-check'
import {
  concat,
  equalBytes,
  fromBase64url,
  fromHex,
  fromUtf8,
  toBase64url,
  toHex,
  toUtf8
} from '../../src/base/bytes.js'

const bytes = fc.uint8Array({ maxLength: 70 })

describe('Bytes', () => {
  it('come back from hex and base64url as plain Uint8Arrays', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        for (const back of [fromHex(toHex(value)), fromBase64url(toBase64url(value))]) {
          expect(back).to.deep.equal(value)
          expect(Object.getPrototypeOf(back)).to.equal(Uint8Array.prototype)
        }
      })
    )
  })

  it('have one text only: what is read is what would be written', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'ABab09_-=+/ zé'), maxLength: 12 })
    fc.assert(
      fc.property(texts, (text) => {
        const fromB64 = fromBase64url(text)
        const fromHexText = fromHex(text)
        if (fromB64 !== undefined) expect(toBase64url(fromB64)).to.equal(text)
        if (fromHexText !== undefined) expect(toHex(fromHexText)).to.equal(text)
      })
    )
  })

  for (const [why, text] of [
    ['padding', 'AA=='],
    ['stray bits', 'AB'],
    ['a single character', 'A'],
    ['the alphabet of plain base64', '+/AA'],
    ['a line end', 'AAAA\n']
  ] as const) {
    it(`are not read from base64url with ${why}`, () => expect(fromBase64url(text)).to.equal(undefined))
  }

  for (const text of ['A0', '0', '0g', '00\n', '0x00']) {
    it(`are not read from ${JSON.stringify(text)} as hex`, () => expect(fromHex(text)).to.equal(undefined))
  }

  it('are compared and joined whatever buffer they lie in', () => {
    const backing = Uint8Array.of(9, 1, 2, 3, 9)
    const part = backing.subarray(1, 4)
    expect(equalBytes(part, Uint8Array.of(1, 2, 3))).to.equal(true)
    expect(equalBytes(part, Uint8Array.of(1, 2))).to.equal(false)
    expect(concat(part, Uint8Array.of(4), new Uint8Array(0))).to.deep.equal(Uint8Array.of(1, 2, 3, 4))
    expect(toHex(part)).to.equal('010203')
  })

  it('are UTF-8 only when they are valid', () => {
    expect(fromUtf8(toUtf8('é😀'))).to.equal('é😀')
    expect(fromUtf8(Uint8Array.of(0xff))).to.equal(undefined)
    expect(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf))).to.equal('\ufeff')
  })
})
