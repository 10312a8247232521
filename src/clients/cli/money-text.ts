import { showLamports } from '../../payments/price.js'

/** Money on the screen. Texts that came from elsewhere are made visible by whoever prints them. */

/** `250000000` as `0.25 SOL`; what is no number of lamports stays as it is. */
export function sol(lamports: string): string {
  return /^\d{1,20}$/.test(lamports) ? showLamports(BigInt(lamports)) : lamports
}

/** Where anybody can look a payment up; undefined for a chain that only this machine knows. */
export function explorerLink(cluster: string, signature: string): string | undefined {
  return cluster === 'solana:devnet' ? `https://explorer.solana.com/tx/${signature}?cluster=devnet` : undefined
}
