import type { z } from 'zod'
import type { OwnerEnvelopeView, OwnerOwnedView, OwnerTaskView } from '../../flows/views/owner-work.js'
import { envelopeMembers, ownedMembers } from './envelopes.js'
import { text, view } from './parts.js'
import { taskMembers } from './tasks.js'

/** The work of all agents, as their owner sees it. */

const withWhom = { agent: text, participantHandle: text }

export const ownerTask: z.ZodType<OwnerTaskView> = view<OwnerTaskView>()({
  ...taskMembers,
  ...withWhom,
  typeTitle: text.exactOptional()
})

export const ownerEnvelope: z.ZodType<OwnerEnvelopeView> = view<OwnerEnvelopeView>()({
  ...envelopeMembers,
  ...withWhom
})

export const ownerOwned: z.ZodType<OwnerOwnedView> = view<OwnerOwnedView>()({ ...ownedMembers, ...withWhom })
