import type { Refusal } from '../../base/refusal.js'
import { visible } from '../../base/visible.js'

/** Where on a form a "no" belongs. */
export interface Faults {
  /** What is wrong with a field; nothing where nothing is known to be. */
  readonly fault: (field: string) => string | undefined
  /** The refusal, when it is about none of the fields. */
  readonly rest: Refusal | undefined
}

export function faultsAt(refusal: Refusal | undefined, fields: readonly string[]): Faults {
  const field = refusal?.details.field
  if (refusal === undefined || typeof field !== 'string' || !fields.includes(field)) {
    return { fault: () => undefined, rest: refusal }
  }
  const text = faultWords(refusal.message, field)
  return { fault: (name) => (name === field ? text : undefined), rest: undefined }
}

/** `body member price: it must be …`, or without the first words, at the field itself: `It must be …`. */
function faultWords(message: string, field: string): string {
  const lead = [`body member ${field}: `, `${field}: `].find((words) => message.startsWith(words)) ?? ''
  const bare = message.slice(lead.length)
  return visible(bare.charAt(0).toUpperCase() + bare.slice(1))
}
