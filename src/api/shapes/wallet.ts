import { z } from 'zod'
import type { CountedView, SpendLimitsView, WalletView } from '../../flows/views/wallet.js'
import { count, text, view } from './parts.js'

/** The node's wallet and what may leave it. */

const limitMembers = { perJob: text, perDay: text, left: text }

export const spendLimits: z.ZodType<SpendLimitsView> = view<SpendLimitsView>()(limitMembers)

const counted = view<CountedView>()({
  taskUid: text,
  agent: text.exactOptional(),
  participantHandle: text.exactOptional(),
  attempt: count,
  lamports: text,
  state: z.enum(['reserved', 'spent']),
  at: text,
  until: text
})

export const wallet: z.ZodType<WalletView> = view<WalletView>()({
  cluster: z.enum(['solana:devnet', 'solana:localnet', 'off']),
  address: text.exactOptional(),
  balance: z
    .union([
      z.strictObject({ lamports: text }),
      z.strictObject({ unknown: z.strictObject({ code: text, message: text }) })
    ])
    .exactOptional(),
  limits: z.strictObject({ ...limitMembers, counted: text, items: z.array(counted) }).exactOptional()
})
