import { visible } from '../../base/visible.js'
import { rowIn } from '../../api/words/known.js'

/** Capabilities in the words of an owner. The exact name always stands beside them. */

const KNOWN: Readonly<Record<string, string>> = {
  'disclose.*': 'Anything that a plan can tell',
  'disclose.availability': 'When you are free',
  'disclose.preferences': 'What you like',
  'disclose.dietary': 'What you eat and do not eat',
  'disclose.budget': 'What you want to spend',
  'disclose.notes': 'Free text in a plan',
  'disclose.job': 'What a paid job is about',
  'delegate.submit': 'Delegating work to another agent',
  'delegate.report': 'Reporting on delegated work',
  'action.calendar.hold': 'Recording a calendar hold',
  'action.reservation.book': 'Recording a reservation',
  'pay.solana': 'Paying from your wallet',
  'pay.receive': 'Offering work for payment'
}

/** `disclose.x.allergies` → `allergies (made up by a task type)`. */
export function capabilityWords(name: string): string {
  const known = rowIn(KNOWN, name)
  if (known !== undefined) return known
  const category = /^disclose\.x\.(.+)$/.exec(name)?.[1]
  if (category !== undefined) return `“${visible(category)}”, a category that a task type made up`
  const action = /^action\.x\.(.+)$/.exec(name)?.[1]
  return action === undefined ? visible(name) : `The action “${visible(action)}” of a task type`
}
