/** Solana's own runtime for the vectors of payments: transactions of web3.js, run, and told as an RPC node tells them. */
import type { PublicKey } from '@solana/web3.js'
import {
  type AddressLookupTableAccount,
  Keypair,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction
} from '@solana/web3.js'
import type { Json } from '../../../src/base/json.js'
import type { FetchedTransaction } from '../../../src/payments/fetched.js'
import { decodeTransaction } from '../../../src/payments/transaction.js'
import { Ledger } from '../../../src/solana/localnet/ledger.js'
import type { Landed } from '../../../src/solana/localnet/landed.js'
import { rpcText } from '../../../src/solana/localnet/rpc-json.js'
import { shownTransaction } from '../../../src/solana/localnet/shown.js'
import { transactionIn } from '../../../src/solana/rpc-shapes.js'

const START = Date.parse('2026-12-02T12:00:00.000Z')
const FUNDS = 1_000_000_000_000n

export function keypair(byte: number): Keypair {
  return Keypair.fromSeed(new Uint8Array(32).fill(byte))
}

export interface Run {
  /** The first pays the fee. */
  readonly signers?: readonly Keypair[]
  readonly table?: AddressLookupTableAccount
  readonly version?: 0
  /** Instead of a recent blockhash. */
  readonly nonce?: string
}

export class PaymentChain {
  private time = START
  private readonly ledger = new Ledger(() => this.time)

  constructor(private readonly payer: Keypair) {}

  get slot(): number {
    return this.ledger.turn()
  }

  get now(): number {
    return this.time
  }

  pass(ms: number): void {
    this.time += ms
  }

  fund(address: PublicKey, lamports = FUNDS): void {
    if (this.ledger.airdrop(address.toBase58(), lamports) === undefined) throw new Error('no airdrop')
  }

  rent(bytes: number): number {
    return Number(this.ledger.rentOf(bytes))
  }

  bytesOf(address: PublicKey): Uint8Array {
    return this.ledger.account(address.toBase58())?.bytes ?? new Uint8Array(0)
  }

  /** Runs the instructions in one transaction. Throws when the chain does not take it. */
  run(
    instructions: readonly TransactionInstruction[],
    { signers = [this.payer], ...how }: Run = {}
  ): FetchedTransaction {
    return this.take(this.bytesFor(instructions, signers, how))
  }

  /** Runs the bytes of a transaction. */
  take(bytes: Uint8Array): FetchedTransaction {
    this.pass(1000)
    const signed = decodeTransaction(bytes)
    const landed = signed === undefined ? undefined : this.ledger.land(bytes, signed)
    if (landed === undefined) {
      const why =
        signed === undefined
          ? 'unreadable'
          : JSON.stringify([this.ledger.obstacle(signed), this.ledger.simulate(signed)])
      throw new Error(`not taken: ${why}`)
    }
    return told(landed)
  }

  blockhash(): string {
    this.pass(1000)
    return this.ledger.latestBlockhash().blockhash
  }

  private bytesFor(instructions: readonly TransactionInstruction[], signers: readonly Keypair[], how: Run): Uint8Array {
    const [feePayer] = signers
    if (feePayer === undefined) throw new Error('nobody signs')
    const blockhash = how.nonce ?? this.blockhash()
    if (how.table === undefined && how.version === undefined) {
      const transaction = new Transaction({ feePayer: feePayer.publicKey, blockhash, lastValidBlockHeight: 0 })
      transaction.add(...instructions)
      transaction.sign(...signers)
      return new Uint8Array(transaction.serialize())
    }
    const content = { payerKey: feePayer.publicKey, recentBlockhash: blockhash, instructions: [...instructions] }
    const message = new TransactionMessage(content).compileToV0Message(how.table === undefined ? [] : [how.table])
    const transaction = new VersionedTransaction(message)
    transaction.sign([...signers])
    return transaction.serialize()
  }
}

/** What is read of the answer of an honest RPC node. */
function told(landed: Landed): FetchedTransaction {
  const shown = JSON.parse(rpcText(shownTransaction(landed, 'base64')), large) as Json
  const fetched = transactionIn(shown, 'solana:localnet', landed.signature)
  if (fetched === undefined) throw new Error('the chain tells what can not be read')
  if (landed.error !== null && !fetched.failed) throw new Error('a failure is not told')
  return fetched
}

/** No balance of the vectors but one is above 2^53, and that one is exact as a double. */
function large(_: string, value: unknown): unknown {
  return typeof value === 'number' && value > Number.MAX_SAFE_INTEGER ? BigInt(value).toString() : value
}
