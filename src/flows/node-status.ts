import type { AgentBook } from './agents.js'
import type { NodeStatus } from './doors.js'
import { standingOf } from './health.js'
import { deskOf } from './inbox.js'
import type { KnownContacts } from './known-contacts.js'
import type { Lanes } from './lanes.js'
import type { Link, Store } from './ports.js'

/** How the node is, in a few numbers: what `agentlink status` shows. Spec: protocols/socket-api.md, `owner.status.read`. */
export function nodeStatus(components: {
  readonly store: Store
  readonly link: Link
  readonly agents: AgentBook
  readonly known: KnownContacts
  readonly lanes: Lanes
}): NodeStatus {
  const { store, link, agents, known, lanes } = components
  const contacts = known.all()
  const { active, connected, undelivered } = standingOf(store, contacts, (pair) => lanes.find(pair))
  const hosted = agents.all().map((agent) => agents.pick(store, agent))
  return {
    peerId: link.peerId,
    addrs: link.addrs(),
    agents: hosted.flatMap((one) =>
      one.ok ? [{ agent: one.value.agent, name: one.value.name, handle: one.value.handle }] : []
    ),
    contacts: { active, connected, pending: contacts.filter((record) => record.state === 'pending').length },
    undelivered,
    approvalsPending: agents.all().reduce((sum, agent) => sum + deskOf(store, agent).approvalsPending, 0)
  }
}
