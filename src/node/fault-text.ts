import type { ChainFault } from '../store/audit-chains.js'
import type { Concerned } from '../store/concerned.js'

/** Words for what the audit of the chains found. */

/** For a row: `message 12 from @bob, task 51de…: altered`. */
export function faultText(fault: ChainFault, { contact, tasks }: Concerned): string {
  const { from, to } = fault
  const which = from === to ? `message ${from}` : `messages ${from} to ${to}`
  const whose = fault.chain === 'sent' ? `to ${contact}` : `from ${contact}`
  const about = tasks.length === 0 ? '' : `, ${tasks.length === 1 ? 'task' : 'tasks'} ${tasks.join(', ')}`
  return `${which} ${whose}${about}: ${fault.fault.replaceAll('_', ' ')}`
}

/** What to tell an owner whose chains don't hold. */
export function damageMessage(finding: string): string {
  return (
    `The store is damaged (${finding}). Do not delete it: copy the whole home somewhere safe and check the disk. ` +
    'Then `agentlink repair` fetches the messages again from the contacts that hold them; what they can not give is in your last backup.'
  )
}
