/** What a node would show of itself, its contacts and its work: the views that the doubles answer and that tests expect. */
import type { SettingsView } from '../../src/api/shapes/settings.js'
import type { AgentId, TaskUid } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { NodeStatus } from '../../src/flows/doors.js'
import type { ApprovalView, OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { ContactView, PresetView } from '../../src/flows/views/contacts.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { OwnerTaskView } from '../../src/flows/views/owner-work.js'
import type { AuditPage } from '../../src/flows/views/pages.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { WalletView } from '../../src/flows/views/wallet.js'
import { type AuditDraft, EMPTY_AUDIT, readEntry, writeEntry } from '../../src/policy/audit.js'

export const ALICE = 'al1alice' as AgentId
export const BOB = 'al1bob' as AgentId
export const TOKENS = { alice: 'alice-token', bob: 'bob-token', revoked: 'revoked-token', owner: 'owner-secret' }
export const UID = '00112233445566778899aabbccddeeff'
/** A received task that is there. */
export const TASK_ID = 'parser'
export const PROPOSAL_ID = 'ab'.repeat(32)
export const AT = '2026-11-01T10:00:00.000Z'

export const DINNER: JsonObject = {
  date: '2026-11-14',
  time: '19:00',
  timezone: 'America/Toronto',
  cuisine: 'Italian',
  partySize: 2
}

export function taskView(proposal: JsonObject = DINNER, title?: string): TaskView {
  return {
    taskUid: UID,
    type: { name: 'dinner.coordination', version: 1, hash: 'cd'.repeat(32) },
    participant: BOB,
    role: 'inviter',
    ...(title === undefined ? {} : { title }),
    status: 'open',
    createdAt: AT,
    expiresAt: '2026-11-03T10:00:00.000Z',
    proposals: [{ proposalId: PROPOSAL_ID, version: 1, by: 'self', status: 'pending', proposal, at: AT }],
    delivery: { state: 'queued', pending: 1 }
  }
}

/** The same as the owner of alice is shown it. */
export function ownerTask(task: TaskView): OwnerTaskView {
  return { ...task, agent: ALICE, participantHandle: '@bob', typeTitle: 'Dinner' }
}

export function contactView(): ContactView {
  return {
    agent: BOB,
    handle: '@bob',
    status: 'active',
    since: AT,
    peerId: '12D3KooWBob',
    addrs: ['/ip4/10.0.0.7/tcp/4001'],
    undelivered: 0
  }
}

/** A delegated task that waits for one other; its tools are cut down. */
export function envelopeView(more: Partial<EnvelopeView> = {}): EnvelopeView {
  return {
    taskId: TASK_ID,
    taskUid: UID,
    participant: BOB,
    role: 'recipient',
    state: 'submitted',
    claimable: false,
    createdAt: AT,
    expiresAt: '2026-11-03T10:00:00.000Z',
    contract: { objective: 'Mend the parser' },
    toolsGranted: ['git'],
    dependencies: [{ taskId: 'lexer' }, { taskId: 'names', outcome: 'completed' }],
    questions: [],
    verdicts: [],
    proof: 'none',
    delivery: { state: 'delivered', pending: 0 },
    ...more
  }
}

export function approvalView(): Extract<OwnerApprovalView, { readonly kind: 'disclosure' }> {
  return {
    approvalId: UID,
    title: 'Dinner with Bob',
    kind: 'disclosure',
    status: 'pending',
    participant: BOB,
    taskUid: UID,
    createdAt: AT,
    expiresAt: AT,
    capabilities: ['disclose.availability'],
    agent: ALICE,
    scopes: ['once', 'contact', 'always'],
    participantHandle: '@bob',
    action: 'create',
    type: { name: 'dinner.coordination', version: 1, hash: 'cd'.repeat(32) },
    proposal: DINNER
  }
}

/** The same as its agent sees it. */
export function agentApproval(): ApprovalView {
  const {
    agent: _a,
    participantHandle: _h,
    title: _n,
    scopes: _s,
    action: _c,
    type: _t,
    proposal: _p,
    ...view
  } = approvalView()
  return view
}

/** Three entries, newest first, whose chain holds. */
export function auditLog(): AuditPage {
  const drafts: AuditDraft[] = [
    {
      at: 0,
      who: { kind: 'owner' },
      what: 'grant.set',
      about: { agent: ALICE, contact: '*', capability: 'disclose.*', effect: 'allow' }
    },
    {
      at: 1000,
      who: { kind: 'agent', id: ALICE },
      what: 'task.created',
      about: { agent: ALICE, contact: BOB, taskUid: UID as TaskUid }
    },
    {
      at: 1000,
      who: { kind: 'agent', id: ALICE },
      what: 'disclosure.sent',
      about: { agent: ALICE, contact: BOB, taskUid: UID as TaskUid, capabilities: ['disclose.budget'] },
      under: { grants: [{ contact: '*', capability: 'disclose.*', effect: 'allow' }] }
    }
  ]
  let head = EMPTY_AUDIT
  const items = drafts.flatMap((draft) => {
    const next = writeEntry(head, draft)
    head = next.head
    return readEntry(next.bytes) ?? []
  })
  return { items: items.reverse(), head }
}

/** What the doors answer for a preset. */
export const PRESET: PresetView = {
  preset: 'private',
  agent: ALICE,
  digest: 'de'.repeat(32),
  capabilities: [
    { capability: 'disclose.availability', now: 'ask', becomes: 'ask' },
    { capability: 'disclose.budget', now: 'allow', becomes: 'deny' }
  ],
  sets: [{ contact: '*', capability: 'disclose.*', effect: 'deny' }],
  removes: [{ contact: '*', capability: 'disclose.x.parking', effect: 'allow' }],
  keeps: [{ contact: BOB, capability: 'disclose.notes', effect: 'ask' }]
}

export const OFFER = {
  offerId: '3'.repeat(32),
  title: 'A logo',
  description: 'Drawn by hand',
  deliverable: 'One SVG file',
  price: '0.25',
  turnaroundHours: 72
}
export const WALLET: WalletView = {
  cluster: 'solana:localnet',
  address: 'A'.repeat(44),
  balance: { lamports: '1500000000' },
  limits: {
    perJob: '1000000000',
    perDay: '2000000000',
    left: '1750000000',
    counted: '250000000',
    items: [
      {
        taskUid: UID,
        agent: ALICE,
        participantHandle: '@bob',
        attempt: 1,
        lamports: '250000000',
        state: 'reserved',
        at: AT,
        until: '2026-11-02T10:00:00.000Z'
      }
    ]
  }
}
const NAMED = { name: 'quote.request', version: 1, hash: 'ef'.repeat(32) }
export const TYPE = {
  ...NAMED,
  builtin: false,
  state: 'active' as const,
  title: 'Quote',
  customCapabilities: [],
  installedAt: '2026-11-01T12:00:00.000Z'
}
export const DECLINE = {
  agent: ALICE,
  participant: BOB,
  type: NAMED,
  by: 'peer' as const,
  code: 'type_not_installed',
  at: '2026-11-01T12:00:00.000Z'
}
const FIELD = { path: 'item', kind: 'text', bounds: '0 to 9 characters', required: true, label: 'Item' }
export const INSPECTION = {
  ...NAMED,
  state: 'active' as const,
  sameName: [],
  title: 'Quote',
  fields: [FIELD],
  actions: [],
  uncoveredText: ['item'],
  customCapabilities: [],
  bytes: 200,
  worstProposalBytes: 50,
  definition: {}
}

export function nodeStatus(): NodeStatus {
  return {
    peerId: '12D3KooWAlice',
    addrs: ['/ip4/127.0.0.1/tcp/4001'],
    agents: [{ agent: ALICE, name: 'default', handle: '@alice' }],
    contacts: { active: 1, connected: 0, pending: 0 },
    undelivered: 0,
    approvalsPending: 0
  }
}

export function nodeSettings(): SettingsView {
  const where = { file: 'config.toml', key: 'log.level', variable: 'AGENTLINK_LOG_LEVEL', restart: true }
  const level = { name: 'log.level', value: 'warn', default: 'info', from: 'file' as const, says: 'What is written.' }
  return { items: [{ ...level, ...where }], node: { version: '1.2.3', home: '/home/alice/.agentlink' } }
}
