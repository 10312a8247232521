import type { JsonObject } from '../../base/json.js'
import { visible } from '../../base/visible.js'

/** What the plans of paid jobs say, in an owner's words. */

/** Characters of a brief that stand for all of it where a heading is needed. */
const BRIEF_HEAD = 80

/** The beginning of a plan's brief on one line; nothing where it says none. */
export function briefIn(plan: JsonObject | undefined): string | undefined {
  const brief = plan?.['brief']
  return typeof brief === 'string' ? headOf(brief) : undefined
}

/** The beginning of a text on one line; nothing where it says nothing. */
export function headOf(text: string): string | undefined {
  const letters = [...text.trim().replace(/\s+/g, ' ')]
  if (letters.length === 0) return undefined
  return visible(letters.length > BRIEF_HEAD ? `${letters.slice(0, BRIEF_HEAD - 1).join('')}…` : letters.join(''))
}

/** What a plan of a job says that it costs. */
export function priceIn(plan: JsonObject | undefined): string | undefined {
  const price = plan?.['price']
  return typeof price === 'string' ? `${visible(price)} SOL` : undefined
}

interface Planned {
  readonly proposals: ReadonlyArray<{ readonly proposal: JsonObject }>
}

/** What a job is about: the own label, or the brief of the newest plan, which may be the other side's words. */
export function jobTitle({ title, proposals }: Planned & { readonly title?: string }): string {
  return title === undefined ? (briefIn(proposals.at(-1)?.proposal) ?? 'A job') : visible(title)
}

/** What the newest plan says it costs; nothing while no plan says it. */
export function jobPrice({ proposals }: Planned): string | undefined {
  return priceIn(proposals.at(-1)?.proposal)
}
