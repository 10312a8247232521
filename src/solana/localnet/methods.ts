import type { Json } from '../../base/json.js'
import { type Landed } from './landed.js'
import type { Ledger } from './ledger.js'
import {
  addressAt,
  listAt,
  optionsAt,
  type Params,
  type Sent,
  signatureAt,
  signatureOf,
  textAt,
  transactionAt,
  wholeAt
} from './params.js'
import { INVALID_PARAMS, RpcError, SEND_FAILED, VERSION_UNSUPPORTED } from './rpc-error.js'
import type { RpcJson } from './rpc-json.js'
import { shownAccount, shownRow, shownTransaction, versionOf } from './shown.js'

/** The methods of Solana's JSON-RPC that this chain has. Source: solana.com/docs/rpc/http. */
export type Method = (ledger: Ledger, params: Params) => RpcJson

const MOST_ROWS = 1000
const MOST_ACCOUNTS = 100
const MOST_STATUSES = 256
const SLOTS_PER_EPOCH = 432_000

function inContext(ledger: Ledger, value: RpcJson): RpcJson {
  return { context: { slot: ledger.turn(), apiVersion: '3.0.0' }, value }
}

export const METHODS: Readonly<Record<string, Method>> = {
  getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
  getHealth: () => 'ok',
  getSlot: (ledger) => ledger.turn(),
  getBlockHeight: (ledger) => ledger.turn(),
  getTransactionCount: (ledger) => ledger.count,
  getFirstAvailableBlock: () => 0,
  getRecentPrioritizationFees: () => [],
  getEpochInfo(ledger) {
    const slot = ledger.turn()
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: ledger.count
    }
  },
  getLatestBlockhash: (ledger) => inContext(ledger, { ...ledger.latestBlockhash() }),
  isBlockhashValid: (ledger, params) => inContext(ledger, ledger.isValidBlockhash(textAt(params, 0))),
  getFeeForMessage(ledger, params) {
    const message = Buffer.from(textAt(params, 0), 'base64')
    const signers = (message[0] ?? 0) < 0x80 ? message[0] : message[1]
    return inContext(ledger, ledger.fee(signers ?? 0))
  },
  getMinimumBalanceForRentExemption: (ledger, params) => ledger.rentOf(wholeAt(params, 0)),
  getBalance: (ledger, params) => inContext(ledger, ledger.balance(addressAt(params, 0))),
  getAccountInfo: (ledger, params) => inContext(ledger, shownAccount(ledger.account(addressAt(params, 0)))),
  getMultipleAccounts(ledger, params) {
    const addresses = listAt(params, 0, MOST_ACCOUNTS)
    return inContext(
      ledger,
      addresses.map((_, at) => shownAccount(ledger.account(addressAt(addresses, at))))
    )
  },
  requestAirdrop(ledger, params) {
    const landed = ledger.airdrop(addressAt(params, 0), BigInt(wholeAt(params, 1)))
    if (landed === undefined) throw new RpcError(INVALID_PARAMS, 'airdrop request failed: not a sum for this account')
    return landed.signature
  },
  simulateTransaction(ledger, params) {
    const { signed } = transactionAt(params, 0, optionsAt(params, 1)['encoding'])
    const { error, logs, units } = ledger.simulate(signed)
    return inContext(ledger, { err: error, logs, unitsConsumed: units, accounts: null, returnData: null })
  },
  getSignatureStatuses(ledger, params) {
    const rows = listAt(params, 0, MOST_STATUSES).map((text) => shownStatus(ledger.transaction(signatureOf(text))))
    return inContext(ledger, rows)
  },
  getSignaturesForAddress(ledger, params) {
    const options = optionsAt(params, 1)
    const newest = ledger.signaturesOf(addressAt(params, 0))
    const start = options['before'] === undefined ? 0 : placeOf(newest, options['before']) + 1
    const end = options['until'] === undefined ? newest.length : placeOf(newest, options['until'])
    const rows = newest.slice(start, end).slice(0, limitOf(options['limit']))
    return rows.flatMap((signature) => {
      const landed = ledger.transaction(signature)
      return landed === undefined ? [] : [shownRow(landed)]
    })
  },
  getTransaction(ledger, params) {
    const landed = ledger.transaction(signatureAt(params, 0))
    if (landed === undefined) return null
    const options = optionsAt(params, 1)
    if (versionOf(landed) !== 'legacy' && typeof options['maxSupportedTransactionVersion'] !== 'number') {
      const message = 'Transaction version (0) is not supported by the requesting client.'
      throw new RpcError(VERSION_UNSUPPORTED, message)
    }
    const encoding = options['encoding'] ?? params[1]
    return shownTransaction(landed, typeof encoding === 'string' ? encoding : 'json')
  }
}

/** Where a signature stands; the end of the list when the address does not have it. */
function placeOf(newest: readonly string[], signature: Json): number {
  const at = newest.indexOf(signatureOf(signature))
  return at === -1 ? newest.length : at
}

function limitOf(limit: Json | undefined): number {
  if (limit === undefined) return MOST_ROWS
  if (Number.isSafeInteger(limit) && (limit as number) >= 1 && (limit as number) <= MOST_ROWS) return limit as number
  throw new RpcError(INVALID_PARAMS, `Invalid limit; max ${MOST_ROWS}`)
}

function shownStatus(landed: Landed | undefined): RpcJson {
  if (landed === undefined) return null
  const { slot, error } = landed
  const status = error === null ? { Ok: null } : { Err: error }
  return { slot, confirmations: null, err: error, status, confirmationStatus: 'finalized' }
}

/** Checks a transaction as sendTransaction does before it passes it on. Throws what a real node answers. */
export function preflight(ledger: Ledger, params: Params): Sent {
  const options = optionsAt(params, 1)
  const sent = transactionAt(params, 0, options['encoding'])
  const obstacle = ledger.obstacle(sent.signed)
  if (options['skipPreflight'] === true) return sent
  const outcome = obstacle ?? ledger.simulate(sent.signed)
  if (outcome.error === null) return sent
  throw new RpcError(SEND_FAILED, `Transaction simulation failed: ${reasonOf(outcome.error)}`, {
    err: outcome.error,
    logs: outcome.logs,
    accounts: null,
    unitsConsumed: 0,
    returnData: null
  })
}

function reasonOf(error: RpcJson): string {
  if (error === 'BlockhashNotFound') return 'Blockhash not found'
  return typeof error === 'string' ? error : `Error processing ${JSON.stringify(error)}`
}
