/** Money that is no SOL, and what the programs of tokens call by themselves. */
import type { Keypair } from '@solana/web3.js'
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { keypair } from './payment-chain.js'
import { type Case, LAMPORTS, TERMS, chain, hirer, memo, provider, reference, refused } from './payment-stage.js'

const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const MINT_BYTES = 82
const ACCOUNT_BYTES = 165
/** Instructions of the token program, by number. */
const [MINT_TO, CLOSE, TRANSFER_CHECKED, INITIALIZE_ACCOUNT, INITIALIZE_MINT] = [7, 9, 12, 18, 20]
const DECIMALS = 9

interface Named {
  readonly pubkey: PublicKey
  readonly isSigner: boolean
  readonly isWritable: boolean
}

const written = (pubkey: PublicKey): Named => ({ pubkey, isSigner: false, isWritable: true })
const read = (pubkey: PublicKey): Named => ({ pubkey, isSigner: false, isWritable: false })
const signs = (pubkey: PublicKey): Named => ({ pubkey, isSigner: true, isWritable: true })

function token(keys: readonly Named[], number: number, rest: Uint8Array = new Uint8Array(0)): TransactionInstruction {
  return new TransactionInstruction({ keys: [...keys], programId: TOKEN, data: Buffer.from([number, ...rest]) })
}

function amount(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function made(account: Keypair, space: number): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: hirer.publicKey,
    newAccountPubkey: account.publicKey,
    lamports: chain.rent(space),
    space,
    programId: TOKEN
  })
}

export function tokenCases(): Case[] {
  const [mint, ours, theirs] = [keypair(0x61), keypair(0x62), keypair(0x63)]
  const opened = (account: Keypair, owner: PublicKey): TransactionInstruction =>
    token([written(account.publicKey), read(mint.publicKey)], INITIALIZE_ACCOUNT, owner.toBytes())
  const mintOf = Buffer.concat([Buffer.from([DECIMALS]), hirer.publicKey.toBuffer(), Buffer.from([0])])
  chain.run([made(mint, MINT_BYTES), token([written(mint.publicKey)], INITIALIZE_MINT, mintOf)], {
    signers: [hirer, mint]
  })
  chain.run([made(ours, ACCOUNT_BYTES), opened(ours, hirer.publicKey)], { signers: [hirer, ours] })
  chain.run([made(theirs, ACCOUNT_BYTES), opened(theirs, provider.publicKey)], { signers: [hirer, theirs] })
  chain.run([
    token([written(mint.publicKey), written(ours.publicKey), signs(hirer.publicKey)], MINT_TO, amount(LAMPORTS * 2))
  ])
  const checked = Buffer.concat([amount(LAMPORTS), Buffer.from([DECIMALS])])
  const keys = [written(ours.publicKey), read(mint.publicKey), written(theirs.publicKey), signs(hirer.publicKey)]
  const given = token([...keys, read(reference)], TRANSFER_CHECKED, checked)
  const toAccount = { ...TERMS, recipient: theirs.publicKey.toBase58() }
  const closed = chain.rent(ACCOUNT_BYTES)
  return [
    refused('no_transfer', 'a token with nine decimals, to an account of the recipient', chain.run([memo(), given])),
    refused('no_transfer', 'a token, the token account named as recipient', chain.run([memo(), given]), {
      terms: toAccount
    }),
    closing(String(closed)),
    ...calledCases(mint.publicKey)
  ]
}

/** An account is closed, and what it held goes to the recipient: no Transfer. */
function closing(lamports: string): Case {
  const [mint, account] = [keypair(0x61), keypair(0x64)]
  const opened = token(
    [written(account.publicKey), read(mint.publicKey)],
    INITIALIZE_ACCOUNT,
    hirer.publicKey.toBytes()
  )
  chain.run([made(account, ACCOUNT_BYTES), opened], { signers: [hirer, account] })
  const keys = [written(account.publicKey), written(provider.publicKey), signs(hirer.publicKey), read(reference)]
  const tx = chain.run([memo(), token(keys, CLOSE)])
  return refused('no_transfer', 'an account closed in favour of the recipient', tx, { terms: { ...TERMS, lamports } })
}

/** The associated-token program tops an account up by a Transfer of its own. */
function calledCases(mint: PublicKey): Case[] {
  const [recipient] = PublicKey.findProgramAddressSync(
    [provider.publicKey.toBuffer(), TOKEN.toBuffer(), mint.toBuffer()],
    ASSOCIATED
  )
  const before = chain.rent(0)
  const rest = chain.rent(ACCOUNT_BYTES) - before
  chain.fund(recipient, BigInt(before))
  const keys = [
    signs(hirer.publicKey),
    written(recipient),
    read(provider.publicKey),
    read(mint),
    read(SystemProgram.programId),
    read(TOKEN)
  ]
  const opens = new TransactionInstruction({
    keys: [...keys, read(reference)],
    programId: ASSOCIATED,
    data: Buffer.alloc(0)
  })
  const terms = { ...TERMS, recipient: recipient.toBase58(), lamports: String(rest) }
  return [refused('inner_transfer', 'a program called it', chain.run([memo(), opens]), { terms })]
}
