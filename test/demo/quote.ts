import { fileURLToPath } from 'node:url'
import pc from 'picocolors'
import { canonicalText } from '../../src/base/canonical.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { Person } from './person.js'
import { chapter, expect, next, refusal, say, task, until } from './stage.js'

/** A type of task that only Alice's node knows: Bob's owner sees what it asks for, installs it, and the agents settle a price. */

const FILE = fileURLToPath(new URL('../../protocols/types/quote.request@1.json', import.meta.url))
const REQUEST = { item: 'Oak table, 2 m', quantity: 3, unit: 'piece', deliverTo: { town: 'Toronto' } }
const OFFER = { ...REQUEST, unitPrice: '1249.90', deliveryIncluded: true, validUntil: '2026-12-31' }
const ORDER = 'x.quote.request.order'

export async function askForQuote(alice: Person, bob: Person): Promise<void> {
  const taskUid = await invite(alice, bob)
  await decide(bob)
  await settle(alice, bob, taskUid)
  await order(alice, bob, taskUid)
}

async function invite(alice: Person, bob: Person): Promise<string> {
  chapter("Alice's owner installs a type of task that Bob has never heard of")
  const installed = (await alice.owner(['type', 'install', FILE]))['type'] as { name: string; hash: string }
  say('@alice', `installs ${installed.name}@1 ${installed.hash.slice(0, 16)}: a request for a quotation`)
  const ask = { type: 'quote.request', participant: bob.place().agent, proposal: REQUEST }
  const asked = expect(await alice.agent('POST', '/v1/agent/tasks', ask), 202).body
  say("Alice's agent", 'asks Bob for a price -> 202: disclose.x.purchasing is of its own, disclose.* never opens it')
  await alice.owner(['approval', 'approve', String(asked['approvalId']), '--scope', 'contact'])
  return String(asked['taskUid'])
}

type Question = Extract<OwnerApprovalView, { readonly kind: 'type' }>

async function decide(bob: Person): Promise<void> {
  chapter("The invite waits until Bob's owner has seen what the type asks for")
  const asked = await question(bob)
  say(
    '@bob',
    `${asked.participantHandle} sent ${asked.type.name}@${asked.type.version} ${asked.type.hash.slice(0, 16)}:`
  )
  for (const field of asked.inspection.fields) {
    console.log(pc.dim(`                  ${field.path.padEnd(20)} ${field.capability ?? 'none'}`))
  }
  const seen = expect(await bob.agent('GET', '/v1/agent/tasks'), 200).body['items'] as readonly {
    type: { name: string }
  }[]
  if (seen.some((one) => one.type.name === 'quote.request')) throw new Error('the agent sees a held task')
  await bob.owner(['approval', 'approve', asked.approvalId])
  for (const capability of ['disclose.x.purchasing', 'disclose.budget']) {
    await bob.owner(['grant', 'set', '--contact', '@alice', '--capability', capability, '--effect', 'allow'])
  }
  say('@bob', 'installs it: the task opens, and his agent may now name a price')
}

async function question(bob: Person): Promise<Question> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const page = await bob.owner(['approval', 'list'])
    const found = (page['items'] as readonly OwnerApprovalView[]).find((one): one is Question => one.kind === 'type')
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('the question does not come')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function settle(alice: Person, bob: Person, taskUid: string): Promise<void> {
  chapter('Bob names his price, Alice accepts')
  expect(await bob.agent('POST', `/v1/agent/tasks/${taskUid}/proposals`, { proposal: OFFER }), 200)
  say("Bob's agent", `offers ${OFFER.unitPrice} EUR for each`)
  const offered = await proposed(alice, taskUid)
  const response = { proposalId: offered, decision: 'accept' }
  expect(await alice.agent('POST', `/v1/agent/tasks/${taskUid}/responses`, response), 200)
  const plans = await Promise.all([agreed(alice, taskUid), agreed(bob, taskUid)])
  if (plans[0] !== plans[1]) throw new Error('the two nodes hold different prices')
  say('both', `hold ${plans[0].slice(0, 90)}…`)
}

async function proposed(alice: Person, taskUid: string): Promise<string> {
  for (let after = 0; ;) {
    const item = await next(alice, 'task.propose', after)
    const { proposalId } = item.content['proposal'] as { proposalId: string }
    if (item.taskUid === taskUid) return proposalId
    after = item.cursor
  }
}

/** The agreed plan as canonical text, once the node holds it. */
async function agreed(person: Person, taskUid: string): Promise<string> {
  const held = await until(person, taskUid, ({ agreedProposalId }) => agreedProposalId !== undefined)
  const plan = held.proposals.find((one) => one.proposalId === held.agreedProposalId)
  return canonicalText(plan?.proposal ?? null)
}

async function order(alice: Person, bob: Person, taskUid: string): Promise<void> {
  chapter('The order is recorded, and nothing else happens')
  await alice.owner(['grant', 'set', '--contact', '@bob', '--capability', `action.${ORDER}`, '--effect', 'allow'])
  const call = (params: object): ReturnType<Person['agent']> =>
    alice.agent('POST', '/v1/agent/actions', { taskUid, action: ORDER, params })
  const wrong = refusal(expect(await call({ orderNumber: 'PO-17', quantity: 0 }), 400))
  say("Alice's agent", `orders 0 -> 400 ${String(wrong.details['field'])}`)
  const done = expect(await call({ orderNumber: 'PO-17', quantity: 3 }), 200).body
  say("Alice's agent", `orders 3 -> ${String(done['status'])}, simulated: ${String(done['simulated'])}`)
  await next(bob, 'task.confirm', 0)
  const { status } = task(expect(await bob.agent('GET', `/v1/agent/tasks/${taskUid}`), 200))
  say('@bob', `has it: ${status}`)
  console.log(`\n${pc.green('A task of a type that one node had never heard of, agreed and confirmed.')}`)
}
