/** The committed vectors of payments, which were run by the runtime of Solana, and the table of the rules. */
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { fromHex } from '../../src/base/bytes.js'
import { instantOf } from '../../src/base/time.js'
import type { FetchedTransaction } from '../../src/payments/fetched.js'
import { PAYMENT_FAULTS } from '../../src/payments/finding.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { verifyPayment } from '../../src/payments/verify.js'
import { type VectorCase, readVectors } from '../support/vectors/form.js'

interface Told extends Pick<FetchedTransaction, 'cluster' | 'signature' | 'finalized' | 'slot' | 'failed' | 'loaded'> {
  readonly blockTime: string | null
  readonly bytes: string
  readonly inner: ReadonlyArray<{
    readonly program: number
    readonly accounts: readonly number[]
    readonly data: string
  }>
  readonly preBalances: readonly string[]
  readonly postBalances: readonly string[]
}

interface PaymentCase extends VectorCase {
  readonly terms: PaymentTerms
  readonly quote: { readonly issuedSlot: number; readonly expiresAt: string }
  readonly transaction: Told
  readonly received?: string
}

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex)
  if (bytes === undefined) throw new Error('a vector holds bad hex')
  return bytes
}

function fetched(told: Told): FetchedTransaction {
  return {
    ...told,
    blockTime: told.blockTime === null ? null : (instantOf(told.blockTime) ?? NaN),
    bytes: bytesOf(told.bytes),
    inner: told.inner.map((one) => ({ ...one, data: bytesOf(one.data) })),
    preBalances: told.preBalances.map(BigInt),
    postBalances: told.postBalances.map(BigInt)
  }
}

describe('The vectors of payments', () => {
  const cases = readVectors('payments').cases as readonly PaymentCase[]

  for (const one of cases) {
    it(one.refused === undefined ? `${one.name} is paid` : one.name, () => {
      const quote = { issuedSlot: one.quote.issuedSlot, expiresAt: instantOf(one.quote.expiresAt) ?? NaN }
      const tx = fetched(one.transaction)
      const { signature, slot } = tx
      expect(verifyPayment(one.terms, quote, tx)).to.deep.equal(
        one.refused === undefined
          ? { paid: true, signature, slot }
          : { paid: false, fault: one.refused, received: BigInt(one.received ?? '') }
      )
    })
  }

  it('have a case of each fault', () => {
    expect([...new Set(cases.map((one) => one.refused ?? 'paid'))]).to.have.members(['paid', ...PAYMENT_FAULTS])
  })

  it('follow a table of the rules that has every fault, in the order in which they are looked for', () => {
    const page = readFileSync('protocols/payments.md', 'utf8')
    const named = [...page.matchAll(/^\| \d+ \| `(\w+)` \|/gm)].map((row) => row[1])
    expect(named).to.deep.equal([...PAYMENT_FAULTS])
  })
})
