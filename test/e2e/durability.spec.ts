import { expect } from 'chai'
import { temporaryHomes } from '../support/homes.js'
import { answer, until } from './agentlink.js'
import { befriend, Daemon, HASTY } from './daemon.js'
import { type Task, allItems, allTasks, createLedger } from './ledger.js'

/** More for a long night: `E2E_KILLS=200 E2E_SEED=7 npx mocha test/e2e/durability.spec.ts`. */
const KILLS = Number(process.env.E2E_KILLS ?? 9)
const SEED = Number(process.env.E2E_SEED ?? 20261114)
/** Between two writes of an agent, milliseconds. */
const PACE = 40
/** Tasks in which both agents go on writing at any moment. */
const BUSY = 6

/** Repeatable numbers in [0, 1): the moments of the kills (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A task as both sides must see it: who said what is turned round on the other side, and delivery is its own affair. */
function seenBy(side: 'inviter' | 'invitee', task: Task): object {
  const { taskUid, status, statusReason, agreedProposalId, expiresAt, type, proposals } = task
  const writer = (by: 'self' | 'peer'): string => (by === 'self' ? side : side === 'inviter' ? 'invitee' : 'inviter')
  return {
    ...{ taskUid, status, statusReason, agreedProposalId, expiresAt, type },
    proposals: proposals.map((one) => ({ ...one, by: writer(one.by) }))
  }
}

describe(`two nodes that are killed ${KILLS} times while their agents write`, function () {
  this.timeout(60_000 + KILLS * 20_000)
  const homes = temporaryHomes()
  const ledger = createLedger()
  const random = numbers(SEED)
  let alice: Daemon
  let bob: Daemon
  let writing = true

  before(async () => {
    ;[alice, bob] = await Promise.all([
      Daemon.make(homes.make(), '@alice', HASTY),
      Daemon.make(homes.make(), '@bob', HASTY)
    ])
    await befriend(alice, bob)
  })
  after(async () => {
    writing = false
    for (const node of [alice, bob]) await node?.kill()
    homes.clean()
  })

  /** An agent that never stops: opens tasks, proposes and accepts in those of both. */
  async function write(by: Daemon, with_: string): Promise<void> {
    while (writing) {
      await new Promise((resolve) => setTimeout(resolve, PACE))
      const recent = ledger.tasks.slice(-BUSY)
      const task = recent[Math.floor(random() * recent.length)]
      const choice = random()
      if (task === undefined || choice < 0.3) await ledger.create(by, with_)
      else if (choice < 0.95) await ledger.propose(by, task)
      else await ledger.accept(by, task)
    }
  }

  async function killing(): Promise<void> {
    for (let kill = 0; kill < KILLS;) {
      // Every third time both at once: neither is there to tell the other what it had said.
      const victims = kill % 3 === 1 ? [alice, bob] : [random() < 0.5 ? alice : bob]
      await new Promise((resolve) => setTimeout(resolve, 30 + random() * 700))
      await Promise.all(victims.map((victim) => victim.kill()))
      await Promise.all(victims.map((victim) => victim.start()))
      kill += victims.length
    }
  }

  it('go on after each', async () => {
    const [agentOfAlice, agentOfBob] = [alice.run.agent, bob.run.agent]
    const agents = Promise.all([write(alice, agentOfBob), write(alice, agentOfBob), write(bob, agentOfAlice)])
    await Promise.all([agents, killing().finally(() => (writing = false))])
    expect(ledger.acknowledged.length).to.be.greaterThan(KILLS)
  })

  it('deliver everything in the end', async () => {
    for (const node of [alice, bob]) {
      const undelivered = async (): Promise<number> =>
        (await node.owner<{ undelivered: number }>('GET', 'status')).body.undelivered
      await until(undelivered, (count) => count === 0, 20_000)
    }
  })

  it('hold every write that was acknowledged, both of them and once', async () => {
    const items = [...(await allItems(alice)), ...(await allItems(bob))]
    const told = new Set(items.map((item) => markOf(item.content)))
    for (const node of [alice, bob]) {
      const tasks = new Map((await allTasks(node)).map((task) => [task.taskUid, task]))
      const marks = [...tasks.values()].flatMap((task) =>
        task.proposals.map((one) => `${task.taskUid} ${String(one.proposal.notes)}`)
      )
      expect(new Set(marks).size, 'proposals are unique').to.equal(marks.length)
      const here = new Set(marks)
      const gone = ledger.acknowledged.filter((one) => !here.has(`${one.taskUid} ${one.mark}`))
      // A proposal that crossed the acceptance of the one before it has no effect; that it arrived, the inbox shows.
      expect(gone.filter((one) => !(ledger.accepted.has(one.taskUid) && told.has(one.mark)))).to.deep.equal([])
      for (const [uid, proposalId] of ledger.accepted) {
        expect(tasks.get(uid), uid).to.include({ status: 'agreed', agreedProposalId: proposalId })
      }
    }
  })

  it('hold the same tasks', async () => {
    const [here, there] = [await allTasks(alice), await allTasks(bob)]
    expect(here.length).to.equal(there.length)
    const other = new Map(there.map((task) => [task.taskUid, task]))
    for (const task of here) {
      const its = other.get(task.taskUid)
      if (its === undefined) throw new Error(`only one holds ${task.taskUid}`)
      const mine = (task as Task & { role: 'inviter' | 'invitee' }).role
      expect(seenBy(mine === 'inviter' ? 'invitee' : 'inviter', its)).to.deep.equal(seenBy(mine, task))
      expect(task.proposals.map((one) => one.version)).to.deep.equal(task.proposals.map((_, at) => at + 1))
    }
  })

  it('told each agent of each thing once, in rows without gaps', async () => {
    for (const [node, other] of [
      [alice, bob],
      [bob, alice]
    ] as const) {
      const items = await allItems(node)
      expect(items.map((item) => item.cursor)).to.deep.equal(items.map((_, at) => at + 1))
      const proposals = items.filter((item) => /^task\.(invite|propose)$/.test(item.kind))
      const told = proposals.map((item) => JSON.stringify([item.taskUid, markOf(item.content)]))
      expect(new Set(told).size, 'items are unique').to.equal(told.length)
      const written = (await allTasks(other)).flatMap((task) =>
        task.proposals
          .filter((one) => one.by === 'self')
          .map((one) => JSON.stringify([task.taskUid, one.proposal.notes]))
      )
      expect(told).to.include.members(written)
      const more = proposals.filter((_, at) => !written.includes(told[at] as string))
      expect(more.filter((item) => !ledger.accepted.has(item.taskUid ?? ''))).to.deep.equal([])
    }
  })

  it('told their owners of each plan that left, once, in a log that holds', async () => {
    for (const node of [alice, bob]) {
      const { head } = await answer<{ head: { seq: number } }>(['audit', 'verify', '--home', node.home])
      const flags = ['--what', 'disclosure.sent', '--limit', String(head.seq), '--home', node.home]
      const log = await answer<{ items: { about: { messageId: string } }[] }>(['audit', ...flags])
      const told = log.items.map(({ about }) => about.messageId)
      expect(new Set(told).size, 'entries are unique').to.equal(told.length)
      const own = (await allTasks(node)).flatMap((task) => task.proposals.filter((one) => one.by === 'self'))
      expect(told).to.include.members(own.map((one) => one.proposalId))
    }
  })

  it('logged no fault', () => {
    for (const node of [alice, bob]) expect(node.log).not.to.match(/unhandled|uncaught|api\.failed|"level":(50|60)/i)
  })
})

/** The mark in what an inbox item says of a proposal. */
function markOf(content: unknown): unknown {
  const found = /"notes":"(mark-\d+)"/.exec(JSON.stringify(content))
  return found?.[1]
}
