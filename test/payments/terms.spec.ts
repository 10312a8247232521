import { expect } from 'chai'
import fc from 'fast-check'
import type { MessageId, TaskUid } from '../../src/base/ids.js'
import { parseAddress, parseSignature } from '../../src/payments/address.js'
import { memoOf } from '../../src/payments/memo.js'
import { parsePrice, showLamports } from '../../src/payments/price.js'
import { fromBase58, toBase58 } from '../../src/wire/base58.js'

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })

describe('The names of accounts and transactions', () => {
  it('come back as the bytes that they stand for', () => {
    fc.assert(fc.property(bytes(32), (key) => void expect(fromBase58(toBase58(key), 32)).to.deep.equal(key)))
    fc.assert(fc.property(bytes(64), (key) => void expect(parseSignature(toBase58(key)).ok).to.equal(true)))
  })

  it('are refused by name when they are of another length, of other letters, or endless', () => {
    const system = '1'.repeat(32)
    expect(parseAddress(system).ok).to.equal(true)
    const faulty = ['', 'abc', `${system}1`, system.slice(1), `0${system.slice(1)}`, ` ${system}`, 'z'.repeat(1e6)]
    for (const text of [...faulty, toBase58(new Uint8Array(64).fill(7))]) {
      const parsed = parseAddress(text, 'payTo')
      expect(parsed.ok ? 'taken' : parsed.refusal.details).to.deep.equal({ code: 'malformed_id', field: 'payTo' })
    }
    expect(parseSignature(system).ok).to.equal(false)
  })
})

describe('A price', () => {
  const lamports = (price: string): string => {
    const parsed = parsePrice(price)
    return parsed.ok ? parsed.value : String(parsed.refusal.details.code)
  }

  it('is a whole number of lamports, exactly', () => {
    expect(lamports('0.25 SOL')).to.equal('250000000')
    expect(lamports('0.000000001 SOL')).to.equal('1')
    expect(lamports('9007199.254740993 SOL')).to.equal('9007199254740993')
    expect(lamports('9223372036.854775807 SOL')).to.equal('9223372036854775807')
    expect(parsePrice({ amount: '1.50', currency: 'SOL' })).to.deep.equal({ ok: true, value: '1500000000' })
  })

  const NONE = ['0 SOL', '0.0 SOL', '-1 SOL', '1e3 SOL', '01 SOL', '.5 SOL', '1. SOL', '0.0000000001 SOL', '1,5 SOL']
  const ODD = ['1', '1 sol', '1 USDC', '1  SOL', ' 1 SOL', '1 SOL ', '', 'SOL', '１ SOL', '9223372036.854775808 SOL']
  for (const text of [...NONE, ...ODD]) {
    it(`is not ${JSON.stringify(text)}`, () => expect(lamports(text)).to.equal('invalid_field'))
  }

  it('is shown as it was read', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n - 1n), (amount) => {
        expect(lamports(showLamports(amount))).to.equal(amount.toString())
      })
    )
    expect([0n, -5n, 2_000_000_000n].map(showLamports)).to.deep.equal(['0 SOL', '-0.000000005 SOL', '2 SOL'])
  })
})

describe('A memo', () => {
  it('names the task and the plan', () => {
    const memo = memoOf('cd'.repeat(16) as TaskUid, 'ab'.repeat(32) as MessageId)
    expect(memo).to.equal(`agentlink:1:${'cd'.repeat(16)}:${'ab'.repeat(32)}`)
  })
})
