/** Payments as a node makes them and an honest RPC node tells them, without a chain. */
import type { MessageId, TaskUid } from '../../src/base/ids.js'
import type { FetchedTransaction } from '../../src/payments/fetched.js'
import type { QuotedTime } from '../../src/payments/finding.js'
import { memoOf } from '../../src/payments/memo.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { transferMessage, withSignature } from '../../src/payments/transfer.js'
import { toBase58 } from '../../src/wire/base58.js'
import { type Signer, signerOf } from '../../src/wire/ed25519.js'

const wallet = (byte: number): Signer => signerOf(new Uint8Array(32).fill(byte))
export const addressOf = (byte: number): string => toBase58(wallet(byte).publicKey)

export const payer = wallet(0x51)
export const TERMS: PaymentTerms = {
  cluster: 'solana:localnet',
  payer: addressOf(0x51),
  recipient: addressOf(0x52),
  lamports: '250000000',
  reference: addressOf(0x53),
  memo: memoOf('cd'.repeat(16) as TaskUid, 'ab'.repeat(32) as MessageId)
}
export const QUOTE: QuotedTime = { issuedSlot: 1000, expiresAt: Date.parse('2026-12-03T12:00:00.000Z') }
const FEE = 5000n

/** What the chain tells of a payment of these terms that landed in time. */
export function landed(terms: PaymentTerms, signer: Signer = payer): FetchedTransaction {
  const message = transferMessage(terms, toBase58(new Uint8Array(32).fill(9)))
  if (message === undefined) throw new Error('these terms have no transaction')
  const signature = signer.sign(message)
  const paid = BigInt(terms.lamports)
  return {
    cluster: terms.cluster,
    signature: toBase58(signature),
    finalized: true,
    slot: QUOTE.issuedSlot + 200,
    blockTime: QUOTE.expiresAt - 3_600_000,
    failed: false,
    bytes: withSignature(signature, message),
    inner: [],
    preBalances: [paid + 2n * FEE, 0n, 0n, 1n, 1n],
    postBalances: [FEE, paid, 0n, 1n, 1n],
    loaded: { writable: [], readonly: [] }
  }
}
