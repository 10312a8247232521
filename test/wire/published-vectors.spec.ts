/**
 * The published Ed25519 sets, if the environment says where they are: AGENTLINK_VECTORS names a folder with
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

const folder = process.env['AGENTLINK_VECTORS']
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))

function load<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder as string, name), 'utf8')) as T
}

const suite = folder === undefined ? describe.skip : describe

suite('The published Ed25519 sets', () => {
  it('of speccheck: all twelve are refused', () => {
    const cases = load<SpecCheck[]>('ed25519-speccheck.json')
    expect(cases).to.have.length(12)
    for (const one of cases) {
      expect(verifyStrict(hex(one.pub_key), hex(one.message), hex(one.signature))).to.equal(false)
    }
  })

  it('of Wycheproof: every answer is the expected one', () => {
    const { testGroups } = load<Wycheproof>('ed25519-wycheproof.json')
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
})
