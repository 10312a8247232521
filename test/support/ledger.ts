/** A chain in memory for tests of the journeys: real transactions over signed bytes, and an RPC node that can fail. */
import { conflict, refusal } from '../../src/base/refusal.js'
import { type Result, fail, ok } from '../../src/base/result.js'
import type { Chain, Clock } from '../../src/flows/ports.js'
import type { FetchedTransaction } from '../../src/payments/fetched.js'
import { MEMO_PROGRAMS } from '../../src/payments/programs.js'
import { stepsOf, transfersIn } from '../../src/payments/steps.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { type SignedTransaction, decodeTransaction } from '../../src/payments/transaction.js'
import { transferMessage, withSignature } from '../../src/payments/transfer.js'
import { concat } from '../../src/base/bytes.js'
import { fromBase58, toBase58 } from '../../src/wire/base58.js'
import type { Signer } from '../../src/wire/ed25519.js'

const SLOT_MS = 400
const VALID_BLOCKS = 150
const START = 1_000_000_000n

/** `down`: no answer. `deaf`: takes no transaction. `swallow`: says yes and drops it. `forget`: finds nothing. `flaky`: finds nothing two times of three. `unfinal`: nothing is final. */
export type Failing = 'down' | 'deaf' | 'swallow' | 'forget' | 'flaky' | 'unfinal'

interface Block {
  readonly slot: number
  readonly at: number
  readonly bytes: Uint8Array
  readonly signed: SignedTransaction
  readonly failed: boolean
  readonly moved: bigint
}

export interface TestLedger {
  /** The port of one node with its wallet. `watch` hears of each call before it is answered and after: a throw is a process that dies. */
  chainOf(wallet: Signer | undefined, watch?: (call: string, when: 'before' | 'after') => void): Chain
  /** What is wrong with the RPC node from now on. */
  failing: Set<Failing>
  /** References about which it never answers. */
  readonly mute: Set<string>
  /** The oldest slot that it has not thrown away. */
  pruned: number
  /** How often it names each signature that it finds. */
  repeats: number
  balance(address: string): bigint
  /** Money from elsewhere, or out of it. */
  give(address: string, lamports: bigint): void
  /** Lands bytes that no port sent. Answers the signature. */
  land(bytes: Uint8Array): string
  /** Lands a payment of these terms that names other references as well. */
  landNaming(terms: PaymentTerms, wallet: Signer, references: readonly string[]): void
  /** What moved, oldest first, with every account that its transaction names. */
  payments(): ReadonlyArray<{
    readonly signature: string
    readonly lamports: bigint
    readonly accounts: readonly string[]
    readonly memo: string
    readonly at: number
  }>
  /** Transactions that landed, did not fail, and name an address. */
  arrived(address: string): number
  slot(): number
}

export function createLedger(clock: Pick<Clock, 'now'>): TestLedger {
  const born = clock.now()
  const blocks = new Map<string, Block>()
  const balances = new Map<string, bigint>()
  const slot = (): number => 1000 + Math.floor((clock.now() - born) / SLOT_MS)
  const held = (address: string): bigint => balances.get(address) ?? START
  const lifetimeAt = (height: number): string =>
    toBase58(Uint8Array.from({ length: 32 }, (_, at) => (height >> (at * 8)) & 255))
  const heightOf = new Map<string, number>()
  let asked = 0
  const forgets = (): boolean => ledger.failing.has('forget') || (ledger.failing.has('flaky') && asked++ % 3 !== 0)

  const kept = (block: Block | undefined): Block | undefined =>
    block === undefined || block.slot < ledger.pruned ? undefined : block

  const ledger: TestLedger = {
    failing: new Set(),
    repeats: 1,
    mute: new Set(),
    pruned: 0,
    balance: held,
    give: (address, lamports) => void balances.set(address, held(address) + lamports),
    slot,
    payments: () =>
      [...blocks].flatMap(([signature, { moved, signed, at }]) =>
        moved === 0n ? [] : [{ signature, lamports: moved, accounts: signed.accounts, memo: memoIn(signed), at }]
      ),
    arrived: (address) =>
      [...blocks.values()].filter(({ failed, signed }) => !failed && signed.accounts.includes(address)).length,
    land(bytes) {
      const signed = decodeTransaction(bytes)
      const first = signed?.signatures[0]
      if (signed === undefined || first === undefined) throw new Error('no transaction')
      const signature = toBase58(first)
      const height = heightOf.get(signed.lifetime)
      if (blocks.has(signature) || height === undefined || slot() > height + VALID_BLOCKS) return signature
      const [transfer] = transfersIn(stepsOf(signed, []))
      const lamports = transfer?.lamports ?? 0n
      const [from, to] = [String(transfer?.from), String(transfer?.to)]
      const failed = held(from) < lamports
      if (!failed) {
        balances.set(from, held(from) - lamports)
        balances.set(to, held(to) + lamports)
      }
      blocks.set(signature, { slot: slot(), at: clock.now(), bytes, signed, failed, moved: failed ? 0n : lamports })
      return signature
    },
    landNaming(terms, wallet, references) {
      const lifetime = lifetimeAt(slot())
      heightOf.set(lifetime, slot())
      const plain = transferMessage(terms, lifetime)
      if (plain === undefined) throw new Error('pays itself')
      const message = naming(plain, references)
      ledger.land(withSignature(wallet.sign(message), message))
    },
    chainOf: (wallet, watch = () => undefined) => portOf(wallet, watch)
  }

  function portOf(wallet: Signer | undefined, watch: (call: string, when: 'before' | 'after') => void): Chain {
    /** Every call but `address` can fail, and is a moment at which a process can die. */
    async function call<T>(name: string, answer: () => Result<T>): Promise<Result<T>> {
      watch(name, 'before')
      const answered = ledger.failing.has('down') ? fail(unreachable) : answer()
      watch(name, 'after')
      return answered
    }

    const address = wallet === undefined ? undefined : toBase58(wallet.publicKey)
    return {
      cluster: 'solana:localnet',
      check: () => call('check', () => ok()),
      address: () => address,
      balance: (of) => call('balance', () => ok(held(of))),
      slot: () => call('slot', () => ok(slot())),
      blockHeight: () => call('blockHeight', () => ok(slot())),
      history: () => call('history', () => ok({ oldest: ledger.pruned, newest: slot() })),
      sign: (terms: PaymentTerms) =>
        call('sign', () => {
          if (wallet === undefined || terms.payer !== address) return fail(conflict('payer_mismatch', 'another wallet'))
          const lifetime = lifetimeAt(slot())
          heightOf.set(lifetime, slot())
          const message = transferMessage(terms, lifetime)
          if (message === undefined) return fail(conflict('payer_mismatch', 'pays itself'))
          const signature = wallet.sign(message)
          const bytes = withSignature(signature, message)
          return ok({
            signature: toBase58(signature),
            bytes,
            slot: slot(),
            lastValidBlockHeight: slot() + VALID_BLOCKS
          })
        }),
      send: (bytes) =>
        call('send', () => {
          if (ledger.failing.has('deaf')) return fail(unreachable)
          if (!ledger.failing.has('swallow')) ledger.land(bytes)
          return ok()
        }),
      fetch: (signature) =>
        call('fetch', () => {
          const block = forgets() ? undefined : kept(blocks.get(signature))
          return ok(block === undefined ? undefined : shown(signature, block))
        }),
      find: (reference) =>
        ledger.mute.has(reference)
          ? NEVER
          : call('find', () => {
              if (forgets()) return ok([])
              const named = [...blocks].filter(([, block]) => kept(block)?.signed.accounts.includes(reference) === true)
              return ok(
                named.flatMap(([signature]) => Array.from({ length: ledger.repeats }, () => signature)).reverse()
              )
            })
    }
  }

  function shown(signature: string, { slot: at, at: time, bytes, signed, failed, moved }: Block): FetchedTransaction {
    const [transfer] = transfersIn(stepsOf(signed, []))
    const change = (account: string): bigint =>
      account === transfer?.from ? -moved - 5000n : account === transfer?.to ? moved : 0n
    return {
      cluster: 'solana:localnet',
      signature,
      finalized: !ledger.failing.has('unfinal'),
      slot: at,
      blockTime: time,
      failed,
      bytes,
      inner: [],
      preBalances: signed.accounts.map(() => START),
      postBalances: signed.accounts.map((account) => START + change(account)),
      loaded: { writable: [], readonly: [] }
    }
  }

  return ledger
}

function memoIn({ accounts, instructions }: SignedTransaction): string {
  const memo = instructions.find(({ program }) => MEMO_PROGRAMS.has(accounts[program] ?? ''))
  return Buffer.from(memo?.data ?? []).toString('utf8')
}

const NEVER = new Promise<never>(() => undefined)
const unreachable = refusal('unavailable', 'no answer', { code: 'chain_unreachable' })

/** The length of a transfer, and the twelve bytes of it. */
const TRANSFER_DATA = 13

/** The message with more accounts, which are only read and belong to its last instruction: 5 names follow the header and their number. */
function naming(message: Uint8Array, references: readonly string[]): Uint8Array {
  const [signers = 1, readonlySigners = 0, readonlyOthers = 3, names = 5] = message
  const more = references.map((reference) => fromBase58(reference, 32) ?? new Uint8Array(32))
  const head = Uint8Array.of(signers, readonlySigners, readonlyOthers + more.length, names + more.length)
  const end = 4 + names * 32
  const data = message.length - TRANSFER_DATA
  const used = message.subarray(data - 3, data)
  const numbers = Uint8Array.of(3 + more.length, ...used, ...more.map((_, at) => names + at))
  const before = message.subarray(end, data - 4)
  return concat(head, message.subarray(4, end), ...more, before, numbers, message.subarray(data))
}
