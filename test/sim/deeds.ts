/**
 * Actions on agreed plans as simulated agents run them, and what is remembered of them apart from the code under test:
 * which the owner opened, what was recorded, and a canary in params that must never leave.
 */
import type { JsonObject } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import type { ActionCommand, Answered } from '../../src/flows/doors.js'
import type { ActionRecord } from '../../src/flows/records/tasks.js'
import type { ActionAnswer, TaskView } from '../../src/flows/views/tasks.js'
import { type Actor, type Cast, call } from './cast.js'
import type { SimNode } from './node.js'

const ACTIONS = ['reservation.book', 'calendar.hold'] as const
export const ACTION_CAPABILITIES: readonly string[] = ACTIONS.map((name) => `action.${name}`)

/** An action and its params on a task. */
interface Deed {
  readonly taskUid: string
  readonly action: string
  readonly params: JsonObject
}

/** What one agent did and was told. */
export interface Deeds {
  /** Deed as text -> the approvals that were asked for it. */
  readonly asked: Map<string, { readonly deed: Deed; readonly ids: readonly string[] }>
  /** Approvals that the owner said yes to, as far as the owner tried. */
  readonly yeses: Set<string>
  /** Action and params on a task -> its record. */
  readonly records: Map<string, string>
  /** Calls without an answer, by action and params: a crash may have cut the answer off. */
  readonly open: Map<string, number>
}

export function createDeeds(): Deeds {
  return { asked: new Map(), yeses: new Set(), records: new Map(), open: new Map() }
}

/** One action on a task, with or without an approval, sometimes with one that was given for something else. */
export function act(cast: Cast, actor: Actor, view: TaskView): void {
  if (actor.unsure) return
  const { prng, deeds } = actor
  const before = [...deeds.asked.values()]
  const open = before.flatMap(({ deed, ids }) => ids.filter((id) => deeds.yeses.has(id)).map((id) => ({ deed, id })))
  // A yes is tried on other params than it was given for.
  if (open.length > 0 && prng.chance(0.3)) {
    const { deed, id } = prng.pick(open)
    const swapped = { ...deed, params: { ...deed.params, venueArea: cast.plans.canary().marker } }
    return run(cast, actor, calledOf(actor, view, swapped), { ...swapped, approvalId: id })
  }
  const again = before.length > 0 && prng.chance(0.5) ? prng.pick(before) : undefined
  const deed = again?.deed ?? makeDeed(cast, actor, view)
  const foreign = before.flatMap(({ ids }) => ids)
  const own = deeds.asked.get(JSON.stringify(deed))?.ids.at(-1)
  const approvalId = prng.chance(0.1) && foreign.length > 0 ? prng.pick(foreign) : own
  const command = { ...deed, ...(approvalId !== undefined && prng.chance(0.8) ? { approvalId } : {}) }
  run(cast, actor, calledOf(actor, view, deed), command)
}

function calledOf(actor: Actor, view: TaskView, deed: Deed): Called {
  const contact = actor.observed.view(deed.taskUid)?.participant ?? view.participant
  return { key: JSON.stringify(deed), deed, effect: actor.rules.of(contact, `action.${deed.action}`) }
}

function makeDeed(cast: Cast, { prng }: Actor, view: TaskView): Deed {
  const action = prng.pick(ACTIONS)
  const agreed = view.proposals.find((one) => one.proposalId === view.agreedProposalId)?.proposal
  const params = {
    ...(action === 'calendar.hold' && prng.chance(0.5) ? { durationMinutes: prng.pick([60, 90]) } : {}),
    // The plan's own party size counts; where it says none one is needed.
    ...(action === 'reservation.book' && agreed?.partySize === undefined ? { partySize: 2 } : {}),
    ...(prng.chance(0.2) ? { venueArea: cast.plans.canary().marker } : {})
  }
  return { taskUid: view.taskUid, action, params }
}

interface Called {
  readonly key: string
  readonly deed: Deed
  /** What the rules say of it; they don't change while calls are open. */
  readonly effect: string
}

function run(cast: Cast, actor: Actor, called: Called, command: ActionCommand): void {
  const { key } = called
  actor.deeds.open.set(key, (actor.deeds.open.get(key) ?? 0) + 1)
  call(
    cast,
    actor,
    'act',
    (flows) => flows.agent.runAction(actor.node.agent, command),
    (answer) => {
      actor.deeds.open.set(key, (actor.deeds.open.get(key) ?? 1) - 1)
      checkAnswer(cast, actor, called, answer)
    }
  )
}

function checkAnswer(
  cast: Cast,
  actor: Actor,
  { key, deed, effect }: Called,
  answer: Result<Answered<ActionAnswer>>
): void {
  const { asked, yeses, records, open } = actor.deeds
  if (!answer.ok) return
  const given = answer.value.answer
  if (given.status === 'pending_approval') {
    if (effect === 'deny') cast.broken(`act asks the owner for what is denied`)
    asked.set(key, { deed, ids: [...(asked.get(key)?.ids ?? []), given.approvalId] })
    return
  }
  const known = records.get(key)
  if (known !== undefined && known !== given.recordId) cast.broken(`${key} was recorded twice`)
  const opened = effect === 'allow' || (effect === 'ask' && asked.get(key)?.ids.some((id) => yeses.has(id)) === true)
  // A call whose answer was lost may have recorded it before, under other rules.
  const unclear = (open.get(key) ?? 0) > 0
  if (known === undefined && !opened && !unclear) {
    cast.broken(`${key} was recorded without a yes, the rule says ${effect}`)
  }
  records.set(key, given.recordId)
}

/** What a disk says of its actions: one record for each approval, and for each own confirm one record. */
export function recordFaults(node: SimNode): string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [, bytes] of node.disk.entries(`ac:${node.agent}/`)) {
    const { approvalId, recordId } = JSON.parse(Buffer.from(bytes).toString('utf8')) as ActionRecord
    for (const mark of [recordId, approvalId]) {
      if (mark === undefined) continue
      if (seen.has(mark)) faults.push(`${node.name} spent ${mark} on two records`)
      seen.add(mark)
    }
  }
  return faults
}
