import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { runCheck } from '../../src/clients/cli/run-check.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import type { PaymentsView } from '../../src/flows/views/jobs.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { showLamports } from '../../src/payments/price.js'
import type { Answer, Person } from './person.js'
import { chapter, delivered, expect, mustBe, refusal, say, task, until } from './stage.js'

/**
 * A job that is paid for, on a chain of the demo's own: Alice hires Bob, her owner approves one payment, Bob's node finds the
 * money by itself, Bob delivers, Alice completes. What both wallets hold is told by the chain, before and after.
 */

const FUNDS = 2_000_000_000n
const PRICE = 250_000_000n
/** The chain's own, for one signature. */
const FEE = 5_000n
const BRIEF = {
  brief: 'Draw a sun with eight rays',
  deliverable: 'sun.svg, smaller than 2 kB',
  deadline: '2027-12-24',
  price: '0.2',
  cluster: 'solana:localnet'
}
const QUOTE = { ...BRIEF, price: '0.25' }
const RAYS = [0, 45, 90, 135, 180, 225, 270, 315].map((turn) => `<path d="M60 0h30" transform="rotate(${turn})"/>`)
const SUN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-99 -99 198 198" stroke="gold"><circle r="45"/>${RAYS.join('')}</svg>\n`
const CHECK = `node -e "if (require('fs').readFileSync('sun.svg', 'utf8').split('<path').length !== 9) process.exit(1)"`

/** `root`: an empty directory for what Bob makes. */
export async function hire(alice: Person, bob: Person, root: string): Promise<void> {
  const wallets = await fund(alice, bob)
  const taskUid = await quote(alice, bob, wallets)
  await pay(alice, bob, wallets, taskUid)
  const signature = await verify(alice, bob, taskUid)
  await deliver(bob, taskUid, join(root, 'work-of-bob'))
  await complete(alice, bob, taskUid)
  await compare(alice, bob, taskUid, signature)
}

/** The addresses of both wallets. */
interface Wallets {
  readonly alice: string
  readonly bob: string
}

async function fund(alice: Person, bob: Person): Promise<Wallets> {
  chapter('The chain’s faucet gives Alice some play money')
  await Promise.all([
    alice.owner(['wallet', 'airdrop', '2']),
    alice.owner(['grant', 'set', '--contact', '@bob', '--capability', 'disclose.job', '--effect', 'allow']),
    bob.owner(['grant', 'set', '--contact', '@alice', '--capability', 'disclose.job', '--effect', 'allow'])
  ])
  return tellBalances('before', { alice, bob }, { alice: FUNDS, bob: 0n })
}

/** Prints what the chain says that each wallet holds, which must be `wanted`. Answers their addresses. */
async function tellBalances(
  when: string,
  people: { readonly alice: Person; readonly bob: Person },
  wanted: { readonly alice: bigint; readonly bob: bigint }
): Promise<Wallets> {
  const asked = [people.alice, people.bob].map((person) => person.owner(['wallet', 'balance']))
  const [alice, bob] = (await Promise.all(asked)) as unknown as [Balance, Balance]
  for (const [person, { address, lamports }] of [
    [people.alice, alice],
    [people.bob, bob]
  ] as const) {
    say(person.handle, `${when}: ${showLamports(BigInt(lamports))}  ${address}`)
  }
  mustBe(alice.lamports, String(wanted.alice), `what Alice has ${when}`)
  mustBe(bob.lamports, String(wanted.bob), `what Bob has ${when}`)
  return { alice: alice.address, bob: bob.address }
}

interface Balance {
  readonly address: string
  readonly lamports: string
}

async function quote(alice: Person, bob: Person, wallets: Wallets): Promise<string> {
  chapter("Alice's agent wants to hire Bob's, which names its price")
  const ask = {
    type: 'job.request',
    participant: bob.place().agent,
    title: 'A sun',
    expiresInHours: 48,
    proposal: BRIEF
  }
  const { taskUid } = task(expect(await alice.agent('POST', '/v1/agent/tasks', ask), 201))
  say("Alice's agent", `asks for "${BRIEF.brief}" and offers ${BRIEF.price} SOL`)
  await heldBy(bob, taskUid, 'open')
  const propose = (proposal: object): Promise<Answer> =>
    bob.agent('POST', `/v1/agent/tasks/${taskUid}/proposals`, { proposal })
  const redirected = refusal(expect(await propose({ ...QUOTE, payTo: wallets.alice }), 403))
  say(
    "Bob's agent",
    `tries to say whom to pay -> 403 ${redirected.code} ${JSON.stringify(redirected.details['denied'])}`
  )
  const quoted = task(expect(await propose(QUOTE), 200)).proposals.at(-1)
  const payTo = quoted?.proposal['payTo']
  mustBe(payTo, wallets.bob, 'the address in the quote')
  say(
    "Bob's agent",
    `quotes ${QUOTE.price} SOL; its node fills in payTo, ${String(payTo).slice(0, 12)}… of Bob's wallet`
  )
  const seen = await until(alice, taskUid, ({ proposals }) => proposals.length === 2)
  const proposalId = seen.proposals.at(-1)?.proposalId
  expect(await alice.agent('POST', `/v1/agent/tasks/${taskUid}/responses`, { proposalId, decision: 'accept' }), 200)
  say("Alice's agent", 'accepts it: agreed')
  await heldBy(bob, taskUid, 'agreed')
  return taskUid
}

type Question = Extract<OwnerApprovalView, { readonly kind: 'payment' }>

async function pay(alice: Person, bob: Person, wallets: Wallets, taskUid: string): Promise<void> {
  chapter("Alice's agent asks to pay; Alice sees exactly what a yes would pay")
  await delivered(alice, taskUid)
  const soon = refusal(expect(await bob.agent('POST', `/v1/agent/tasks/${taskUid}/deliveries`, handedOver(SUN)), 409))
  say("Bob's agent", `delivers before it is paid -> 409 ${String(soon.details['code'])}`)
  const asked = expect(await alice.agent('POST', `/v1/agent/tasks/${taskUid}/payments`, {}), 202).body
  const approvalId = String(asked['approvalId'])
  const { approval } = (await alice.owner(['approval', 'show', approvalId])) as unknown as { approval: Question }
  const { terms, proposalId } = approval
  for (const [name, value] of Object.entries(terms))
    console.log(pc.dim(`                  ${name.padEnd(10)} ${String(value)}`))
  mustBe(terms['payer'], wallets.alice, 'who pays')
  mustBe(terms['recipient'], wallets.bob, 'who is paid')
  mustBe(terms['lamports'], String(PRICE), 'the sum')
  mustBe(terms['memo'], `agentlink:1:${taskUid}:${proposalId}`, 'what the payment is for')
  say(
    "Alice's agent",
    `can't answer for her: GET /v1/owner/approvals -> ${(await alice.agent('GET', '/v1/owner/approvals')).status}`
  )
  await alice.owner(['approval', 'approve', approvalId])
  say('@alice', 'approves this one payment; the node signs exactly that, and no second one')
}

/** Resolves with the signature of the payment, once both nodes call the job paid. */
async function verify(alice: Person, bob: Person, taskUid: string): Promise<string> {
  chapter("Bob's node looks at the chain itself, and believes nobody")
  const paid = await heldBy(bob, taskUid, 'paid')
  const receipt = paid.job?.receipt
  if (receipt === undefined) throw new Error('the job is paid without a receipt')
  await heldBy(alice, taskUid, 'paid')
  say('@bob', `finds ${receipt.signature.slice(0, 20)}… finalized in slot ${receipt.slot}: his node signs a receipt`)
  say('both', 'paid')
  return receipt.signature
}

/** A delivery of what stands at a place: its hash, never its bytes. */
function handedOver(text: string, location = 'sun.svg'): { readonly artifacts: readonly object[] } {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { artifacts: [{ name: 'sun.svg', location, mediaType: 'image/svg+xml', size: text.length, sha256 }] }
}

async function deliver(bob: Person, taskUid: string, folder: string): Promise<void> {
  chapter('Bob delivers, with what proves it')
  mkdirSync(folder)
  writeFileSync(join(folder, 'sun.svg'), SUN)
  const run = await runCheck(CHECK, {
    directory: folder,
    timeoutMs: 10_000,
    outputBytes: 1000,
    progress: () => undefined
  })
  mustBe(run.exitStatus, 0, 'the exit status of the check')
  const evidence = { ...run, endToEnd: { passed: true, note: 'It looks like a sun' }, verdictSource: 'script' }
  const delivery = { ...handedOver(SUN, join(folder, 'sun.svg')), evidence }
  expect(await bob.agent('POST', `/v1/agent/tasks/${taskUid}/deliveries`, delivery), 200)
  say("Bob's agent", `hands over sun.svg, its hash, and a check that ended with ${run.exitStatus}`)
}

async function complete(alice: Person, bob: Person, taskUid: string): Promise<void> {
  chapter('Alice looks at it and completes the job')
  const { job } = await heldBy(alice, taskUid, 'delivered')
  const [artifact] = job?.delivery?.artifacts ?? []
  const bytes = readFileSync(String(artifact?.['location']))
  mustBe(createHash('sha256').update(bytes).digest('hex'), artifact?.['sha256'], 'the hash of what was delivered')
  say(
    "Alice's agent",
    `reads ${String(artifact?.['name'])}: ${bytes.length} bytes, and its hash is the one that was named`
  )
  expect(await alice.agent('POST', `/v1/agent/tasks/${taskUid}/completion`, {}), 200)
  await heldBy(bob, taskUid, 'completed')
  say('both', 'completed')
}

async function compare(alice: Person, bob: Person, taskUid: string, signature: string): Promise<void> {
  chapter('What the chain says')
  await tellBalances('after', { alice, bob }, { alice: FUNDS - PRICE - FEE, bob: PRICE })
  const [paid, received] = await Promise.all([moneyOf(alice, taskUid), moneyOf(bob, taskUid)])
  mustBe(paid.paid.map((one) => `${one.state} ${one.signature}`).join(), `landed ${signature}`, "Alice's payments")
  mustBe(received.received.map((one) => `${one.code} ${one.signature}`).join(), `paid ${signature}`, "Bob's money")
  console.log(`\n${pc.green(`One job, one payment: ${showLamports(PRICE)}, and ${FEE} lamports to the chain.`)}`)
}

async function moneyOf(person: Person, taskUid: string): Promise<PaymentsView> {
  const { items } = (await person.owner(['payment', 'list'])) as unknown as { readonly items: readonly PaymentsView[] }
  const found = items.find((one) => one.taskUid === taskUid)
  if (found === undefined) throw new Error(`${person.handle} knows nothing of the payment`)
  return found
}

function heldBy(person: Person, taskUid: string, status: TaskView['status']): Promise<TaskView> {
  return until(person, taskUid, (seen) => seen.status === status)
}
