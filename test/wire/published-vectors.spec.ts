/**
 * The published Ed25519 sets, if the environment says where they are: ED25519_VECTORS names a folder with
 * `ed25519-speccheck.json` and `ed25519-wycheproof.json`. They are not ours to hand on, so they are not in this repository.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { verifyStrict } from '../../src/wire/ed25519.js'

interface SpecCheck {
  readonly message: string
  readonly pub_key: string
  readonly signature: string
}

interface Wycheproof {
  readonly testGroups: ReadonlyArray<{
    readonly publicKey: { readonly pk: string }
    readonly tests: ReadonlyArray<{
      readonly tcId: number
      readonly msg: string
      readonly sig: string
      readonly result: string
    }>
  }>
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))

function load<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
}

function suite(folder: string): void {
  it('of speccheck: all twelve are refused', () => {
    const cases = load<SpecCheck[]>(folder, 'ed25519-speccheck.json')
    expect(cases).to.have.length(12)
    for (const one of cases) {
      expect(verifyStrict(hex(one.pub_key), hex(one.message), hex(one.signature))).to.equal(false)
    }
  })

  it('of Wycheproof: every answer is the expected one', () => {
    const { testGroups } = load<Wycheproof>(folder, 'ed25519-wycheproof.json')
    let seen = 0
    for (const { publicKey, tests } of testGroups) {
      for (const one of tests) {
        seen++
        const answer = verifyStrict(hex(publicKey.pk), hex(one.msg), hex(one.sig))
        expect(answer, `test ${one.tcId}`).to.equal(one.result === 'valid')
      }
    }
    expect(seen).to.equal(151)
  })
}

// Without the sets there is nothing to say, so there is no test either: a pending one would look like a promise.
const where = process.env['ED25519_VECTORS']
if (where !== undefined) describe('The published Ed25519 sets', () => suite(where))
