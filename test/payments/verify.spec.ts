import { expect } from 'chai'
import fc from 'fast-check'
import type { FetchedTransaction } from '../../src/payments/fetched.js'
import { PAYMENT_FAULTS } from '../../src/payments/finding.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { decodeTransaction } from '../../src/payments/transaction.js'
import { transferMessage } from '../../src/payments/transfer.js'
import { verifyPayment } from '../../src/payments/verify.js'
import { QUOTE, TERMS, addressOf, landed } from './made.js'

function faultOf(terms: PaymentTerms, tx: FetchedTransaction): string {
  const finding = verifyPayment(terms, QUOTE, tx)
  return finding.paid ? 'paid' : finding.fault
}

describe('A payment that a node made', () => {
  it('is found paid by its own terms', () => {
    const tx = landed(TERMS)
    expect(verifyPayment(TERMS, QUOTE, tx)).to.deep.equal({ paid: true, signature: tx.signature, slot: tx.slot })
  })

  it('is found paid whatever the sum', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n - 1n), (lamports) => {
        const terms = { ...TERMS, lamports: lamports.toString() }
        expect(faultOf(terms, landed(terms))).to.equal('paid')
      }),
      { numRuns: 50 }
    )
  })

  it('is not paid by any other terms', () => {
    const other = addressOf(0x60)
    const tx = landed(TERMS)
    const cases: ReadonlyArray<readonly [Partial<PaymentTerms>, string]> = [
      [{ cluster: 'solana:devnet' }, 'wrong_cluster'],
      [{ recipient: other }, 'wrong_recipient'],
      [{ recipient: other, reference: addressOf(0x61) }, 'no_transfer'],
      [{ payer: other }, 'wrong_payer'],
      [{ payer: TERMS.recipient }, 'self_payment'],
      [{ reference: other }, 'no_reference'],
      [{ lamports: '250000001' }, 'short'],
      [{ lamports: '249999999' }, 'over'],
      [{ memo: `${TERMS.memo} ` }, 'wrong_memo']
    ]
    for (const [change, fault] of cases) expect(faultOf({ ...TERMS, ...change }, tx), fault).to.equal(fault)
  })

  it('tells what the recipient got, also when it is not the payment', () => {
    const finding = verifyPayment({ ...TERMS, lamports: '250000001' }, QUOTE, landed(TERMS))
    expect(finding).to.deep.equal({ paid: false, fault: 'short', received: 250000000n })
  })

  it('is never paid with one bit changed in any byte', () => {
    const tx = landed(TERMS)
    for (let bit = 0; bit < tx.bytes.length * 8; bit += 7) {
      const bytes = tx.bytes.slice()
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(['unreadable', 'other_transaction', 'bad_signature'], `bit ${bit}`).to.include(
        faultOf(TERMS, { ...tx, bytes })
      )
    }
  })

  it('is never paid cut short or followed by something', () => {
    const tx = landed(TERMS)
    for (let length = 0; length < tx.bytes.length; length++) {
      expect(faultOf(TERMS, { ...tx, bytes: tx.bytes.slice(0, length) })).to.equal('unreadable')
    }
    expect(faultOf(TERMS, { ...tx, bytes: Uint8Array.from([...tx.bytes, 0]) })).to.equal('unreadable')
  })

  it('has no transaction when payer and recipient are one', () => {
    expect(transferMessage({ ...TERMS, recipient: TERMS.payer }, addressOf(1))).to.equal(undefined)
  })
})

describe('Bytes that call themselves a transaction', () => {
  it('are read or not, and never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1300 }), (bytes) => {
        expect(PAYMENT_FAULTS as readonly string[]).to.include(faultOf(TERMS, { ...landed(TERMS), bytes }))
      })
    )
  })

  it('are not read when they claim more than a packet holds', () => {
    expect(decodeTransaction(new Uint8Array(1233))).to.equal(undefined)
    expect(decodeTransaction(Uint8Array.of(0xff, 0xff, 0x03, 1))).to.equal(undefined)
    expect(decodeTransaction(Uint8Array.of(0x81, 0x00, 1))).to.equal(undefined)
  })
})
