/** The cases for the finding about a transaction; how they come about is said in the files that they come from. */
import { toHex } from '../../../src/base/bytes.js'
import { isoOf } from '../../../src/base/time.js'
import { verifyPayment } from '../../../src/payments/verify.js'
import type { VectorCase } from './form.js'
import { faultyCases } from './payment-faults.js'
import { paidCases } from './payment-paid.js'
import type { Case } from './payment-stage.js'
import { toldCases } from './payment-told.js'
import { tokenCases } from './payment-tokens.js'

export const about =
  'The finding about a transaction (payments.md, "Finding"). Each was made with another library and run by the runtime of Solana. transaction: what an RPC node tells; bytes and data in hex, blockTime in ISO 8601 or null, balances in decimal digits, accounts of inner instructions by their number. A case is paid, or refused with its fault; received is by how much the balance of the recipient rose. The payer is seed 51, the recipient 52, 32 times each.'

export function cases(): VectorCase[] {
  return [...paidCases(), ...faultyCases(), ...tokenCases(), ...toldCases()].map(written)
}

function written({ name, fault, terms, quote, tx }: Case): VectorCase {
  const finding = verifyPayment(terms, quote, tx)
  return {
    name,
    terms,
    quote: { issuedSlot: quote.issuedSlot, expiresAt: isoOf(quote.expiresAt) },
    transaction: {
      ...tx,
      blockTime: tx.blockTime === null ? null : isoOf(tx.blockTime),
      bytes: toHex(tx.bytes),
      inner: tx.inner.map(({ program, accounts, data }) => ({ program, accounts, data: toHex(data) })),
      preBalances: tx.preBalances.map(String),
      postBalances: tx.postBalances.map(String)
    },
    ...(fault === undefined ? {} : { refused: fault, received: finding.paid ? '0' : String(finding.received) })
  }
}
