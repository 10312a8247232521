import pc from 'picocolors'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import type { Answer, Person } from './person.js'
import { chapter, delivered, expect, next, refusal, say, task } from './stage.js'

/** A dinner: Alice's agent proposes within her rules, Bob's answers, both nodes hold one plan, and Alice books it. */

const FIRST_PLAN = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', cuisine: 'Italian', partySize: 2 }
const COUNTER_PLAN = {
  date: '2026-11-14',
  time: '19:45',
  timezone: 'America/Toronto',
  cuisine: 'Italian',
  partySize: 2,
  dietaryNotes: ['vegetarian'],
  venue: { name: 'Trattoria Nonna', area: 'Little Italy' }
}

/** From the owners' rules to a plan that is booked. Answers the task's uid. */
export async function haveDinner(alice: Person, bob: Person): Promise<string> {
  await rules(alice, bob)
  const taskUid = await invite(alice, bob)
  await settle(alice, bob, taskUid)
  await compare(alice, bob, taskUid)
  await book(alice, bob, taskUid)
  return taskUid
}

async function rules(alice: Person, bob: Person): Promise<void> {
  chapter('Each owner says what their agent may tell')
  const set = (person: Person, contact: string, capability: string, effect: string): Promise<unknown> =>
    person.owner(['grant', 'set', '--contact', contact, '--capability', capability, '--effect', effect])
  await Promise.all([
    set(alice, '@bob', 'disclose.preferences', 'allow'),
    set(alice, '@bob', 'disclose.dietary', 'deny'),
    ...['disclose.availability', 'disclose.preferences', 'disclose.dietary'].map((capability) =>
      set(bob, '@alice', capability, 'allow')
    )
  ])
  say('@alice', 'allows preferences, denies dietary; availability stays on ask')
  say('@bob', 'allows availability, preferences and dietary')
}

async function invite(alice: Person, bob: Person): Promise<string> {
  chapter("Alice's agent proposes; her node enforces her rules")
  const create = (proposal: unknown): Promise<Answer> =>
    alice.agent('POST', '/v1/agent/tasks', {
      type: 'dinner.coordination',
      participant: bob.place().agent,
      title: 'Dinner with Bob',
      expiresInHours: 48,
      proposal
    })
  const denied = refusal(expect(await create({ ...FIRST_PLAN, dietaryNotes: ['no shellfish'] }), 403))
  say("Alice's agent", `adds dietaryNotes -> 403 ${denied.code} ${JSON.stringify(denied.details['denied'])}`)
  const undeclared = refusal(expect(await create({ ...FIRST_PLAN, homeAddress: '1 Main St' }), 400))
  say("Alice's agent", `adds homeAddress -> 400 ${undeclared.code} (${String(undeclared.details['code'])})`)

  const asked = expect(await create(FIRST_PLAN), 202).body
  const taskUid = String(asked['taskUid'])
  say("Alice's agent", `proposes 19:00 -> 202 ${String(asked['status'])}: availability is on ask`)
  expect(await alice.agent('GET', `/v1/agent/tasks/${taskUid}`), 404)
  await alice.owner(['approval', 'approve', String(asked['approvalId']), '--scope', 'contact'])
  say('@alice', 'approves once for this contact; the very bytes she saw are signed and sent')
  return taskUid
}

async function settle(alice: Person, bob: Person, taskUid: string): Promise<void> {
  chapter('Bob answers with another plan, Alice accepts')
  const invitation = await next(bob, 'task.invite', 0)
  const initial = invitation.content['initialProposal'] as { proposal: Json }
  say("Bob's agent", `finds the invite in its inbox: ${canonicalText(initial.proposal)}`)
  expect(await bob.agent('POST', `/v1/agent/tasks/${taskUid}/proposals`, { proposal: COUNTER_PLAN }), 200)
  say("Bob's agent", 'proposes 19:45 at Trattoria Nonna, vegetarian (version 2)')

  await next(alice, 'task.propose', 0)
  const seen = task(expect(await alice.agent('GET', `/v1/agent/tasks/${taskUid}`), 200))
  const latest = seen.proposals.find((proposal) => proposal.version === 2)
  if (latest === undefined) throw new Error('Alice does not see version 2')
  const response = { proposalId: latest.proposalId, decision: 'accept' }
  expect(await alice.agent('POST', `/v1/agent/tasks/${taskUid}/responses`, response), 200)
  say("Alice's agent", `accepts version 2 (${latest.proposalId.slice(0, 12)}…)`)
  await next(bob, 'task.respond', 0)
}

async function compare(alice: Person, bob: Person, taskUid: string): Promise<void> {
  chapter('What each node holds')
  const plans: string[] = []
  for (const person of [alice, bob]) {
    const held = await delivered(person, taskUid)
    const agreed = held.proposals.find((proposal) => proposal.proposalId === held.agreedProposalId)
    plans.push(`${held.agreedProposalId} ${canonicalText(agreed?.proposal ?? null)}`)
    say(person.handle, `${held.status}, ${held.proposals.length} proposals, ${held.delivery.state}`)
    console.log(pc.dim(`                  ${plans.at(-1)}`))
    if (held.status !== 'agreed' || agreed === undefined) throw new Error(`${person.handle} holds no agreement`)
  }
  const same = plans[0] !== undefined && Buffer.from(plans[0]).equals(Buffer.from(plans[1] ?? ''))
  if (!same) throw new Error('the two nodes hold different plans')
  console.log(`\n${pc.green('Both plans are equal, byte for byte.')}`)
}

/** Step 4 of the seed: through an owner approval, told to the other side, nothing done in the outside world. */
async function book(alice: Person, bob: Person, taskUid: string): Promise<void> {
  chapter("Alice's agent books the table; her node asks her")
  const call = { taskUid, action: 'reservation.book' }
  const asked = expect(await alice.agent('POST', '/v1/agent/actions', call), 202).body
  const approvalId = String(asked['approvalId'])
  const waiting = task(expect(await alice.agent('GET', `/v1/agent/tasks/${taskUid}`), 200))
  say("Alice's agent", `reservation.book -> 202 ${String(asked['status'])}, the task is ${waiting.status}`)
  await alice.owner(['approval', 'approve', approvalId])
  say('@alice', 'sees the exact params and approves')
  const other = { taskUid, action: 'calendar.hold', approvalId }
  const swapped = refusal(expect(await alice.agent('POST', '/v1/agent/actions', other), 409))
  say("Alice's agent", `tries another action on that yes -> 409 ${String(swapped.details['code'])}`)
  const done = expect(await alice.agent('POST', '/v1/agent/actions', { ...call, approvalId }), 200).body
  say("Alice's agent", `makes the same call with the approval -> ${String(done['status'])}, simulated`)
  const told = await next(bob, 'task.confirm', 0)
  say("Bob's agent", `is told: ${String(told.content['summary'])}`)
  for (const person of [alice, bob]) {
    const { status } = await delivered(person, taskUid)
    if (status !== 'confirmed') throw new Error(`${person.handle} holds ${status}`)
    say(person.handle, status)
  }
}
