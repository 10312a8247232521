import { useAnswer } from '../../client/use-answer.js'
import { Facts, Id } from '../../parts/basics.js'
import { Show } from '../../parts/states.js'

/** How the node is, in plain words. */
export function Health() {
  const status = useAnswer('owner.status.read', ['contacts', 'approvals', 'status'])
  return (
    <Show of={status}>
      {({ contacts, undelivered, addrs, peerId }) => (
        <>
          <p class="big">{connectedWords(contacts.connected, contacts.active)}</p>
          <p>{undeliveredWords(undelivered)}</p>
          <details>
            <summary>Addresses</summary>
            <Facts
              rows={[
                ['Node', <Id key="id">{peerId}</Id>],
                ...addrs.map((addr, at) => [`Address ${at + 1}`, <Id key={addr}>{addr}</Id>] as const)
              ]}
            />
          </details>
        </>
      )}
    </Show>
  )
}

function connectedWords(connected: number, active: number): string {
  if (active === 0) return 'Running. There are no contacts yet.'
  if (connected === 0) return 'Running. None of your contacts can be reached at the moment.'
  return `Running. ${connected} of your ${active} contacts connected.`
}

function undeliveredWords(count: number): string {
  if (count === 0) return 'Everything that was sent has arrived.'
  return count === 1 ? 'One message is on its way.' : `${count} messages are on their way.`
}
