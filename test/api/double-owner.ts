import { conflict, refusal } from '../../src/base/refusal.js'
import { type Result, fail, ok } from '../../src/base/result.js'
import type { OwnerDoor } from '../../src/flows/doors.js'
import type { PresetView } from '../../src/flows/views/contacts.js'
import type { ChangedRoom } from '../../src/flows/views/pages.js'
import type { TaskView, TranscriptView } from '../../src/flows/views/tasks.js'
import {
  ALICE,
  AT,
  BOB,
  DECLINE,
  INSPECTION,
  OFFER,
  PRESET,
  TYPE,
  UID,
  WALLET,
  approvalView,
  auditLog,
  contactView,
  ownerTask
} from './views.js'

/** What the owner's door needs of the double: the tasks that the agent made, and who hears what it was called with. */
interface OwnerDoubleParts {
  readonly note: (name: string, input: unknown) => void
  readonly tasks: ReadonlyMap<string, TaskView>
  readonly transcriptOf: (uid: string) => Result<TranscriptView>
  readonly watchers: Set<(rooms: readonly ChangedRoom[]) => void>
}

/** The owner's door with scripted answers: half of `double.ts`. */
export function createOwnerDouble({ note, tasks, transcriptOf, watchers }: OwnerDoubleParts): OwnerDoor {
  const contact = async (name: string, input: unknown) => {
    note(name, input)
    return ok(contactView())
  }
  const AGENT = { agent: ALICE, name: 'default', handle: '@alice' }
  const grant = { contact: '*', capability: 'disclose.budget', effect: 'allow' as const }
  return {
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
}

function presetNamed(name: string): Result<PresetView> {
  return name === PRESET.preset
    ? ok(PRESET)
    : fail(refusal('not_found', 'there is no such preset', { field: 'preset' }))
}
