/** What simulated owners do: contacts, grants, and answers to approvals, late ones included. */
import type { JsonObject } from '../../src/base/json.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import { type Actor, type Cast, actorOf, call } from './cast.js'
import { ACTION_CAPABILITIES } from './deeds.js'
import { DISCLOSURES, type Effect, type Rule, Rules } from './plans.js'

/** What words of delegated work leave under. */
const DELEGATES: readonly string[] = ['delegate.submit', 'delegate.report']
/** What owners rule on, the first most of all. */
const FAMILIES = [DISCLOSURES, DISCLOSURES, ACTION_CAPABILITIES, DELEGATES] as const

/** How an owner is disposed, drawn once per seed. */
export interface Temper {
  /** Share of grants that allow, and of approvals that are given. */
  readonly generous: number
  /** Whether contacts are removed, blocked and taken up again. */
  readonly fickle: boolean
}

/** One random move of an owner. */
export function moveOwner(cast: Cast, actor: Actor, temper: Temper): void {
  if (actor.unsure) return resync(cast, actor)
  const { prng } = actor
  if (temper.fickle && prng.chance(0.08)) return changeContact(cast, actor)
  if (prng.chance(0.2)) return acceptPending(cast, actor)
  // Rules change only while no call is open: then it is known which rules each call met.
  if (actor.calls > 0) return
  if (prng.chance(0.05)) return deleteGrant(cast, actor)
  if (prng.chance(0.3)) return setGrant(cast, actor, temper)
  answerApproval(cast, actor, temper)
}

/** Reads the rules back, after a crash may have cut off the answer to a change. */
function resync(cast: Cast, actor: Actor): void {
  if (actor.calls > 0) return
  readRules(cast, actor, (rules) => {
    actor.rules.replace(rules)
    actor.unsure = false
  })
}

function readRules(cast: Cast, actor: Actor, then: (rules: readonly Rule[]) => void): void {
  call(
    cast,
    actor,
    'grants',
    (flows) => flows.owner.grants({}),
    (answer) => {
      if (!answer.ok) return cast.broken('the owner can not read the grants')
      then(answer.value.items.map(({ contact, capability, effect }) => ({ contact, capability, effect })))
    }
  )
}

/** An open-handed owner starts by allowing everything that a plan may say, and often more. */
export function openUp(cast: Cast, actor: Actor): void {
  const allow = (capability: string, then: () => void): void =>
    changeGrant(cast, actor, { contact: '*', capability, effect: 'allow' }, then)
  const allowAll = ([first, ...more]: readonly string[]): void => {
    if (first !== undefined) allow(first, () => allowAll(more))
  }
  allow('disclose.*', () => {
    const actions = actor.prng.chance(0.4) ? ACTION_CAPABILITIES : []
    allowAll([...actions, ...(actor.prng.chance(0.6) ? DELEGATES : [])])
  })
}

function setGrant(cast: Cast, actor: Actor, temper: Temper): void {
  const { prng } = actor
  const peers = cast.actors.filter((other) => other !== actor).map((other) => other.node.agent as string)
  const contact = prng.chance(0.6) ? prng.pick(peers) : '*'
  const capability = prng.chance(0.25) ? 'disclose.*' : prng.pick(prng.pick(FAMILIES))
  const known = actor.node.store?.get('contacts', `${actor.node.agent}/${contact}`) !== undefined
  if (contact !== '*' && !known) return
  const effect: Effect = prng.chance(temper.generous) ? 'allow' : prng.pick(['ask', 'deny'] as const)
  changeGrant(cast, actor, { contact, capability, effect })
}

function changeGrant(cast: Cast, actor: Actor, rule: Rule, then: () => void = () => undefined): void {
  actor.unsure = true
  call(
    cast,
    actor,
    'setGrant',
    (flows) => flows.owner.setGrant(rule),
    (answer) => {
      if (!answer.ok) return resync(cast, actor)
      actor.rules.set(rule)
      readRules(cast, actor, (rules) => {
        compareRules(cast, actor, rules)
        then()
      })
    }
  )
}

function deleteGrant(cast: Cast, actor: Actor): void {
  const rules = actor.rules.all()
  if (rules.length === 0) return
  const { contact, capability } = actor.prng.pick(rules)
  actor.unsure = true
  call(
    cast,
    actor,
    'deleteGrant',
    (flows) => flows.owner.deleteGrant({ contact, capability }),
    (answer) => {
      if (answer.ok) actor.rules.delete(contact, capability)
      readRules(cast, actor, (left) => compareRules(cast, actor, left))
    }
  )
}

/** What the node holds must be what its owner said, nothing more. */
function compareRules(cast: Cast, actor: Actor, rules: readonly Rule[]): void {
  const said = JSON.stringify(actor.rules.all())
  actor.rules.replace(rules)
  if (JSON.stringify(actor.rules.all()) !== said)
    cast.broken(`${actor.node.name} holds other grants than its owner made`)
  actor.unsure = false
}

function answerApproval(cast: Cast, actor: Actor, temper: Temper): void {
  call(
    cast,
    actor,
    'approvals',
    (flows) => flows.owner.approvals({ limit: 50, ...(actor.prng.chance(0.7) ? { status: 'pending' } : {}) }),
    (answer) => {
      if (!answer.ok || actor.calls > 0 || actor.unsure) return
      // Types have owners' moves of their own (`types.ts`).
      const others = answer.value.items.filter(({ kind }) => kind !== 'type')
      if (others.length > 0) decide(cast, actor, actor.prng.pick(others), temper)
    }
  )
}

/** What a yes to an approval opens, under the rules that hold after it. */
function yesTo(cast: Cast, actor: Actor, approval: OwnerApprovalView): ((after: Rules) => void) | undefined {
  if (approval.kind === 'action') return () => void actor.deeds.yeses.add(approval.approvalId)
  const plan = approval.kind === 'type' ? undefined : cast.plans.of(shownIn(approval))
  if (plan === undefined) {
    cast.broken(`approval ${approval.approvalId} shows a plan that nobody made`)
    return undefined
  }
  if (plan.contact !== approval.participant) cast.broken(`approval ${approval.approvalId} names another contact`)
  return (after) => {
    plan.yeses++
    if (after.for(plan.contact, plan.capabilities).effect !== 'deny') plan.state = 'may'
  }
}

function shownIn(approval: Exclude<OwnerApprovalView, { readonly kind: 'type' | 'action' }>): JsonObject {
  return approval.kind === 'envelope' || approval.kind === 'delivery' ? approval.content : approval.proposal
}

function decide(cast: Cast, actor: Actor, approval: OwnerApprovalView, temper: Temper): void {
  const { prng } = actor
  const yes = yesTo(cast, actor, approval)
  if (yes === undefined) return
  const decision = prng.chance(temper.generous) ? 'approve' : 'deny'
  const scope = prng.pick(['once', 'once', 'once', 'contact', 'always'] as const)
  // A lasting yes is a new rule of the owner's, as good as any other: it may take back an older no.
  const after = new Rules(actor.rules.all())
  if (decision === 'approve' && scope !== 'once') {
    const contacts = scope === 'contact' ? [approval.participant] : ['*', approval.participant]
    for (const contact of contacts) {
      for (const capability of approval.capabilities) after.set({ contact, capability, effect: 'allow' })
    }
  }
  // Everything is recomputed at this moment: what is denied by now must not leave, whatever was approved.
  if (decision === 'approve' && (approval.status === 'pending' || approval.status === 'stale')) {
    yes(after)
  }
  actor.unsure = true
  call(
    cast,
    actor,
    `${decision}-${scope}`,
    (flows) => flows.owner.answerApproval(approval.approvalId, { decision, scope }),
    (answer) => {
      if (answer.ok && actor.node.now() >= Date.parse(approval.expiresAt) && decision === 'approve') {
        cast.broken(`approval ${approval.approvalId} was given after it expired`)
      }
      if (answer.ok) actor.rules.replace(after.all())
      readRules(cast, actor, (rules) => compareRules(cast, actor, rules))
    }
  )
}

/** A contact ends or begins again, by the owner's whim. */
function changeContact(cast: Cast, actor: Actor): void {
  const others = cast.actors.filter((other) => other !== actor)
  const other = actor.prng.pick(others)
  const state = actor.node.store?.get('contacts', `${actor.node.agent}/${other.node.agent}`)?.state
  if (state === undefined || state === 'removed') return connectContacts(cast, other, actor)
  const action = state === 'blocked' ? 'unblock' : actor.prng.pick(['remove', 'block'] as const)
  const contact = other.node.agent
  call(cast, actor, action, (flows) => flows.owner.changeContact({ contact, action }))
}

/** Whoever waits at the door is let in. */
export function acceptPending(cast: Cast, actor: Actor): void {
  for (const other of cast.actors) {
    const contact = other.node.agent
    const state = actor.node.store?.get('contacts', `${actor.node.agent}/${contact}`)?.state
    if (state !== 'pending') continue
    call(cast, actor, 'accept', (flows) => flows.owner.changeContact({ contact, action: 'accept' }))
  }
}

/** Makes the two agents of a node contacts of each other; the second may say everything. */
export function connectNeighbours(cast: Cast, actor: Actor, neighbour: Actor): void {
  for (const capability of DELEGATES) {
    const rule = { contact: '*', capability, effect: 'allow' } as const
    neighbour.rules.set(rule)
    call(cast, actor, 'setGrant', (flows) => flows.owner.setGrant({ agent: neighbour.node.hosted, ...rule }))
  }
  call(
    cast,
    actor,
    'invite',
    (flows) => flows.owner.invite({ agent: neighbour.node.hosted, secret: true }),
    (answer) => {
      if (!answer.ok) return cast.broken('the owner can not make a link')
      const { link } = answer.value
      call(cast, actor, 'addContact', (flows) => flows.owner.addContact({ agent: 'default', link }))
    }
  )
}

/** `inviter` makes a link and `guest` adds it. */
export function connectContacts(cast: Cast, inviter: Actor, guest: Actor): void {
  const secret = guest.prng.chance(0.7)
  call(
    cast,
    inviter,
    'invite',
    (flows) => flows.owner.invite({ secret }),
    (answer) => {
      if (!answer.ok || actorOf(cast, guest.node.agent) === undefined) return
      const { link } = answer.value
      call(cast, guest, 'addContact', (flows) => flows.owner.addContact({ link }))
    }
  )
}
