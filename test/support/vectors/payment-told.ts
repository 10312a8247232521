/** Real transactions that a node tells wrongly, or that fall outside of the time. */
import { concat } from '../../../src/base/bytes.js'
import {
  type Case,
  LAMPORTS,
  QUOTE,
  TERMS,
  chain,
  hirer,
  memo,
  other,
  provider,
  reference,
  refused,
  third,
  transfer
} from './payment-stage.js'
import { tableOf } from './payment-paid.js'

/** Places in the bytes of the plain transaction: one signature, then the message. */
const SIGNATURE_AT = 1
const MESSAGE_AT = 65
/** After the header and the number of accounts: five of them, then the blockhash. */
const KEYS_AT = MESSAGE_AT + 4
const BLOCKHASH_AT = KEYS_AT + 5 * 32

export function toldCases(): Case[] {
  const plain = chain.run([memo(), transfer()])
  return [...placeCases(plain), ...byteCases(plain), ...timeCases(plain), ...balanceCases(plain), failedCase()]
}

function placeCases(plain: Case['tx']): Case[] {
  const devnet = { ...TERMS, cluster: 'solana:devnet' as const }
  return [
    refused('wrong_cluster', 'agreed for devnet', plain, { terms: devnet }),
    refused('wrong_cluster', 'seen on devnet', { ...plain, cluster: 'solana:devnet' }),
    refused('not_finalized', 'confirmed, which can be undone', { ...plain, finalized: false })
  ]
}

function byteCases(plain: Case['tx']): Case[] {
  const { bytes } = plain
  const unreadable = (name: string, odd: Uint8Array): Case => refused('unreadable', name, { ...plain, bytes: odd })
  const changed = (at: number, to: number): Uint8Array => Uint8Array.from(bytes, (byte, i) => (i === at ? to : byte))
  const signature = bytes.subarray(SIGNATURE_AT, MESSAGE_AT)
  const message = bytes.subarray(MESSAGE_AT)
  const doubled = Uint8Array.from(bytes)
  doubled.set(bytes.subarray(KEYS_AT, KEYS_AT + 32), KEYS_AT + 32)
  const second = chain.run([memo(), transfer()])
  const helped = chain.run(
    [memo(), transfer(), transfer({ from: third.publicKey, to: other.publicKey, lamports: 1000 })],
    {
      signers: [hirer, third]
    }
  )
  const broken = Uint8Array.from(helped.bytes, (byte, i) => (i === SIGNATURE_AT + 64 ? byte ^ 1 : byte))
  return [
    unreadable('bytes that the node can not show', new Uint8Array(0)),
    unreadable('one byte too few', bytes.subarray(0, -1)),
    unreadable('one byte too many', concat(bytes, Uint8Array.of(0))),
    unreadable(
      'a message of version 1',
      concat(bytes.subarray(0, MESSAGE_AT), Uint8Array.of(0x81), message, Uint8Array.of(0))
    ),
    unreadable('a length in more bytes than it needs', concat(Uint8Array.of(0x81, 0x00), bytes.subarray(1))),
    unreadable('a signature more than signers', concat(Uint8Array.of(2), signature, signature, message)),
    unreadable('no signature', concat(Uint8Array.of(0), message)),
    unreadable('nobody has to sign', changed(MESSAGE_AT, 0)),
    unreadable('the payer is read-only', changed(MESSAGE_AT + 1, 1)),
    unreadable('an account twice', doubled),
    unreadable('more than a packet holds', concat(bytes, new Uint8Array(1233))),
    refused('other_transaction', 'another payment of the same payer', { ...second, signature: plain.signature }),
    refused('bad_signature', 'one bit of the blockhash changed', {
      ...plain,
      bytes: changed(BLOCKHASH_AT, (bytes[BLOCKHASH_AT] ?? 0) ^ 1)
    }),
    refused('bad_signature', 'of the second signer', { ...helped, bytes: broken })
  ]
}

function timeCases(plain: Case['tx']): Case[] {
  const { expiresAt } = QUOTE
  return [
    refused('before_quote', 'one slot before the quote', plain, { quote: { issuedSlot: plain.slot + 1, expiresAt } }),
    refused('undated', 'a block without a time', { ...plain, blockTime: null }),
    refused('late', 'a second after the end', { ...plain, blockTime: expiresAt + 1000 })
  ]
}

function balanceCases(plain: Case['tx']): Case[] {
  const { preBalances, postBalances } = plain
  const others = [reference, third.publicKey]
  const looked = chain.run([memo(), transfer({ others })], { table: tableOf(third.publicKey) })
  const told = (name: string, over: Partial<Case['tx']>): Case => refused('other_balance', name, { ...plain, ...over })
  return [
    told('the node tells no rise', { postBalances: preBalances }),
    told('the node tells a lamport less', { postBalances: postBalances.map((one) => one - 1n) }),
    told('balances of fewer accounts', { preBalances: preBalances.slice(1), postBalances: postBalances.slice(1) }),
    told('no balances', { preBalances: [], postBalances: [] }),
    told('accounts from a table that the message does not name', {
      loaded: { writable: [provider.publicKey.toBase58()], readonly: [] }
    }),
    refused('other_balance', 'accounts of a lookup table left out', {
      ...looked,
      loaded: { writable: [], readonly: [] }
    })
  ]
}

/** The chain takes the fee, and the transfer fails: the payer has not that much. */
function failedCase(): Case {
  const tooMuch = LAMPORTS * 1e6
  const tx = chain.run([memo(), transfer({ lamports: tooMuch })])
  return refused('failed', 'the payer has less than that', tx, { terms: { ...TERMS, lamports: String(tooMuch) } })
}
