import type { Cluster } from '../payments/terms.js'

/** By what a cluster is known: the hash of its first block. Source: protocols/payments.md, "Clusters". */
export const GENESIS: Readonly<Record<Cluster, string>> = {
  'solana:devnet': 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  // SHA-256 of the text agentlink/localnet/1: no real cluster can have it.
  'solana:localnet': 'FubRwtHzYe6aRQVHoaLxBHhVaPmuH4LdZgq8dcqKTS1t'
}

export const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
