import { randomBytes } from 'node:crypto'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { toUtf8 } from '../../base/bytes.js'
import { sha256 } from '../../base/digest.js'
import type { Instant } from '../../base/time.js'
import type { Address, Signature } from '../../payments/address.js'
import { SYSTEM_PROGRAM } from '../../payments/programs.js'
import { type SignedTransaction, decodeTransaction } from '../../payments/transaction.js'
import { transferMessage, withSignature } from '../../payments/transfer.js'
import { toBase58 } from '../../wire/base58.js'
import { signerOf } from '../../wire/ed25519.js'
import { Blockhashes } from './blockhashes.js'
import { transactionError } from './failures.js'
import { type Account, type Landed, type NotTaken, accountsOf } from './landed.js'
import { loadedAccounts } from './lookup-tables.js'
import { isLiveNonce } from './nonces.js'

/**
 * A chain of one node in this process: Solana's own runtime (LiteSVM) with what a cluster keeps around it: slots that go
 * with the time, recent blockhashes, the history of transactions. All of it is memory, and gone with the process.
 */

const SLOT_MS = 400
/** Slots count from here by the time of day, so that a chain that is started again does not go back. */
const FIRST_SLOT_AT = Date.parse('2026-01-01T00:00:00.000Z')
/** Above the slot that the runtime wakes up in. */
const FIRST_SLOT = 500_000_000
/** How many of the slots in which something was asked a program can see. */
const SLOT_HASHES = 64
const FEE_PER_SIGNATURE = 5000
/** Transactions that are remembered; older ones are forgotten, as by any node that does not keep the whole history. */
const REMEMBERED = 100_000

/** Everybody knows this key: it holds what the airdrops give away, and there is no end to it. */
const FAUCET = signerOf(sha256(toUtf8('agentlink/localnet/faucet')))
const FAUCET_LAMPORTS = 2n ** 62n

type AnyAddress = Parameters<LiteSVM['getAccount']>[0]
type AnyTransaction = Parameters<LiteSVM['sendTransaction']>[0]
type SlotHashes = Parameters<LiteSVM['setSlotHashes']>[0]
type Outcome = TransactionMetadata | FailedTransactionMetadata

export class Ledger {
  private readonly svm = new LiteSVM().withBlockhashCheck(false)
  private readonly transactions = new Map<Signature, Landed>()
  private readonly byAddress = new Map<Address, Signature[]>()
  private readonly blockhashes: Blockhashes
  private skipped = 0
  private slotHashes: SlotHashes = []

  constructor(private readonly now: () => Instant) {
    this.blockhashes = new Blockhashes(() => {
      this.svm.expireBlockhash()
      return this.svm.latestBlockhash()
    })
    this.svm.setAccount({
      address: toBase58(FAUCET.publicKey) as AnyAddress,
      lamports: FAUCET_LAMPORTS as Parameters<LiteSVM['airdrop']>[1],
      programAddress: SYSTEM_PROGRAM as AnyAddress,
      executable: false,
      data: new Uint8Array(0),
      space: 0n
    })
    this.turn()
  }

  /** The slot of now, to which the runtime's clock is set. Every slot has its block. */
  turn(): number {
    const slot = Math.floor((this.now() - FIRST_SLOT_AT) / SLOT_MS) + FIRST_SLOT + this.skipped
    const clock = this.svm.getClock()
    if (BigInt(slot) <= clock.slot) return Number(clock.slot)
    this.svm.warpToSlot(BigInt(slot))
    const warped = this.svm.getClock()
    warped.unixTimestamp = BigInt(this.seconds())
    this.svm.setClock(warped)
    // What a client names when it makes a lookup table.
    this.slotHashes = [
      { slot: BigInt(slot), hash: this.svm.latestBlockhash() },
      ...this.slotHashes.slice(0, SLOT_HASHES - 1)
    ]
    this.svm.setSlotHashes(this.slotHashes)
    return slot
  }

  /** Lets `slots` pass at once: blockhashes grow old. */
  skip(slots: number): number {
    this.skipped += slots
    return this.turn()
  }

  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    return this.blockhashes.latest(this.turn())
  }

  isValidBlockhash(blockhash: string): boolean {
    return this.blockhashes.isValid(blockhash, this.turn())
  }

  account(address: Address): Account | undefined {
    const found = this.svm.getAccount(address as AnyAddress)
    if (!found.exists) return undefined
    return {
      lamports: found.lamports,
      owner: found.programAddress,
      executable: found.executable,
      bytes: new Uint8Array(found.data)
    }
  }

  balance(address: Address): bigint {
    return this.svm.getBalance(address as AnyAddress) ?? 0n
  }

  rentOf(bytes: number): bigint {
    return this.svm.minimumBalanceForRentExemption(BigInt(bytes))
  }

  fee(signatures: number): number {
    return FEE_PER_SIGNATURE * signatures
  }

  transaction(signature: Signature): Landed | undefined {
    return this.transactions.get(signature)
  }

  /** Newest first. */
  signaturesOf(address: Address): readonly Signature[] {
    return (this.byAddress.get(address) ?? []).toReversed()
  }

  get count(): number {
    return this.transactions.size
  }

  /** Whether the chain would take these bytes now, and how it would go; nothing changes. */
  simulate(signed: SignedTransaction): NotTaken & { readonly units: number } {
    const outcome = this.svm.simulateTransaction(transactionOf(signed))
    const failed = outcome instanceof FailedTransactionMetadata
    const meta = outcome.meta()
    const error = failed ? transactionError(outcome.err()) : null
    return { error, logs: meta.logs(), units: Number(meta.computeUnitsConsumed()) }
  }

  /** Why these bytes can't be taken at all, before they are run. */
  obstacle(signed: SignedTransaction): NotTaken | undefined {
    const live = this.isValidBlockhash(signed.lifetime) || isLiveNonce(signed, (address) => this.account(address))
    return live ? undefined : { error: 'BlockhashNotFound', logs: [] }
  }

  /** Runs a transaction. The same one again is the one that landed; undefined when the chain does not take it. */
  land(bytes: Uint8Array, signed: SignedTransaction): Landed | undefined {
    const signature = toBase58(signed.signatures[0] as Uint8Array)
    const known = this.transactions.get(signature)
    if (known !== undefined) return known
    const slot = this.turn()
    if (this.obstacle(signed) !== undefined) return undefined
    const loaded = loadedAccounts(signed, (address) => this.account(address))
    const accounts = accountsOf(signed, loaded)
    const preBalances = accounts.map((address) => this.balance(address))
    const outcome = this.svm.sendTransaction(transactionOf(signed))
    const postBalances = accounts.map((address) => this.balance(address))
    if (!wasTaken(outcome, preBalances, postBalances)) return undefined
    const failed = outcome instanceof FailedTransactionMetadata
    return this.remember(accounts, {
      signature,
      slot,
      blockTime: this.seconds(),
      error: failed ? transactionError(outcome.err()) : null,
      bytes,
      signed,
      loaded,
      fee: this.fee(signed.signatures.length),
      preBalances,
      postBalances,
      meta: failed ? outcome.meta() : outcome
    })
  }

  /** Money from nothing, by a transaction like any other. undefined: the chain does not take that sum. */
  airdrop(address: Address, lamports: bigint): Landed | undefined {
    const terms = {
      cluster: 'solana:localnet' as const,
      payer: toBase58(FAUCET.publicKey),
      recipient: address,
      lamports: lamports.toString(),
      // What makes two airdrops of one sum in one slot different transactions.
      reference: toBase58(randomBytes(32)),
      memo: 'airdrop'
    }
    const message = transferMessage(terms, this.latestBlockhash().blockhash)
    if (message === undefined) return undefined
    const bytes = withSignature(FAUCET.sign(message), message)
    const signed = decodeTransaction(bytes)
    if (signed === undefined || this.simulate(signed).error !== null) return undefined
    return this.land(bytes, signed)
  }

  private remember(accounts: readonly Address[], landed: Landed): Landed {
    this.transactions.set(landed.signature, landed)
    for (const address of new Set(accounts)) {
      const known = this.byAddress.get(address)
      if (known === undefined) this.byAddress.set(address, [landed.signature])
      else known.push(landed.signature)
    }
    if (this.transactions.size > REMEMBERED) this.forgetOldest()
    return landed
  }

  private forgetOldest(): void {
    const [oldest] = this.transactions.values()
    if (oldest === undefined) return
    this.transactions.delete(oldest.signature)
    for (const address of accountsOf(oldest.signed, oldest.loaded)) {
      const rest = (this.byAddress.get(address) ?? []).filter((signature) => signature !== oldest.signature)
      if (rest.length === 0) this.byAddress.delete(address)
      else this.byAddress.set(address, rest)
    }
  }

  private seconds(): number {
    return Math.floor(this.now() / 1000)
  }
}

function transactionOf(signed: SignedTransaction): AnyTransaction {
  const signatures = signed.signatures.map((signature, i) => [signed.accounts[i], signature])
  return { messageBytes: signed.message, signatures: Object.fromEntries(signatures) } as unknown as AnyTransaction
}

/** A failed transaction stands on the chain when it has paid its fee. */
function wasTaken(outcome: Outcome, before: readonly bigint[], after: readonly bigint[]): boolean {
  return !(outcome instanceof FailedTransactionMetadata) || before[0] !== after[0]
}
