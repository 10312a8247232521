/** Our reader and writer of transactions against those of web3.js. */
import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction
} from '@solana/web3.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { decodeTransaction } from '../../src/payments/transaction.js'
import { transferMessage, withSignature } from '../../src/payments/transfer.js'
import { toBase58 } from '../../src/wire/base58.js'
import { TERMS, payer } from './made.js'

const BLOCKHASH = toBase58(new Uint8Array(32).fill(9))
const signer = Keypair.fromSeed(new Uint8Array(32).fill(0x51))
const keys = Array.from({ length: 8 }, (_, i) => Keypair.fromSeed(new Uint8Array(32).fill(0x90 + i)).publicKey)

const account = fc.record({
  pubkey: fc.constantFrom(...keys),
  isSigner: fc.constant(false),
  isWritable: fc.boolean()
})
const instruction = fc
  .record({
    programId: fc.constantFrom(...keys),
    keys: fc.array(account, { maxLength: 6 }),
    data: fc.uint8Array({ maxLength: 200 })
  })
  .map(({ data, ...rest }) => new TransactionInstruction({ ...rest, data: Buffer.from(data) }))
const instructions = fc.array(instruction, { minLength: 1, maxLength: 4 })

interface Compiled {
  readonly programIdIndex: number
  readonly accountKeyIndexes: readonly number[]
  readonly data: Uint8Array
}

function agree(bytes: Uint8Array, version: 'legacy' | 0): void {
  const ours = decodeTransaction(bytes)
  const { message, signatures } = VersionedTransaction.deserialize(bytes)
  expect(message.version).to.equal(version)
  expect(ours?.signatures.map(toBase58)).to.deep.equal(signatures.map(toBase58))
  expect(ours?.accounts).to.deep.equal(message.staticAccountKeys.map((key) => key.toBase58()))
  expect(ours?.lifetime).to.equal(message.recentBlockhash)
  const theirs: readonly Compiled[] = message.compiledInstructions
  expect(ours?.instructions.map(({ program, accounts, data }) => [program, accounts, [...data]])).to.deep.equal(
    theirs.map((one) => [one.programIdIndex, [...one.accountKeyIndexes], [...one.data]])
  )
  expect(ours?.lookups.map(({ table, writable, readonly }) => [table, writable, readonly])).to.deep.equal(
    message.addressTableLookups.map((one) => [one.accountKey.toBase58(), one.writableIndexes, one.readonlyIndexes])
  )
}

describe('A transaction', () => {
  it('reads as web3.js reads it', () => {
    fc.assert(
      fc.property(instructions, (list) => {
        const transaction = new Transaction({
          feePayer: signer.publicKey,
          blockhash: BLOCKHASH,
          lastValidBlockHeight: 1
        })
        transaction.add(...list).sign(signer)
        agree(new Uint8Array(transaction.serialize()), 'legacy')
      }),
      { numRuns: 40 }
    )
  })

  it('of version 0 with a lookup table reads as web3.js reads it', () => {
    const state = {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: keys.slice(2)
    }
    const table = new AddressLookupTableAccount({ key: new PublicKey(new Uint8Array(32).fill(0xa0)), state })
    fc.assert(
      fc.property(instructions, (list) => {
        const content = { payerKey: signer.publicKey, recentBlockhash: BLOCKHASH, instructions: list }
        const transaction = new VersionedTransaction(new TransactionMessage(content).compileToV0Message([table]))
        transaction.sign([signer])
        agree(transaction.serialize(), 0)
      }),
      { numRuns: 40 }
    )
  })

  it('that a node makes is a sound one to web3.js: a memo, then a transfer that names the reference', () => {
    const message = transferMessage(TERMS, BLOCKHASH)
    if (message === undefined) throw new Error('these terms have no transaction')
    const bytes = withSignature(payer.sign(message), message)
    agree(bytes, 'legacy')
    const transaction = Transaction.from(bytes)
    expect(transaction.verifySignatures()).to.equal(true)
    const [memo, transfer] = transaction.instructions
    expect([memo?.data.toString(), memo?.keys]).to.deep.equal([TERMS.memo, []])
    expect(transfer?.keys.map((key) => [key.pubkey.toBase58(), key.isSigner, key.isWritable])).to.deep.equal([
      [TERMS.payer, true, true],
      [TERMS.recipient, false, true],
      [TERMS.reference, false, false]
    ])
  })
})
