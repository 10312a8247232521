import { expect } from 'chai'
import { toHex, toUtf8 } from '../../src/base/bytes.js'
import { hmacSha256, sha256, sha256Hex } from '../../src/base/digest.js'

describe('Digests', () => {
  it('are SHA-256 as FIPS 180-4 gives it for abc', () => {
    const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(sha256Hex(toUtf8('abc'))).to.equal(expected)
    expect(toHex(sha256(toUtf8('abc')))).to.equal(expected)
  })

  it('are HMAC-SHA-256 as RFC 4231 gives it for its second case', () => {
    const mac = hmacSha256(toUtf8('Jefe'), toUtf8('what do ya want for nothing?'))
    expect(toHex(mac)).to.equal('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })
})
