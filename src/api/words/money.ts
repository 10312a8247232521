import { showLamports } from '../../payments/price.js'

/** Money for people. Texts that came from elsewhere are made visible by whoever shows them. */

/** `0.25 SOL` for `250000000`, digit by digit. What is no whole number is shown as it came, with its unit. */
export function solOf(lamports: string): string {
  return /^(0|[1-9][0-9]{0,19})$/.test(lamports) ? showLamports(BigInt(lamports)) : `${lamports} lamports`
}

/** Where anybody can look a transaction up; undefined on a chain that has no public explorer, and for what names none. */
export function explorerOf(cluster: string, signature: string): string | undefined {
  if (cluster !== 'solana:devnet' || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) return undefined
  return `https://explorer.solana.com/tx/${signature}?cluster=devnet`
}
