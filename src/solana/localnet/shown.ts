import type { InnerInstruction } from 'litesvm'
import { fromUtf8 } from '../../base/bytes.js'
import type { Address } from '../../payments/address.js'
import type { CompiledInstruction } from '../../payments/fetched.js'
import { MEMO_PROGRAMS, SYSTEM_PROGRAM } from '../../payments/programs.js'
import { TRANSFER, TRANSFER_BYTES } from '../../payments/transfer.js'
import { toBase58 } from '../../wire/base58.js'
import { type Account, type Landed, accountsOf } from './landed.js'
import type { RpcJson } from './rpc-json.js'

/** Transactions and accounts in the JSON of Solana's RPC. Source: solana.com/docs/rpc, "JSON structures". */

/** The answer of getTransaction, in the encoding asked for. */
export function shownTransaction(landed: Landed, encoding: string): RpcJson {
  const { slot, blockTime } = landed
  return {
    slot,
    blockTime,
    version: versionOf(landed),
    meta: shownMeta(landed, encoding === 'jsonParsed'),
    transaction: shownBody(landed, encoding)
  }
}

/** `legacy`, or 0 for a versioned message. */
export function versionOf({ signed }: Landed): 'legacy' | 0 {
  return ((signed.message[0] ?? 0) & 0x80) === 0 ? 'legacy' : 0
}

function shownBody(landed: Landed, encoding: string): RpcJson {
  if (encoding === 'base64') return [Buffer.from(landed.bytes).toString('base64'), 'base64']
  if (encoding === 'base58') return [toBase58(landed.bytes), 'base58']
  const parsed = encoding === 'jsonParsed'
  return {
    signatures: landed.signed.signatures.map(toBase58),
    message: parsed ? parsedMessage(landed) : message(landed)
  }
}

function message({ signed }: Landed): RpcJson {
  const header = headerOf(signed.message)
  return {
    accountKeys: signed.accounts,
    header: {
      numRequiredSignatures: header.signers,
      numReadonlySignedAccounts: header.readonlySigners,
      numReadonlyUnsignedAccounts: header.readonlyOthers
    },
    recentBlockhash: signed.lifetime,
    instructions: signed.instructions.map((one) => shownInstruction(one, 1)),
    addressTableLookups: signed.lookups.map(({ table, writable, readonly }) => ({
      accountKey: table,
      writableIndexes: writable,
      readonlyIndexes: readonly
    }))
  }
}

function headerOf(bytes: Uint8Array): { signers: number; readonlySigners: number; readonlyOthers: number } {
  const [signers = 0, readonlySigners = 0, readonlyOthers = 0] = bytes.subarray((bytes[0] ?? 0) < 0x80 ? 0 : 1)
  return { signers, readonlySigners, readonlyOthers }
}

function shownInstruction({ program, accounts, data }: CompiledInstruction, stackHeight: number): RpcJson {
  return { programIdIndex: program, accounts, data: toBase58(data), stackHeight }
}

function parsedMessage(landed: Landed): RpcJson {
  const { signed, loaded } = landed
  const { signers, readonlySigners, readonlyOthers } = headerOf(signed.message)
  const isWritable = (at: number): boolean =>
    at < signers ? at < signers - readonlySigners : at < signed.accounts.length - readonlyOthers
  const key = (pubkey: Address, signer: boolean, writable: boolean, source: string): RpcJson => ({
    pubkey,
    signer,
    writable,
    source
  })
  return {
    accountKeys: [
      ...signed.accounts.map((name, at) => key(name, at < signers, isWritable(at), 'transaction')),
      ...loaded.writable.map((name) => key(name, false, true, 'lookupTable')),
      ...loaded.readonly.map((name) => key(name, false, false, 'lookupTable'))
    ],
    recentBlockhash: signed.lifetime,
    instructions: signed.instructions.map((one) => parsedInstruction(one, accountsOf(signed, loaded), 1)),
    addressTableLookups: signed.lookups.map(({ table, writable, readonly }) => ({
      accountKey: table,
      writableIndexes: writable,
      readonlyIndexes: readonly
    }))
  }
}

/** Transfers and memos are told in words; everything else stays as it is, which clients must expect of any node. */
function parsedInstruction(one: CompiledInstruction, names: readonly Address[], stackHeight: number): RpcJson {
  const programId = names[one.program] ?? ''
  const accounts = one.accounts.map((number) => names[number] ?? '')
  const { data } = one
  const memo = MEMO_PROGRAMS.has(programId) ? fromUtf8(data) : undefined
  if (memo !== undefined) return { program: 'spl-memo', programId, parsed: memo, stackHeight }
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  if (programId === SYSTEM_PROGRAM && data.length === TRANSFER_BYTES && view.getUint32(0, true) === TRANSFER) {
    const info = { source: accounts[0], destination: accounts[1], lamports: view.getBigUint64(4, true) }
    return { program: 'system', programId, parsed: { type: 'transfer', info }, stackHeight }
  }
  return { programId, accounts, data: toBase58(data), stackHeight }
}

/** What was called by programs, for each instruction that called something. */
function innerInstructionsOf(
  landed: Landed
): ReadonlyArray<{ readonly index: number; readonly calls: readonly CompiledInstruction[] }> {
  return landed.meta
    .innerInstructions()
    .map((calls, index) => ({ index, calls: calls.map(compiledOf) }))
    .filter(({ calls }) => calls.length > 0)
}

function compiledOf(inner: InnerInstruction): CompiledInstruction {
  const instruction = inner.instruction()
  return {
    program: instruction.programIdIndex(),
    accounts: [...instruction.accounts()],
    data: new Uint8Array(instruction.data())
  }
}

function shownMeta(landed: Landed, parsed: boolean): RpcJson {
  const names = accountsOf(landed.signed, landed.loaded)
  const shown = (one: CompiledInstruction): RpcJson =>
    parsed ? parsedInstruction(one, names, 2) : shownInstruction(one, 2)
  return {
    err: landed.error,
    status: landed.error === null ? { Ok: null } : { Err: landed.error },
    fee: landed.fee,
    preBalances: landed.preBalances,
    postBalances: landed.postBalances,
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: innerInstructionsOf(landed).map(({ index, calls }) => ({
      index,
      instructions: calls.map(shown)
    })),
    logMessages: landed.meta.logs(),
    loadedAddresses: landed.loaded,
    computeUnitsConsumed: Number(landed.meta.computeUnitsConsumed()),
    rewards: []
  }
}

/** A row of getSignaturesForAddress. */
export function shownRow(landed: Landed): RpcJson {
  const { signature, slot, blockTime, error } = landed
  return { signature, slot, blockTime, err: error, memo: memosOf(landed), confirmationStatus: 'finalized' }
}

/** `[length] text` for each memo, joined by `; `. */
function memosOf({ signed }: Landed): string | null {
  const memos = signed.instructions
    .filter(({ program }) => MEMO_PROGRAMS.has(signed.accounts[program] ?? ''))
    .map(({ data }) => `[${data.length}] ${fromUtf8(data) ?? toBase58(data)}`)
  return memos.length === 0 ? null : memos.join('; ')
}

/** The value of getAccountInfo. */
export function shownAccount(account: Account | undefined): RpcJson {
  if (account === undefined) return null
  return {
    lamports: account.lamports,
    owner: account.owner,
    data: [Buffer.from(account.bytes).toString('base64'), 'base64'],
    executable: account.executable,
    rentEpoch: 2n ** 64n - 1n,
    space: account.bytes.length
  }
}
