import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import { type Answer, Person } from './person.js'
import { delegate } from './delegate.js'
import { hire } from './hire.js'
import { Program } from './program.js'
import { askForQuote } from './quote.js'
import { chapter, delivered, expect, next, refusal, say, task } from './stage.js'

/**
 * The main job on one machine: two owners' nodes, in two homes, make each other's acquaintance and their agents settle a
 * dinner, then a price in a type of task that one of them has never heard of, then a piece of work that is delegated and
 * proved, then a job that is paid on a local Solana chain. Exits with 0 only if both nodes hold the same plan, byte for byte,
 * the work is verified, and the chain says that exactly the price has changed hands.
 */

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

/** What each owner adds to the settings: where the chain is, and what an agent may spend. */
function settingsFor(chain: string): string {
  const { url } = JSON.parse(chain) as { readonly url: string }
  const place = ['[chain]', 'cluster = "localnet"', `rpc_url = "${url}"`, 'poll_ms = 200']
  return ['', ...place, '[spend]', 'per_job_sol = "0.5"', 'per_day_sol = "0.5"', ''].join('\n')
}

async function meet(alice: Person, bob: Person): Promise<void> {
  chapter('Two owners start a node each, beside a Solana chain of their own')
  const settings = settingsFor(await chain.start(['localnet', '--port', '0', '--json']))
  await Promise.all([alice.start(settings), bob.start(settings)])
  for (const person of [alice, bob])
    say(person.handle, `agent ${person.place().agent.slice(0, 16)}…  node …${person.place().peerId.slice(-8)}`)

  chapter('They become contacts')
  const { link } = await bob.owner(['contact', 'invite'])
  say('@bob', `gives Alice a link with a one-time secret: ${String(link).slice(0, 40)}…`)
  await alice.owner(['contact', 'add', '-'], String(link))
  await Promise.all([next(alice, 'contact.active', 0), next(bob, 'contact.active', 0)])
  say('@alice', 'adds it; the secret opens the door, and both contacts are active')
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

const root = mkdtempSync(join(tmpdir(), 'agentlink-demo-'))
const chain = new Program()
const alice = new Person('alice', root)
const bob = new Person('bob', root)
try {
  console.log(pc.bold('AgentLink: two owners, two nodes, one dinner, one price, one piece of work, one paid job'))
  await meet(alice, bob)
  await rules(alice, bob)
  const taskUid = await invite(alice, bob)
  await settle(alice, bob, taskUid)
  await compare(alice, bob, taskUid)
  await book(alice, bob, taskUid)
  await askForQuote(alice, bob)
  await delegate(alice, bob, root)
  await hire(alice, bob, root)
} catch (error) {
  console.error(pc.red(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`))
  process.exitCode = 1
} finally {
  await Promise.all([alice.stop(), bob.stop()])
  await chain.stop()
  rmSync(root, { recursive: true, force: true })
}
