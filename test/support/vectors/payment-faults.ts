/** Transactions in SOL that really happened and are not the payment. */
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { concat, toUtf8 } from '../../../src/base/bytes.js'
import { sha256 } from '../../../src/base/digest.js'
import { keypair } from './payment-chain.js'
import { tableOf } from './payment-paid.js'
import {
  type Case,
  LAMPORTS,
  MEMO,
  OLD_MEMO_PROGRAM,
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

const elsewhere = { to: other.publicKey }
const tip = { to: third.publicKey, lamports: 1000 }

export function faultyCases(): Case[] {
  return [
    ...transferCases(),
    ...otherMoneyCases(),
    ...payerCases(),
    ...referenceCases(),
    ...amountCases(),
    ...memoCases()
  ]
}

function transferCases(): Case[] {
  const half = { lamports: LAMPORTS / 2 }
  const looked = tableOf(provider.publicKey)
  const further = { ...elsewhere, others: [reference, provider.publicKey] }
  return [
    refused(
      'two_transfers',
      'the sum in two halves',
      chain.run([memo(), transfer(half), transfer({ ...half, others: [] })])
    ),
    refused(
      'two_transfers',
      'the whole sum twice',
      chain.run([memo(), transfer(), transfer({ others: [third.publicKey] })])
    ),
    refused(
      'two_transfers',
      'one lamport more',
      chain.run([memo(), transfer(), transfer({ lamports: 1, others: [] })])
    ),
    refused('wrong_recipient', 'another account', chain.run([memo(), transfer(elsewhere)])),
    refused(
      'wrong_recipient',
      'the recipient only after the first two accounts',
      chain.run([memo(), transfer(further)])
    ),
    refused('wrong_recipient', 'the recipient from a lookup table', chain.run([memo(), transfer()], { table: looked })),
    refused('no_transfer', 'a memo alone', chain.run([memo()])),
    refused(
      'no_transfer',
      'to somebody else, without the reference',
      chain.run([memo(), transfer({ ...elsewhere, others: [] })])
    )
  ]
}

/** Money that moves, but not by a Transfer. */
function otherMoneyCases(): Case[] {
  const programId = SystemProgram.programId
  const fresh = keypair(0x5c)
  const created = SystemProgram.createAccount({
    fromPubkey: hirer.publicKey,
    newAccountPubkey: fresh.publicKey,
    lamports: LAMPORTS,
    space: 0,
    programId
  })
  // An account that only the wallet of the hirer can speak for, by a seed.
  const seeded = new PublicKey(sha256(concat(hirer.publicKey.toBytes(), toUtf8('purse'), programId.toBytes())))
  chain.fund(seeded)
  const withSeed = SystemProgram.transfer({
    fromPubkey: seeded,
    basePubkey: hirer.publicKey,
    toPubkey: provider.publicKey,
    lamports: LAMPORTS,
    seed: 'purse',
    programId
  })
  const back = transfer({ from: provider.publicKey, to: hirer.publicKey, lamports: LAMPORTS - 1, others: [] })
  const both = [hirer, provider]
  return [
    refused(
      'no_transfer',
      'money that comes with a new account',
      chain.run([memo(), created], { signers: [hirer, fresh] }),
      {
        terms: { ...TERMS, recipient: fresh.publicKey.toBase58() }
      }
    ),
    refused('no_transfer', 'TransferWithSeed', chain.run([memo(), withSeed])),
    refused('other_balance', 'TransferWithSeed beside the transfer', chain.run([memo(), transfer(), withSeed])),
    refused(
      'other_balance',
      'all but one lamport goes back at once',
      chain.run([memo(), transfer(), back], { signers: both })
    ),
    refused(
      'other_balance',
      'the recipient gives a tip of it',
      chain.run([memo(), transfer(), transfer({ ...tip, from: provider.publicKey })], { signers: both })
    )
  ]
}

function payerCases(): Case[] {
  const fromOther = transfer({ from: other.publicKey })
  const own = { ...TERMS, recipient: TERMS.payer }
  const toSelf = transfer({ to: hirer.publicKey })
  return [
    refused('self_payment', 'payer and recipient are one', chain.run([memo(), toSelf]), { terms: own }),
    refused('wrong_payer', 'somebody else pays', chain.run([memo(), fromOther], { signers: [other] })),
    refused(
      'wrong_payer',
      'somebody else pays, the payer pays the fee',
      chain.run([memo(), fromOther], { signers: [hirer, other] })
    ),
    refused('wrong_payer', 'somebody else pays the fee', chain.run([memo(), transfer()], { signers: [other, hirer] }))
  ]
}

function referenceCases(): Case[] {
  const bare = transfer({ others: [] })
  const named = new TransactionInstruction({
    keys: [{ pubkey: reference, isSigner: false, isWritable: false }],
    programId: SystemProgram.programId,
    data: transfer(tip).data
  })
  named.keys.unshift(...transfer({ ...tip, others: [] }).keys)
  const looked = tableOf(reference)
  return [
    refused('no_reference', 'none', chain.run([memo(), bare])),
    refused('no_reference', 'another', chain.run([memo(), transfer({ others: [third.publicKey] })])),
    refused('no_reference', 'only in another transfer', chain.run([memo(), bare, named])),
    refused('no_reference', 'from a lookup table', chain.run([memo(), transfer()], { table: looked }))
  ]
}

function amountCases(): Case[] {
  const sum = (lamports: number): Case['tx'] => chain.run([memo(), transfer({ lamports })])
  return [
    refused('short', 'one lamport', sum(LAMPORTS - 1)),
    refused('short', 'six decimals taken for nine', sum(LAMPORTS / 1000)),
    refused('short', 'nothing', sum(0)),
    refused('over', 'one lamport', sum(LAMPORTS + 1)),
    refused('over', 'twice the sum', sum(LAMPORTS * 2)),
    refused('over', 'SOL for lamports', sum(LAMPORTS * 1000))
  ]
}

function memoCases(): Case[] {
  const saying = (...texts: readonly string[]): Case['tx'] =>
    chain.run([...texts.map((text) => memo(text)), transfer()])
  const [otherTask, otherPlan] = [MEMO.replace('cdcd', 'cdce'), MEMO.replace('abab', 'abac')]
  return [
    refused('no_memo', 'none', chain.run([transfer()])),
    refused('two_memos', 'the same twice', saying(MEMO, MEMO)),
    refused('two_memos', 'for two tasks', saying(MEMO, otherTask)),
    refused('two_memos', 'one of each program', chain.run([memo(), memo(undefined, OLD_MEMO_PROGRAM), transfer()])),
    refused('wrong_memo', 'of another task', saying(otherTask)),
    refused('wrong_memo', 'of another plan', saying(otherPlan)),
    refused('wrong_memo', 'with a space at the end', saying(`${MEMO} `)),
    refused('wrong_memo', 'cut short', saying(MEMO.slice(0, -1))),
    refused('wrong_memo', 'in upper case', saying(MEMO.toUpperCase())),
    refused('wrong_memo', 'empty', saying(''))
  ]
}
