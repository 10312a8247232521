import type { Route } from './route.js'

/** What only the owner may call: rows of the route table (`routes.ts`). */
export const OWNER_ROUTES = {
  'owner.agents.list': { method: 'GET', path: '/v1/owner/agents', auth: 'owner', summary: 'Agents of this node' },
  'owner.records': {
    method: 'GET',
    path: '/v1/owner/records',
    auth: 'owner',
    media: 'application/x-ndjson',
    secretOnly: true,
    summary: "The node's records as of one moment, a line each: what a backup is made of"
  },
  'owner.events': {
    method: 'GET',
    path: '/v1/owner/events',
    auth: 'owner',
    media: 'text/event-stream',
    summary: 'Which rooms of the node changed, as they do'
  },
  'owner.agents.add': {
    method: 'POST',
    path: '/v1/owner/agents',
    auth: 'owner',
    summary: 'Add an agent: a key, a token and a socket of its own'
  },
  'owner.agents.revoke': {
    method: 'POST',
    path: '/v1/owner/agents/:agent/revoke',
    auth: 'owner',
    summary: 'End an agent for good: its token and socket stop at once'
  },
  'owner.agents.rotateToken': {
    method: 'POST',
    path: '/v1/owner/agents/:agent/rotate-token',
    auth: 'owner',
    summary: 'Give an agent a new token; the old one opens nothing'
  },
  'owner.contacts.list': { method: 'GET', path: '/v1/owner/contacts', auth: 'owner', summary: 'All contacts' },
  'owner.contacts.add': {
    method: 'POST',
    path: '/v1/owner/contacts',
    auth: 'owner',
    summary: 'Ask the agent of a link to become a contact'
  },
  'owner.contacts.rename': {
    method: 'PATCH',
    path: '/v1/owner/contacts/:contact',
    auth: 'owner',
    summary: 'Give a contact your own name for it'
  },
  'owner.contacts.accept': {
    method: 'POST',
    path: '/v1/owner/contacts/:contact/accept',
    auth: 'owner',
    summary: 'Accept a contact request'
  },
  'owner.contacts.decline': {
    method: 'POST',
    path: '/v1/owner/contacts/:contact/decline',
    auth: 'owner',
    summary: 'Decline a contact request'
  },
  'owner.contacts.remove': {
    method: 'POST',
    path: '/v1/owner/contacts/:contact/remove',
    auth: 'owner',
    summary: 'End a contact and tell its node'
  },
  'owner.contacts.block': {
    method: 'POST',
    path: '/v1/owner/contacts/:contact/block',
    auth: 'owner',
    summary: 'Stop all exchange with a contact, silently'
  },
  'owner.contacts.unblock': {
    method: 'POST',
    path: '/v1/owner/contacts/:contact/unblock',
    auth: 'owner',
    summary: 'Lift a block'
  },
  'owner.contacts.unfreeze': {
    method: 'POST',
    path: '/v1/owner/contacts/:contact/unfreeze',
    auth: 'owner',
    summary: 'Go on with a contact that signed two messages under one number'
  },
  'owner.invites.create': {
    method: 'POST',
    path: '/v1/owner/invites',
    auth: 'owner',
    summary: 'Make a contact link'
  },
  'owner.grants.list': { method: 'GET', path: '/v1/owner/grants', auth: 'owner', summary: 'The rules you made' },
  'owner.grants.set': {
    method: 'PUT',
    path: '/v1/owner/grants',
    auth: 'owner',
    summary: 'Allow, ask or deny one capability'
  },
  'owner.grants.delete': {
    method: 'DELETE',
    path: '/v1/owner/grants',
    auth: 'owner',
    summary: 'Take one rule back'
  },
  'owner.presets.read': {
    method: 'GET',
    path: '/v1/owner/presets/:preset',
    auth: 'owner',
    summary: 'What a preset would change in the rules of an agent'
  },
  'owner.presets.apply': {
    method: 'POST',
    path: '/v1/owner/presets/:preset',
    auth: 'owner',
    summary: 'Put a preset in place as it was shown'
  },
  'owner.ledger.read': { method: 'GET', path: '/v1/owner/ledger', auth: 'owner', summary: 'The tools of an agent' },
  'owner.ledger.set': {
    method: 'PUT',
    path: '/v1/owner/ledger',
    auth: 'owner',
    summary: 'Say which tools an agent has'
  },
  'owner.types.list': { method: 'GET', path: '/v1/owner/types', auth: 'owner', summary: 'Task types of this node' },
  'owner.types.read': {
    method: 'GET',
    path: '/v1/owner/types/:type',
    auth: 'owner',
    summary: 'One task type: what each field needs'
  },
  'owner.types.inspect': {
    method: 'POST',
    path: '/v1/owner/types/inspect',
    auth: 'owner',
    summary: 'What a definition file asks for; stores nothing'
  },
  'owner.types.install': {
    method: 'POST',
    path: '/v1/owner/types',
    auth: 'owner',
    summary: 'Install a task type from the text of its file'
  },
  'owner.types.retire': {
    method: 'POST',
    path: '/v1/owner/types/:type/retire',
    auth: 'owner',
    summary: 'Start no new tasks of a type; running ones go on'
  },
  'owner.declines.list': {
    method: 'GET',
    path: '/v1/owner/declines',
    auth: 'owner',
    summary: 'Types that were said no to, by you or by a contact'
  },
  'owner.declines.lift': {
    method: 'DELETE',
    path: '/v1/owner/declines',
    auth: 'owner',
    summary: 'Forget a no: invites of the type may go and come again'
  },
  'owner.approvals.list': {
    method: 'GET',
    path: '/v1/owner/approvals',
    auth: 'owner',
    summary: 'Approvals, newest first'
  },
  'owner.approvals.read': {
    method: 'GET',
    path: '/v1/owner/approvals/:approvalId',
    auth: 'owner',
    summary: 'One approval: what would leave, to whom'
  },
  'owner.approvals.answer': {
    method: 'POST',
    path: '/v1/owner/approvals/:approvalId',
    auth: 'owner',
    summary: 'Approve or deny'
  },
  'owner.audit.list': {
    method: 'GET',
    path: '/v1/owner/audit',
    auth: 'owner',
    summary: 'What was done, by whom and under which rule, newest first'
  },
  'owner.loginLinks.create': {
    method: 'POST',
    path: '/v1/owner/login-links',
    auth: 'owner',
    secretOnly: true,
    summary: "A link that opens the owner's page once, within two minutes"
  },
  'owner.settings.list': {
    method: 'GET',
    path: '/v1/owner/settings',
    auth: 'owner',
    summary: 'Every setting: its value, where it is from, and how it is changed'
  },
  'owner.status.read': { method: 'GET', path: '/v1/owner/status', auth: 'owner', summary: 'How the node is' }
} as const satisfies Record<string, Route>
