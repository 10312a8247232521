import { expect } from 'chai'
import fc from 'fast-check'
import { LIMITS } from '../../src/wire/limits.js'
import { type Receipt, openReceipt, sealReceipt } from '../../src/wire/receipt.js'
import { alice, bob, mallory } from '../support/vectors/people.js'
import { RECEIPT } from '../support/vectors/receipts.js'

const receipt = RECEIPT as unknown as Receipt
const PAIR = { from: bob.id, to: alice.id }

describe('A receipt', () => {
  it('opens as what was sealed', () => {
    const opened = openReceipt(sealReceipt(receipt, bob.signer), PAIR)
    expect(JSON.parse(JSON.stringify(opened))).to.deep.equal({ ok: true, value: RECEIPT })
  })

  it('fits its limit with every exception that it may hold', () => {
    const results = new Array(LIMITS.receiptResults).fill({
      seq: Number.MAX_SAFE_INTEGER,
      code: 'duplicate'
    }) as Receipt['results']
    expect(sealReceipt({ ...receipt, results }, bob.signer).length).to.be.at.most(LIMITS.receiptBytes)
  })

  it('is neither a message nor a card: each has its own domain', () => {
    const bytes = sealReceipt(receipt, bob.signer)
    expect(openReceipt(bytes, { from: alice.id, to: bob.id }).ok).to.equal(false)
  })

  for (const [why, over] of [
    ['another storer than the signer', { from: mallory.id }],
    ['nothing stored', { upTo: { seq: 0, id: '' } }],
    ['a broken time', { at: 'now' }]
  ] as const) {
    it(`of ours with ${why} is a bug of ours: sealing throws`, () => {
      expect(() => sealReceipt({ ...receipt, ...over } as unknown as Receipt, bob.signer)).to.throw(Error)
    })
  }

  it('never makes the reader throw, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(openReceipt(bytes, PAIR).ok).to.equal(false)
      })
    )
  })
})
