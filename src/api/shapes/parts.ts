import { z } from 'zod'
import type { JsonObject } from '../../base/json.js'
import type { Page } from '../../flows/views/pages.js'
import type { TypeRef } from '../../flows/views/types.js'

/** What the shapes of all rooms are made of. */

/** A strict object that names every member of the view `T`: a member added there and forgotten here doesn't compile. */
export const view =
  <T>() =>
  <S extends Record<keyof T, z.ZodType>>(shape: S) =>
    z.strictObject(shape)

/** An object whose members someone else checks (a proposal: the type's definition). */
export const jsonObject = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject, JsonObject>

export const text = z.string()

export const count = z.int().nonnegative()

export const EFFECTS = ['allow', 'ask', 'deny'] as const

export const effect = z.enum(EFFECTS)

export const typeMembers = { name: text, version: count, hash: text }

export const typeRef: z.ZodType<TypeRef> = view<TypeRef>()(typeMembers)

/** `{"items":[…],"next"}`; `next` is absent at the end. */
export function page<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.strictObject({ items: z.array(item), next: text.exactOptional() })
}
