import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../../src/base/digest.js'
import { toUtf8 } from '../../src/base/bytes.js'
import type { AgentId, TaskUid } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { badRequest, conflict, refusal } from '../../src/base/refusal.js'
import { type Result, fail, ok } from '../../src/base/result.js'
import type { AgentDoor, NodeStatus, Once, OwnerDoor, RefusedCall } from '../../src/flows/doors.js'
import type { Clock, Log } from '../../src/flows/ports.js'
import { type AuditDraft, EMPTY_AUDIT, readEntry, writeEntry } from '../../src/policy/audit.js'
import type { ApprovalView, OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import { parseContract } from '../../src/tasks/envelope/contract.js'
import type { ContactView, PresetView } from '../../src/flows/views/contacts.js'
import type { AuditPage, ChangedRoom } from '../../src/flows/views/pages.js'
import type { OwnerTaskView } from '../../src/flows/views/owner-work.js'
import type { WalletView } from '../../src/flows/views/wallet.js'
import type { ActionAnswer, TaskView, TranscriptView, WriteAnswer } from '../../src/flows/views/tasks.js'
import type { SettingsView } from '../../src/api/shapes/settings.js'
import type { AppComponents } from '../../src/api/app.js'
import type { CallLimits } from '../../src/api/call-limits.js'
import { type ApiServer, type ServerOptions, createServer } from '../../src/api/server.js'

/**
 * Doors with scripted answers, to test the API by itself. Tasks live in a map; what a real node decides (types, grants,
 * contacts) is decided by marker values in the call.
 */

export const ALICE = 'al1alice' as AgentId
const BOB = 'al1bob' as AgentId
export const TOKENS = { alice: 'alice-token', bob: 'bob-token', revoked: 'revoked-token', owner: 'owner-secret' }
export const UID = '00112233445566778899aabbccddeeff'
/** A received task that is there. */
export const TASK_ID = 'parser'
export const PROPOSAL_ID = 'ab'.repeat(32)
const AT = '2026-11-01T10:00:00.000Z'

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
function ownerTask(task: TaskView): OwnerTaskView {
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
function agentApproval(): ApprovalView {
  const { agent: _a, participantHandle: _h, scopes: _s, action: _c, type: _t, proposal: _p, ...view } = approvalView()
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

/** What the doors were called with, newest last. */
interface Calls {
  readonly names: string[]
  readonly inputs: unknown[]
}

export interface DoubleDoors {
  readonly agent: AgentDoor
  readonly owner: OwnerDoor
  readonly calls: Calls
  /** Wakes every waiting inbox read. */
  arrive(): void
  /** Tells every stream of changes. */
  change(...rooms: ChangedRoom[]): void
  /** Streams of changes that are open. */
  watching(): number
  /** Inbox reads that wait now. */
  waiting(): number
}

export function createDoubleDoors(): DoubleDoors {
  const calls: Calls = { names: [], inputs: [] }
  const tasks = new Map<string, TaskView>()
  const stored = new Map<string, { bodyHash: string; answer: unknown }>()
  const waiters = new Set<() => void>()
  const note = (name: string, input: unknown): void => {
    calls.names.push(name)
    calls.inputs.push(input)
  }

  function write<A>(
    name: string,
    input: { readonly proposal?: JsonObject; readonly action?: string },
    once: Once | undefined,
    make: () => A
  ) {
    note(name, input)
    if (input.proposal?.homeAddress !== undefined) {
      return fail(badRequest('undeclared_field', 'the type does not declare this field', 'proposal.homeAddress'))
    }
    if (input.proposal?.dietaryNotes !== undefined && name === 'createTask') {
      const more = { denied: ['disclose.dietary'], fields: ['dietaryNotes'] }
      return fail(refusal('policy_denied', 'your owner denies this: leave the fields out', more))
    }
    const before = once === undefined ? undefined : stored.get(once.key)
    if (before !== undefined && before.bodyHash !== once?.bodyHash) {
      return fail(conflict('idempotency_conflict', 'this key was used with another body'))
    }
    if (before !== undefined) return ok({ answer: before.answer as A, replayed: true })
    const answer = make()
    if (once !== undefined) stored.set(once.key, { bodyHash: once.bodyHash, answer })
    return ok({ answer, replayed: false })
  }

  function change(name: string, uid: string, input: { proposal?: JsonObject }, once: Once | undefined) {
    const task = tasks.get(uid)
    if (task === undefined) return fail(refusal('not_found', 'there is no such task'))
    return write<WriteAnswer>(name, input, once, () => ({ status: 'sent', task }))
  }

  function transcriptOf(uid: string): Result<TranscriptView> {
    if (!tasks.has(uid)) return fail(refusal('not_found', 'there is no such task'))
    const side = { agent: ALICE, messages: ['AA'] }
    const rest = { exportedBy: 'inviter', exportedAt: AT, receipts: [], covers: [], seal: 'AA' } as const
    return ok({ format: 'agentlink-transcript', v: 1, task: uid, inviter: side, invitee: side, ...rest })
  }

  const agent: AgentDoor = {
    taskTypes: async () => ({
      items: [
        { name: 'dinner.coordination', version: 1, hash: 'cd'.repeat(32), builtin: true, definition: {}, actions: [] }
      ]
    }),
    createTask: async (_agent, command, once) =>
      write<WriteAnswer>('createTask', command, once, () => {
        if (command.participant === '@ask') return { status: 'pending_approval', approvalId: UID, taskUid: UID }
        const task = taskView(command.proposal, command.title)
        tasks.set(UID, task)
        return { status: 'sent', task, created: true }
      }),
    pay: async (_agent, uid, once) => change('pay', uid, {}, once),
    deliverJob: async (_agent, uid, delivery, once) => change('deliverJob', uid, delivery, once),
    completeJob: async (_agent, uid, once) => change('completeJob', uid, {}, once),
    runAction: async (_agent, command, once) =>
      write<ActionAnswer>('runAction', command, once, () =>
        command.approvalId === undefined
          ? { status: 'pending_approval', approvalId: UID, taskUid: UID }
          : { status: 'recorded', simulated: true, recordId: UID }
      ),
    listTasks: async (_agent, options) => {
      note('listTasks', options)
      return ok(options.after === undefined ? { items: [...tasks.values()], next: UID } : { items: [] })
    },
    getTask: async (_agent, uid) => {
      const task = tasks.get(uid)
      return task === undefined ? fail(refusal('not_found', 'there is no such task')) : ok(task)
    },
    transcript: async (_agent, uid) => transcriptOf(uid),
    propose: async (_agent, uid, command, once) => change('propose', uid, command, once),
    respond: async (_agent, uid, command, once) => {
      if (command.proposalId !== PROPOSAL_ID) return fail(conflict('version_conflict', 'read the task again'))
      return change('respond', uid, {}, once)
    },
    cancel: async (_agent, uid, _command, once) => change('cancel', uid, {}, once),
    envelope: async (_agent, command) => {
      note('envelope', command)
      if (command.do === 'submit') {
        const read = parseContract(command.envelope, command.taskId ?? 'new')
        if (!read.ok) return read
      }
      if (command.do === 'claim' && command.taskId === TASK_ID) {
        return ok({ replayed: false, answer: { status: 'sent', envelope: { ...envelopeView(), state: 'working' } } })
      }
      return fail(refusal('not_found', 'there is no such task'))
    },
    listEnvelopes: async () => ok({ items: [] }),
    getEnvelope: async (_agent, taskId) =>
      taskId === TASK_ID
        ? ok(envelopeView())
        : fail(refusal('not_found', 'There is no such task. GET /v1/agent/envelopes lists them.')),
    envelopeTranscript: async (_agent, taskId) => transcriptOf(taskId),
    ownedEnvelopes: async () => ({ items: [] }),
    stageArtifacts: async () => fail(refusal('not_found', 'there is no such task')),
    stageEvidence: async () => fail(refusal('not_found', 'there is no such task')),
    inbox: async (_agent, options, signal) => {
      note('inbox', options)
      if (options.waitSeconds > 0) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiters.delete(wake)
            resolve()
          }
          waiters.add(wake)
          signal?.addEventListener('abort', wake)
          if (signal?.aborted === true) wake()
        })
      }
      return ok({ items: [], next: options.after ?? 0 })
    },
    ackInbox: async (_agent, upTo) => ok({ ackedUpTo: upTo }),
    counters: async () => ({
      unread: 1,
      tasksWaitingForMe: 2,
      envelopesQueued: 0,
      approvalsPending: 0,
      undelivered: 0
    }),
    contacts: async () => ({ items: [contactView()] }),
    offers: async () => ({ items: [OFFER] }),
    contactOffers: async (_agent, contact) => {
      note('contactOffers', contact)
      return ok({ contact: BOB, items: [OFFER], receivedAt: AT })
    },
    capabilities: async (_agent, participant) => {
      note('capabilities', participant)
      return ok({ items: [{ capability: 'disclose.budget', effect: 'ask', because: 'default' }] })
    },
    approvals: async () => ({ items: [agentApproval()] }),
    approval: async () => ok(agentApproval())
  }

  const contact = async (name: string, input: unknown) => {
    note(name, input)
    return ok(contactView())
  }
  const AGENT = { agent: ALICE, name: 'default', handle: '@alice' }
  const grant = { contact: '*', capability: 'disclose.budget', effect: 'allow' as const }
  const watchers = new Set<(rooms: readonly ChangedRoom[]) => void>()
  const owner: OwnerDoor = {
    watch: (told) => (watchers.add(told), () => void watchers.delete(told)),
    payments: async () => ok({ items: [] }),
    wallet: async () => WALLET,
    agents: async () => ({ items: [AGENT] }),
    addAgent: async (options) => {
      note('addAgent', options)
      return ok({ agent: { ...AGENT, ...options }, created: options.name !== AGENT.name })
    },
    revokeAgent: async (ref) => {
      note('revokeAgent', ref)
      return ok(AGENT)
    },
    rotateToken: async (ref) => {
      note('rotateToken', ref)
      return ok(AGENT)
    },
    contacts: async (options) => {
      note('contacts', options)
      return ok({ items: [contactView()] })
    },
    health: async () => ({
      reach: 'lan_only',
      addrs: ['/ip4/192.168.1.2/tcp/4650'],
      contacts: { active: 1, connected: 0 },
      undelivered: 1,
      startedAt: AT
    }),
    undelivered: async () => ({
      items: [
        {
          agent: ALICE,
          contact: BOB,
          participantHandle: '@bob',
          status: 'active',
          pending: 1,
          since: AT,
          reason: 'unreachable',
          taskUids: [UID]
        }
      ]
    }),
    tasks: async (options) => {
      note('ownerTasks', options)
      return ok({ items: [...tasks.values()].map(ownerTask) })
    },
    task: async ({ taskUid }) => {
      const found = tasks.get(taskUid)
      return found === undefined ? fail(refusal('not_found', 'there is no such task')) : ok(ownerTask(found))
    },
    cancelTask: async (options) => {
      note('ownerCancel', options)
      const found = tasks.get(options.taskUid)
      return found === undefined ? fail(refusal('not_found', 'there is no such task')) : ok(ownerTask(found))
    },
    envelopes: async (options) => {
      note('ownerEnvelopes', options)
      return ok({ items: [] })
    },
    envelope: async () => fail(refusal('not_found', 'there is no such task')),
    cancelEnvelope: async (options) => {
      note('ownerCancelEnvelope', options)
      return fail(refusal('not_found', 'there is no such task'))
    },
    owned: async () => ok({ items: [] }),
    capabilities: async (options) => {
      note('ownerCapabilities', options)
      return ok({ items: [{ capability: 'disclose.budget', effect: 'ask', because: 'default' }] })
    },
    calendar: async ({ taskUid }) =>
      tasks.has(taskUid)
        ? ok({ calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' })
        : fail(refusal('not_found', 'there is no such task')),
    transcript: async ({ taskUid }) => transcriptOf(taskUid),
    invite: async (options) => {
      note('invite', options)
      return ok({ link: 'agentlink:al1alice?card=AA' })
    },
    addContact: async (options) => contact('addContact', options),
    changeContact: async (options) => contact('changeContact', options),
    renameContact: async (options) => contact('renameContact', options),
    offers: async () => ok({ items: [OFFER] }),
    createOffer: async ({ offer, ...rest }) => {
      note('createOffer', { ...rest, offer })
      return ok({ ...OFFER, ...offer })
    },
    changeOffer: async ({ offer, ...rest }) => {
      note('changeOffer', { ...rest, offer })
      return ok({ ...OFFER, ...offer })
    },
    withdrawOffer: async (options) => {
      note('withdrawOffer', options)
      return ok(OFFER)
    },
    contactOffers: async (options) => {
      note('contactOffers', options)
      return ok({ contact: BOB, items: [OFFER], receivedAt: AT })
    },
    grants: async () => ok({ items: [grant] }),
    setGrant: async (options) => {
      note('setGrant', options)
      return ok(grant)
    },
    deleteGrant: async (options) => {
      note('deleteGrant', options)
      return ok(grant)
    },
    preset: async (options) => {
      note('preset', options)
      return presetNamed(options.preset)
    },
    applyPreset: async (options) => {
      note('applyPreset', options)
      if (options.digest === PRESET.digest) return presetNamed(options.preset)
      return fail(conflict('preset_stale', 'look at the preset again', { field: 'digest' }))
    },
    ledger: async () => ok({ agent: ALICE, tools: [] }),
    setLedger: async ({ tools }) => ok({ agent: ALICE, tools }),
    types: async () => ({ items: [TYPE] }),
    type: async () => ok({ type: TYPE, inspection: INSPECTION }),
    inspectType: async (options) => {
      note('inspectType', options)
      return ok(INSPECTION)
    },
    installType: async (options) => {
      note('installType', options)
      return ok(TYPE)
    },
    retireType: async (ref) => {
      note('retireType', ref)
      return ok({ ...TYPE, state: 'retired' as const })
    },
    audit: async (options) => {
      note('audit', options)
      return ok(options.what === 'task' ? { items: [], head: auditLog().head } : auditLog())
    },
    declines: async () => ok({ items: [DECLINE] }),
    liftDecline: async (options) => {
      note('liftDecline', options)
      return ok({ items: [DECLINE] })
    },
    approvals: async (options) => {
      note('approvals', options)
      return ok({ items: [approvalView()] })
    },
    approval: async () => ok(approvalView()),
    answerApproval: async (_id, answer) => {
      note('answerApproval', answer)
      return ok({ ...approvalView(), status: answer.decision === 'approve' ? 'used' : 'denied' })
    }
  }

  return {
    agent,
    owner,
    calls,
    arrive: () => [...waiters].forEach((wake) => wake()),
    change: (...rooms) => [...watchers].forEach((told) => told(rooms)),
    watching: () => watchers.size,
    waiting: () => waiters.size
  }
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

function presetNamed(name: string): Result<PresetView> {
  return name === PRESET.preset
    ? ok(PRESET)
    : fail(refusal('not_found', 'there is no such preset', { field: 'preset' }))
}

const OFFER = {
  offerId: '3'.repeat(32),
  title: 'A logo',
  description: 'Drawn by hand',
  deliverable: 'One SVG file',
  price: '0.25',
  turnaroundHours: 72
}
const WALLET: WalletView = {
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
const TYPE = {
  ...NAMED,
  builtin: false,
  state: 'active' as const,
  title: 'Quote',
  installedAt: '2026-11-01T12:00:00.000Z'
}
const DECLINE = {
  agent: ALICE,
  participant: BOB,
  type: NAMED,
  by: 'peer' as const,
  code: 'type_not_installed',
  at: '2026-11-01T12:00:00.000Z'
}
const FIELD = { path: 'item', kind: 'text', bounds: '0 to 9 characters', required: true, label: 'Item' }
const INSPECTION = {
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

/** Time that stands until it is moved. */
export interface HandClock extends Clock {
  pass(ms: number): void
  /** Wakes that are due some time. */
  pending(): number
}

export function createHandClock(): HandClock {
  let now = 1_800_000_000_000
  const wakes = new Map<() => void, number>()
  return {
    now: () => now,
    wake(ms, fn) {
      wakes.set(fn, now + ms)
      return () => void wakes.delete(fn)
    },
    defer: (fn) => void setImmediate(fn),
    pending: () => wakes.size,
    pass(ms) {
      now += ms
      for (const [fn, at] of [...wakes]) {
        if (at <= now && wakes.delete(fn)) fn()
      }
    }
  }
}

interface LogLine {
  readonly event: string
  readonly fields: unknown
}

export interface TestApi {
  readonly server: ApiServer
  readonly doors: DoubleDoors
  readonly clock: HandClock
  readonly log: LogLine[]
  /** Calls whose token did not open their route, as they were told of. */
  readonly refused: RefusedCall[]
  readonly home: string
  readonly socket: string
  readonly aliceSocket: string
  readonly url: string
  stop(): Promise<void>
}

/** A node that holds nothing. */
export async function* noRecords(): AsyncGenerator<never> {}

export const WIDE: CallLimits = { callsPerSecond: 100_000, callsAtOnce: 100_000, waits: 20 }

/** A server over double doors in a fresh home. */
export async function startTestApi(
  change: Partial<AppComponents> = {},
  limits: CallLimits = WIDE,
  tcp: 'tcp' | 'no tcp' = 'tcp'
): Promise<TestApi> {
  const home = mkdtempSync(join(tmpdir(), 'al-api-'))
  const doors = createDoubleDoors()
  const clock = createHandClock()
  const lines: LogLine[] = []
  const log: Log = {
    info: (event, fields) => lines.push({ event, fields }),
    warn: (event, fields) => lines.push({ event, fields })
  }
  const hash = (secret: string): string => sha256Hex(toUtf8(secret))
  const agents = new Map([
    [hash(TOKENS.alice), ALICE],
    [hash(TOKENS.bob), BOB]
  ])
  const refused: RefusedCall[] = []
  const components: AppComponents = {
    agent: doors.agent,
    owner: doors.owner,
    status: nodeStatus,
    settings: nodeSettings,
    agentOfToken: (tokenHash) => agents.get(tokenHash),
    isOwner: (secretHash) => secretHash === hash(TOKENS.owner),
    clock,
    log,
    records: noRecords,
    callRefused: (call) => Promise.resolve(void refused.push(call)),
    ...change
  }
  const options: ServerOptions = {
    socket: join(home, 'api.sock'),
    agents: [{ agent: ALICE, socket: join(home, 'agents', 'alice', 'agent.sock') }],
    ...(tcp === 'tcp' ? { tcp: { host: '127.0.0.1', port: 0 } } : {}),
    limits
  }
  const server = createServer(components, options)
  const started = await server.start()
  if (!started.ok) throw new Error(started.refusal.message)
  return {
    server,
    doors,
    clock,
    log: lines,
    refused,
    home,
    socket: options.socket,
    aliceSocket: join(home, 'agents', 'alice', 'agent.sock'),
    url: started.value.url ?? '',
    async stop() {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
