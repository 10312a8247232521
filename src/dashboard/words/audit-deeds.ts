import type { AnswerOf } from '../../api/contract.js'

/** What each code of the audit log says, as a sentence needs it. Source: protocols/audit.md, "Codes". */

export type AuditCode = AnswerOf<'owner.audit.list'>['items'][number]['what']
type FamilyOf<Code extends string> = Code extends `${infer Family}.${string}` ? Family : never

/** Ends of a sentence that begins with who did it. */
export interface Deed {
  /** Done by the owner, an agent of ours or the node. */
  readonly ours: string
  /** Leads from there to the name of the contact. */
  readonly contact?: string
  /** Leads from there to the name of our agent, where that is what it was done to. */
  readonly agent?: string
  /** Done by the other side, towards us. */
  readonly theirs?: string
}

export const DEEDS: Readonly<Record<AuditCode, Deed>> = {
  'grant.set': { ours: 'made or changed a rule', contact: ' for ' },
  'grant.deleted': { ours: 'took back a rule', contact: ' for ' },
  'preset.applied': { ours: 'put a set of rules in place' },
  'approval.asked': {
    ours: 'asked you a question',
    contact: ' about ',
    theirs: 'sent something that your node asks you about'
  },
  'approval.answered': { ours: 'answered a question', contact: ' about ' },
  'approval.expired': { ours: 'closed a question that you had not answered in time', contact: ', about ' },
  'approval.stale': { ours: 'closed a question because things had changed', contact: ', about ' },
  'approval.used': { ours: 'did what a yes of yours allowed', contact: ' with ' },
  'disclosure.sent': { ours: 'sent something that needs your permission', contact: ', to ' },
  'disclosure.denied': { ours: 'was not allowed to send something', contact: ' to ' },
  'action.recorded': { ours: 'recorded an action', contact: ' agreed with ' },
  'action.denied': { ours: 'was not allowed to record an action', contact: ' agreed with ' },
  'task.created': { ours: 'began a task', contact: ' with ' },
  'task.received': { ours: 'took in a task', contact: ' of ', theirs: 'began a task with your agent' },
  'task.proposed': { ours: 'sent a plan', contact: ' to ', theirs: 'sent a plan to your agent' },
  'task.accepted': { ours: 'accepted a plan', contact: ' of ', theirs: 'accepted a plan of your agent' },
  'task.rejected': { ours: 'rejected a plan', contact: ' of ', theirs: 'rejected a plan of your agent' },
  'task.confirmed': {
    ours: 'told that an action was recorded',
    contact: ', to ',
    theirs: 'told your agent that an action was recorded'
  },
  'task.cancelled': { ours: 'cancelled a task', contact: ' with ', theirs: 'cancelled a task with your agent' },
  'task.refused': { ours: 'refused a message', contact: ' of ', theirs: 'refused a message of your agent' },
  'task.expired': { ours: 'ended a task whose time was over', contact: ', with ' },
  'contact.invited': { ours: 'made a contact link' },
  'contact.requested': {
    ours: 'asked to become a contact',
    contact: ' of ',
    theirs: 'asked to become a contact of your agent'
  },
  'contact.accepted': { ours: 'accepted a contact request', contact: ' of ', theirs: 'accepted your contact request' },
  'contact.declined': { ours: 'declined a contact request', contact: ' of ', theirs: 'declined your contact request' },
  'contact.removed': { ours: 'ended the contact', contact: ' with ', theirs: 'ended the contact with your agent' },
  'contact.blocked': { ours: 'blocked a contact', contact: ': ' },
  'contact.unblocked': { ours: 'lifted the block on a contact', contact: ': ' },
  'contact.frozen': {
    ours: 'stopped everything with a contact that signed two different messages under one number',
    contact: ': '
  },
  'contact.unfrozen': { ours: 'let messages go on again', contact: ' with ' },
  'contact.renamed': { ours: 'gave another name', contact: ' to ' },
  'contact.moved': { ours: 'noticed a move to another node', contact: ' by ', theirs: 'moved to another node' },
  'type.installed': { ours: 'installed a task type' },
  'type.retired': { ours: 'retired a task type' },
  'type.declined': { ours: 'declined a task type', contact: ' of ' },
  'node.restored': { ours: 'was restored from a backup' },
  'messages.mended': { ours: 'fetched messages again that were damaged on the disk', contact: ', from ' },
  'agent.added': { ours: 'added an agent', agent: ': ' },
  'agent.revoked': { ours: 'ended an agent', agent: ': ' },
  'token.rotated': { ours: 'made a new token', agent: ' for the agent ' },
  'ledger.changed': { ours: 'changed the tools', agent: ' of the agent ' },
  'envelope.submitted': { ours: 'delegated work', contact: ' to ' },
  'envelope.received': { ours: 'took in delegated work', contact: ' of ', theirs: 'delegated work to your agent' },
  'envelope.claimed': { ours: 'took on delegated work', contact: ' of ', theirs: 'took on work of your agent' },
  'envelope.status': {
    ours: 'said how delegated work stands',
    contact: ', to ',
    theirs: 'said how work of your agent stands'
  },
  'envelope.answered': {
    ours: 'answered a question about delegated work',
    contact: ', to ',
    theirs: 'answered a question of your agent about delegated work'
  },
  'envelope.resolved': {
    ours: 'told the outcome of work that other work waited for',
    contact: ', to ',
    theirs: 'told the outcome of work that other work waited for'
  },
  'envelope.completed': { ours: 'completed delegated work', contact: ' of ', theirs: 'completed work of your agent' },
  'envelope.failed': {
    ours: 'gave up delegated work',
    contact: ' of ',
    theirs: 'gave up work of your agent'
  },
  'envelope.rejected': { ours: 'rejected delegated work', contact: ' of ', theirs: 'rejected work of your agent' },
  'envelope.cancelled': {
    ours: 'cancelled delegated work',
    contact: ' with ',
    theirs: 'cancelled work that it had delegated to your agent'
  },
  'envelope.verdict': {
    ours: 'gave a second opinion on delegated work',
    contact: ', to ',
    theirs: 'gave a second opinion on delegated work'
  },
  'job.offered': { ours: 'changed what you offer for payment' },
  'job.paying': { ours: 'promised a payment', contact: ' to ', theirs: 'promised a payment to your agent' },
  'job.paid': { ours: 'proved a payment', contact: ' to ', theirs: 'proved a payment to your agent' },
  'job.unpaid': {
    ours: 'showed that a promised payment was not made',
    contact: ', to ',
    theirs: 'showed that a payment promised to your agent was not made'
  },
  'job.delivered': { ours: 'delivered a job', contact: ' to ', theirs: 'delivered a job to your agent' },
  'job.completed': { ours: 'completed a job', contact: ' with ', theirs: 'completed a job with your agent' },
  'payment.denied': { ours: 'did not get through with a payment', contact: ' to ' },
  'call.refused': { ours: 'made a call that was refused for its token' },
  'denials.counted': { ours: 'refused the same again', contact: ', towards ' }
}

/** What the codes of a family are about. */
export const FAMILIES: Readonly<Record<FamilyOf<AuditCode>, string>> = {
  grant: 'Rules',
  preset: 'Sets of rules',
  approval: 'Questions to you',
  disclosure: 'Sent under your rules',
  action: 'Actions',
  task: 'Tasks',
  contact: 'Contacts',
  type: 'Task types',
  node: 'Restored backups',
  messages: 'Damaged messages',
  agent: 'Agents',
  token: 'Tokens',
  ledger: 'Tools for delegated work',
  envelope: 'Delegated work',
  job: 'Paid jobs',
  payment: 'Refused payments',
  call: 'Refused calls',
  denials: 'Counts of what was refused'
}
