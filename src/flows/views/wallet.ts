import type { Cluster } from '../../payments/terms.js'

/** The node's wallet and what may leave it, for its owner. Lamports are decimal digits. Source: protocols/socket-api.md, "Shapes". */

/** The owner's limits, and what is left of the day. */
export interface SpendLimitsView {
  readonly perJob: string
  /** Over any 24 hours. */
  readonly perDay: string
  readonly left: string
}

/** One payment that counts against the day. */
export interface CountedView {
  readonly taskUid: string
  /** Which of our agents pays, and whom; missing when the task is gone. */
  readonly agent?: string
  readonly participantHandle?: string
  readonly attempt: number
  readonly lamports: string
  /** `reserved`: promised, and not seen finalized yet. `spent`: it has left the wallet. */
  readonly state: 'reserved' | 'spent'
  readonly at: string
  /** When it counts no more, at the latest. */
  readonly until: string
}

/** What the chain said of the balance, or why nothing is known of it. */
export type BalanceView =
  { readonly lamports: string } | { readonly unknown: { readonly code: string; readonly message: string } }

export interface WalletView {
  /** `off`: no chain is configured. */
  readonly cluster: Cluster | 'off'
  /** Missing when there is no wallet. */
  readonly address?: string
  readonly balance?: BalanceView
  readonly limits?: SpendLimitsView & { readonly counted: string; readonly items: readonly CountedView[] }
}
