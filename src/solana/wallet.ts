import { type Result, fail, ok } from '../base/result.js'
import { badRequest } from '../base/refusal.js'
import { equalBytes } from '../base/bytes.js'
import { type Signer, signerOf } from '../wire/ed25519.js'

/** The wallet file of `solana-keygen`: a JSON list of 64 numbers, the seed and then the public key. */

const SEED_BYTES = 32
const MOST_TEXT = 4096

/** Reads a wallet file. Refuses with `invalid_field`, and never repeats what it read. */
export function readWallet(text: string): Result<Signer> {
  const numbers = text.length <= MOST_TEXT ? parsed(text) : undefined
  if (numbers?.length !== 2 * SEED_BYTES) return refused('is not a list of 64 numbers from 0 to 255')
  const bytes = Uint8Array.from(numbers)
  const signer = signerOf(bytes.subarray(0, SEED_BYTES))
  if (equalBytes(signer.publicKey, bytes.subarray(SEED_BYTES))) return ok(signer)
  return refused('holds a public key that is not the one of its secret')
}

/** The text of the wallet file of a 32-byte seed. */
export function walletText(seed: Uint8Array): string {
  return `${JSON.stringify([...seed, ...signerOf(seed).publicKey])}\n`
}

function parsed(text: string): readonly number[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(isByte) ? value : undefined
  } catch {
    return undefined
  }
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255
}

function refused(what: string): ReturnType<typeof fail> {
  return fail(
    badRequest('invalid_field', `the wallet file ${what}; make one with solana-keygen or agentlink`, 'wallet')
  )
}
