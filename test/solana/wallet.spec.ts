import { expect } from 'chai'
import { Keypair } from '@solana/web3.js'
import { readWallet, walletText } from '../../src/solana/wallet.js'
import { toBase58 } from '../../src/wire/base58.js'

const SEED = new Uint8Array(32).fill(7)

describe('A wallet file', () => {
  it('is the one that solana-keygen writes', () => {
    const theirs = Keypair.fromSeed(SEED)
    expect(JSON.parse(walletText(SEED))).to.deep.equal([...theirs.secretKey])
    const ours = readWallet(`\n${JSON.stringify([...theirs.secretKey], null, 2)}\n`)
    expect(ours.ok && toBase58(ours.value.publicKey)).to.equal(theirs.publicKey.toBase58())
  })

  const numbers = [...Keypair.fromSeed(SEED).secretKey]
  const faulty: ReadonlyArray<readonly [string, string]> = [
    ['nothing', ''],
    ['no JSON', 'x'],
    ['an object', '{}'],
    ['a seed alone', JSON.stringify(numbers.slice(0, 32))],
    ['a number too many', JSON.stringify([...numbers, 1])],
    ['a number above 255', JSON.stringify([256, ...numbers.slice(1)])],
    ['a fraction', JSON.stringify([0.5, ...numbers.slice(1)])],
    ['a text', JSON.stringify(['7', ...numbers.slice(1)])],
    ['the public key of another', JSON.stringify([...numbers.slice(0, 63), 1])],
    ['megabytes', `[${'7,'.repeat(1e6)}7]`]
  ]
  for (const [what, text] of faulty) {
    it(`is not ${what}, and what it holds is not repeated`, () => {
      const read = readWallet(text)
      expect(read.ok ? 'taken' : read.refusal.details).to.deep.equal({ code: 'invalid_field', field: 'wallet' })
      if (!read.ok) expect(read.refusal.message).to.not.match(/\d{2}, ?\d/)
    })
  }
})
