import { type Refusal, refusal } from '../../base/refusal.js'
import { rowIn } from '../../api/words/known.js'

/** A "no" of the node in plain words, with what to do next where that is known. */

/** What the page says itself when nothing came back. */
export const NO_ANSWER = refusal('unavailable', 'The node does not answer.')

export interface RefusalWords {
  readonly title: string
  readonly next: string
}

const BY_RULE: Readonly<Record<string, RefusalWords>> = {
  approval_answered: {
    title: 'This was answered before.',
    next: 'Each question takes one answer, from whatever program.'
  },
  approval_expired: { title: 'Its time has passed.', next: 'Your agent has to ask again.' },
  preset_stale: { title: 'Your rules changed meanwhile.', next: 'Look at the preview again, then apply it.' },
  malformed_link: { title: 'That is no contact link.', next: 'A link begins with “agentlink:al1”. Copy it whole.' },
  type_ambiguous: {
    title: 'More than one type has this name.',
    next: 'Open it from the list, where its hash is known.'
  },
  malformed_definition: {
    title: 'That is no task type.',
    next: 'The text has to be a whole definition file; “agentlink type check” names all that is wrong with one.'
  },
  agent_exists: { title: 'There is an agent of this name.', next: 'Choose another name.' },
  agent_needed: { title: 'The first agent stays.', next: 'Others can be ended.' }
}

const BY_CODE: Readonly<Record<string, RefusalWords>> = {
  unauthorized: { title: 'You are not signed in any more.', next: 'Run “agentlink dashboard” for a new link.' },
  not_found: { title: 'It is not here.', next: 'It may have gone, or the address is wrong.' },
  rate_limited: { title: 'That was too fast.', next: 'Wait a moment, then try again.' },
  disk_full: { title: 'The disk is full.', next: 'Make room; nothing was lost.' },
  internal: { title: 'Something broke at the node.', next: 'Its log has the details.' }
}

const GONE = 'Start it with “agentlink start”. If it runs, open its page anew with “agentlink dashboard”.'

/** `said`: what the node said, where that is not the title already. */
export function refusalWords(refused: Refusal): RefusalWords & { readonly said?: string } {
  const rule = refused.details.code
  const own = sentence(withoutRoutes(refused.message))
  if (refused === NO_ANSWER) return { title: own, next: GONE }
  const known = (typeof rule === 'string' ? rowIn(BY_RULE, rule) : undefined) ?? rowIn(BY_CODE, refused.code)
  return known === undefined ? { title: own, next: '' } : { ...known, said: own }
}

/** What the node says, without the sentences for programs that call routes: an owner has a page for that. */
function withoutRoutes(message: string): string {
  const sentences = message.split(/(?<=[.!?])\s+/)
  const plain = sentences.filter((one) => !/\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\//.test(one))
  return plain.length === 0 ? message : plain.join(' ')
}

/** First letter large, a full stop at the end. */
function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
