/** Amounts of lamports as SOL, digit by digit: no amount goes through a floating-point number. */

const PLACES = 9

/** `0.5 SOL` for `500000000`. What is no whole number is shown as it came, with its unit. */
export function solOf(lamports: string): string {
  if (!/^(0|[1-9][0-9]*)$/.test(lamports)) return `${lamports} lamports`
  const digits = lamports.padStart(PLACES + 1, '0')
  const whole = digits.slice(0, -PLACES)
  const part = digits.slice(-PLACES).replace(/0+$/, '')
  return `${whole}${part === '' ? '' : `.${part}`} SOL`
}

/** Where a person can look a transaction up; undefined on a chain that has no public explorer. */
export function explorerOf(cluster: string, signature: string): string | undefined {
  if (cluster !== 'solana:devnet' || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature)) return undefined
  return `https://explorer.solana.com/tx/${signature}?cluster=devnet`
}
