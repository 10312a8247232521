/** Transactions that are the payment. */
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram
} from '@solana/web3.js'
import { transferMessage, withSignature } from '../../../src/payments/transfer.js'
import { signerOf } from '../../../src/wire/ed25519.js'
import { keypair } from './payment-chain.js'
import {
  type Case,
  OLD_MEMO_PROGRAM,
  TERMS,
  chain,
  hirer,
  memo,
  other,
  paid,
  reference,
  refused,
  third,
  transfer
} from './payment-stage.js'
import { seedOf } from './people.js'

const DAY = 86_400_000

/** A lookup table on the chain that holds these accounts. */
export function tableOf(...addresses: readonly PublicKey[]): AddressLookupTableAccount {
  const authority = hirer.publicKey
  const [create, key] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot: chain.slot
  })
  chain.run([create])
  chain.run([
    AddressLookupTableProgram.extendLookupTable({
      lookupTable: key,
      authority,
      payer: authority,
      addresses: [...addresses]
    })
  ])
  // A table's new entries can be used from the next slot on.
  chain.pass(1000)
  return new AddressLookupTableAccount({ key, state: AddressLookupTableAccount.deserialize(chain.bytesOf(key)) })
}

function noncePaid(): Case[] {
  const nonce = keypair(0x58)
  const authorizedPubkey = hirer.publicKey
  chain.run(
    [
      ...SystemProgram.createNonceAccount({
        fromPubkey: hirer.publicKey,
        noncePubkey: nonce.publicKey,
        authorizedPubkey,
        lamports: chain.rent(NONCE_ACCOUNT_LENGTH)
      }).instructions
    ],
    { signers: [hirer, nonce] }
  )
  // Where the value of a nonce stands in its account.
  const nonceValue = new PublicKey(chain.bytesOf(nonce.publicKey).subarray(40, 72)).toBase58()
  const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey })
  const tx = chain.run([advance, memo(), transfer()], { nonce: nonceValue })
  const tenDaysLater = { ...tx, blockTime: (tx.blockTime ?? 0) + 10 * DAY }
  return [
    paid('a transaction on a durable nonce, in time', tx),
    refused('late', 'a transaction on a durable nonce that lands after ten days', tenDaysLater)
  ]
}

export function paidCases(): Case[] {
  const own = transferMessage(TERMS, chain.blockhash())
  if (own === undefined) throw new Error('these terms have no transaction')
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1000 })
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 })
  const tip = transfer({ to: third.publicKey, lamports: 1000, others: [] })
  const plain = chain.run([memo(), transfer()])
  const poor = { ...TERMS, lamports: '1' }
  return [
    paid('the form that a node makes', chain.take(withSignature(signerOf(seedOf(0x51)).sign(own), own))),
    paid('the memo after the transfer', chain.run([transfer(), memo()])),
    paid('the older memo program', chain.run([memo(undefined, OLD_MEMO_PROGRAM), transfer()])),
    paid('instructions of a wallet around it', chain.run([limit, price, memo(), transfer(), tip])),
    paid(
      'further references in the transfer',
      chain.run([memo(), transfer({ others: [third.publicKey, reference, other.publicKey] })])
    ),
    paid('a version 0 message', chain.run([memo(), transfer()], { version: 0 })),
    paid(
      'a version 0 message that takes another account from a lookup table',
      chain.run([memo(), transfer({ others: [reference, third.publicKey] })], { table: tableOf(third.publicKey) })
    ),
    paid('another transfer, to somebody else', chain.run([memo(), transfer(), tip])),
    paid('one lamport', chain.run([memo(), transfer({ lamports: 1 })]), { terms: poor }),
    paid('at the last moment, in the slot of the quote', plain, {
      quote: { issuedSlot: plain.slot, expiresAt: plain.blockTime ?? 0 }
    }),
    ...noncePaid(),
    ...emptiedPaid(),
    largePaid()
  ]
}

/** The account is closed later: what happened, happened. */
function emptiedPaid(): Case[] {
  const shortLived = keypair(0x59)
  const terms = { ...TERMS, recipient: shortLived.publicKey.toBase58() }
  const tx = chain.run([memo(), transfer({ to: shortLived.publicKey })])
  chain.run([transfer({ from: shortLived.publicKey, to: other.publicKey, others: [] })], {
    signers: [other, shortLived]
  })
  return [paid('the account of the recipient is emptied later', tx, { terms })]
}

function largePaid(): Case {
  const sum = 2n ** 53n + 2n ** 30n
  const [rich, richer] = [keypair(0x5a), keypair(0x5b)]
  chain.fund(rich.publicKey, 2n ** 54n)
  const terms = {
    ...TERMS,
    payer: rich.publicKey.toBase58(),
    recipient: richer.publicKey.toBase58(),
    lamports: sum.toString()
  }
  const give = transfer({ from: rich.publicKey, to: richer.publicKey, lamports: sum })
  return paid('a sum above 2^53', chain.run([memo(), give], { signers: [rich] }), { terms })
}
