import { z } from 'zod'
import type { DeclineView, OwnerTypeView, TypeInspectionView, TypeView } from '../../flows/views/types.js'
import { count, jsonObject, text, typeMembers, typeRef, view } from './parts.js'

/** Task types: what is installed, what is asked about, and what was declined. */

export const typeEntry: z.ZodType<TypeView> = view<TypeView>()({
  ...typeMembers,
  builtin: z.boolean(),
  definition: jsonObject,
  actions: z.array(jsonObject)
})

export const ownerType: z.ZodType<OwnerTypeView> = view<OwnerTypeView>()({
  ...typeMembers,
  builtin: z.boolean(),
  state: z.enum(['active', 'retired']),
  title: text,
  customCapabilities: z.array(text),
  installedAt: text.exactOptional(),
  retiredAt: text.exactOptional()
})

const inspectedField = z.strictObject({
  path: text,
  kind: text,
  bounds: text,
  required: z.boolean(),
  capability: text.exactOptional(),
  label: text,
  description: text.exactOptional()
})

export const inspection: z.ZodType<TypeInspectionView> = view<TypeInspectionView>()({
  ...typeMembers,
  state: z.enum(['unknown', 'active', 'retired']),
  sameName: z.array(text),
  title: text,
  description: text.exactOptional(),
  fields: z.array(inspectedField),
  actions: z.array(z.strictObject({ name: text, label: text, params: z.array(inspectedField) })),
  uncoveredText: z.array(text),
  customCapabilities: z.array(text),
  bytes: count,
  worstProposalBytes: count,
  definition: jsonObject
})

export const decline: z.ZodType<DeclineView> = view<DeclineView>()({
  agent: text,
  participant: text,
  type: typeRef,
  by: z.enum(['peer', 'owner']),
  code: text,
  at: text
})
