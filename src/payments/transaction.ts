import { toBase58 } from '../wire/base58.js'
import { PUBLIC_KEY_BYTES } from '../wire/ed25519.js'
import type { Address } from './address.js'
import { BytesReader } from './bytes-reader.js'
import type { CompiledInstruction } from './fetched.js'

/**
 * Solana's transaction format, legacy and version 0, read from the bytes that were signed: what an RPC node says about
 * accounts and instructions is never asked for. Source: protocols/payments.md, "Finding"; solana.com/docs/core/transactions.
 */
export interface SignedTransaction {
  readonly signatures: readonly Uint8Array[]
  /** What the signatures are over. */
  readonly message: Uint8Array
  /** The accounts that the message names itself. The first `signatures.length` of them have signed; the first pays the fee. */
  readonly accounts: readonly Address[]
  /** What comes from lookup tables. Its accounts are numbered after `accounts`: first all that may be written to. */
  readonly lookups: readonly Lookup[]
  /** The recent blockhash, or the value of a durable nonce. */
  readonly lifetime: string
  readonly instructions: readonly CompiledInstruction[]
}

export interface Lookup {
  readonly table: Address
  /** Numbers in the table. */
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

/** How many accounts a transaction takes from lookup tables. */
export function lookedUp(lookups: readonly Lookup[]): { readonly writable: number; readonly readonly: number } {
  const count = (of: 'writable' | 'readonly'): number => lookups.reduce((sum, lookup) => sum + lookup[of].length, 0)
  return { writable: count('writable'), readonly: count('readonly') }
}

/** What fits into one network packet: the chain takes no more. */
export const MOST_TRANSACTION_BYTES = 1232
const VERSION_FLAG = 0x80
const MOST_ACCOUNTS = 256

interface Header {
  readonly versioned: boolean
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyOthers: number
}

/** Reads a transaction; undefined for what the chain could not have taken: other versions, odd lengths, bytes left over. */
export function decodeTransaction(bytes: Uint8Array): SignedTransaction | undefined {
  if (bytes.length > MOST_TRANSACTION_BYTES) return undefined
  const reader = new BytesReader(bytes)
  const signatures = reader.signatures()
  if (signatures === undefined) return undefined
  const message = bytes.subarray(reader.offset)
  const parts = decodeMessage(reader)
  return parts?.signers === signatures.length ? { signatures, message, ...parts.content } : undefined
}

type Content = Omit<SignedTransaction, 'signatures' | 'message'>

function decodeMessage(reader: BytesReader): { readonly signers: number; readonly content: Content } | undefined {
  const header = readHeader(reader)
  const accounts = reader.list(() => named(reader.take(PUBLIC_KEY_BYTES)))
  const lifetime = named(reader.take(PUBLIC_KEY_BYTES))
  const instructions = reader.list(() => readInstruction(reader))
  const lookups = header?.versioned === true ? reader.list(() => readLookup(reader)) : []
  if (!header || !accounts || lifetime === undefined || !instructions || !lookups || !reader.done) return undefined
  const content = { accounts, lifetime, instructions, lookups }
  return isSound(header, content) ? { signers: header.signers, content } : undefined
}

function readHeader(reader: BytesReader): Header | undefined {
  const first = reader.byte()
  if (first === undefined || first > VERSION_FLAG) return undefined
  const versioned = first === VERSION_FLAG
  const signers = versioned ? reader.byte() : first
  const readonlySigners = reader.byte()
  const readonlyOthers = reader.byte()
  if (signers === undefined || readonlySigners === undefined || readonlyOthers === undefined) return undefined
  return { versioned, signers, readonlySigners, readonlyOthers }
}

function named(key: Uint8Array | undefined): Address | undefined {
  return key === undefined ? undefined : toBase58(key)
}

function readInstruction(reader: BytesReader): CompiledInstruction | undefined {
  const program = reader.byte()
  const accounts = reader.block()
  const data = reader.block()
  if (program === undefined || accounts === undefined || data === undefined) return undefined
  return { program, accounts: [...accounts], data }
}

function readLookup(reader: BytesReader): Lookup | undefined {
  const table = named(reader.take(PUBLIC_KEY_BYTES))
  const writable = reader.block()
  const others = reader.block()
  if (table === undefined || writable === undefined || others === undefined) return undefined
  return { table, writable: [...writable], readonly: [...others] }
}

/** The chain's own sanity rules, as far as they keep two readers from seeing two different transactions. */
function isSound(header: Header, { accounts, lookups, instructions }: Content): boolean {
  const loaded = lookedUp(lookups)
  const total = accounts.length + loaded.writable + loaded.readonly
  if (header.signers < 1 || header.readonlySigners >= header.signers || total > MOST_ACCOUNTS) return false
  if (accounts.length < header.signers + header.readonlyOthers || new Set(accounts).size < accounts.length) return false
  return instructions.every(
    ({ program, accounts: used }) => program > 0 && program < accounts.length && used.every((number) => number < total)
  )
}
