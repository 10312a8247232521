import { expect } from 'chai'
import fc from 'fast-check'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { Node, World } from './pair.js'
import { createWorld, befriend, dinner, friends, good, openUp, refusalOf } from './pair.js'

interface Pair {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

async function invite({ world, alice }: Pair, more: { expiresInHours?: number } = {}): Promise<string> {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner(), ...more }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task.taskUid
}

function poll(
  node: Node,
  options: { after?: number; waitSeconds?: number; limit?: number } = {},
  signal?: AbortSignal
) {
  return node.flows.agent.inbox(node.agent, { waitSeconds: 0, limit: 50, ...options }, signal).then(good)
}

async function read({ world }: Pair, node: Node, uid: string): Promise<TaskView> {
  return good(await world.do(node.flows.agent.getTask(node.agent, uid)))
}

describe('an inbox', () => {
  it('gives what is new after a cursor, page by page, and changes nothing by that', async () => {
    const pair = await friends()
    const { world, bob } = pair
    for (let left = 3; left > 0; left--) await invite(pair)
    await world.rest()
    const first = await world.do(poll(bob, { limit: 2 }))
    expect([first.items.map((item) => item.cursor), first.next]).to.deep.equal([[1, 2], 2])
    const second = await world.do(poll(bob, { after: first.next, limit: 2 }))
    expect([second.items.map((item) => item.cursor), second.next]).to.deep.equal([[3, 4], 4])
    const third = await world.do(poll(bob, { after: second.next }))
    expect([third.items, third.next]).to.deep.equal([[], 4])
    expect((await world.do(poll(bob))).items.length).to.equal(4)
  })

  it('begins behind what was acknowledged, when nothing is said', async () => {
    const pair = await friends()
    const { world, bob } = pair
    await invite(pair)
    await world.rest()
    good(await world.do(bob.flows.agent.ackInbox(bob.agent, 1)))
    expect((await world.do(poll(bob))).items.map((item) => item.cursor)).to.deep.equal([2])
    expect((await world.do(bob.flows.agent.counters(bob.agent))).unread).to.equal(1)
  })

  it('is acknowledged forwards only, and never beyond its end', async () => {
    const pair = await friends()
    const { world, bob } = pair
    await invite(pair)
    await world.rest()
    const ack = (upTo: number) => world.do(bob.flows.agent.ackInbox(bob.agent, upTo))
    expect(good(await ack(2))).to.deep.equal({ ackedUpTo: 2 })
    expect(good(await ack(1))).to.deep.equal({ ackedUpTo: 2 })
    expect(refusalOf(await ack(3))).to.equal('bad_request invalid_field upTo')
    expect((await world.do(bob.flows.agent.counters(bob.agent))).unread).to.equal(0)
  })

  it('refuses a cursor that no item has yet, and says the newest', async () => {
    const pair = await friends()
    const { world, bob } = pair
    const from = (after: number, waitSeconds = 0) =>
      world.do(bob.flows.agent.inbox(bob.agent, { after, waitSeconds, limit: 9 }))
    expect(good(await from(1)).next).to.equal(1)
    for (const after of [2, 1000, Number.MAX_SAFE_INTEGER]) {
      const refused = await from(after, 60)
      expect(refusalOf(refused)).to.equal('bad_request invalid_field after')
      expect(!refused.ok && refused.refusal.message).to.include('beyond the newest item, 1.')
    }
    await invite(pair)
    await world.rest()
    expect(good(await from(2)).items).to.deep.equal([])
  })

  it('holds a poll until something comes', async () => {
    const pair = await friends()
    const { world, bob } = pair
    const waiting = poll(bob, { after: 1, waitSeconds: 60 })
    let answered = false
    void waiting.then(() => (answered = true))
    await world.rest(30_000)
    expect(answered).to.equal(false)
    const uid = await invite(pair)
    await world.rest(200)
    expect((await waiting).items.map((item) => [item.kind, item.taskUid])).to.deep.equal([['task.invite', uid]])
  })

  it('wakes every poll, and no later than what it waits for', async () => {
    const pair = await friends()
    const { world, bob } = pair
    const polls = [1, 2, 3].map(() => poll(bob, { after: 1, waitSeconds: 60 }))
    await world.rest()
    await invite(pair)
    await world.rest(200)
    for (const one of polls) expect((await one).items.length).to.equal(1)
    expect(world.clock.timers().filter((ms) => ms > 20_000)).to.deep.equal([])
  })

  it('does not let a poll sleep on what came while it looked', async () => {
    const { world, alice } = await friends()
    const grant = { contact: '*', capability: 'disclose.*', effect: 'ask' } as const
    good(await world.do(alice.flows.owner.setGrant(grant)))
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const asked = good(await world.do(alice.flows.agent.createTask(alice.agent, command))).answer
    const id = asked.status === 'pending_approval' ? asked.approvalId : ''
    // A slow look: the item is stored after it was made, and before it is answered.
    const range = alice.store.range.bind(alice.store)
    const slow: typeof range = async (table, options) => {
      const found = await range(table, options)
      for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve()
      return found
    }
    Object.assign(alice.store, { range: slow })
    const waiting = poll(alice, { after: 1, waitSeconds: 60 })
    for (let ticks = 0; ticks < 10; ticks++) await Promise.resolve()
    good(await world.do(alice.flows.owner.answerApproval(id, { decision: 'deny', scope: 'once' })))
    await world.rest(1_000)
    expect((await world.do(waiting)).items.length).to.equal(1)
  })

  it('ends a poll without items when its time is over, when the caller goes, and when the node stops', async () => {
    const pair = await friends()
    const { world, bob } = pair
    const inTime = poll(bob, { after: 1, waitSeconds: 2 })
    const caller = new AbortController()
    const gone = poll(bob, { after: 1, waitSeconds: 60 }, caller.signal)
    const stopped = poll(bob, { after: 1, waitSeconds: 60 })
    await world.rest(2_100)
    expect(await inTime).to.deep.equal({ items: [], next: 1 })
    caller.abort()
    expect(await world.do(gone)).to.deep.equal({ items: [], next: 1 })
    await world.do(bob.flows.stop())
    expect(await world.do(stopped)).to.deep.equal({ items: [], next: 1 })
  })

  it('answers at once when the caller is gone already', async () => {
    const pair = await friends()
    expect(
      (await pair.world.do(poll(pair.bob, { after: 1, waitSeconds: 60 }, AbortSignal.abort()))).items
    ).to.deep.equal([])
  })
})

describe('a list of tasks', () => {
  it('begins with the newest, goes on page by page, and can be narrowed by status', async () => {
    const pair = await friends()
    const { world, alice } = pair
    const uids: string[] = []
    for (let left = 5; left > 0; left--) uids.unshift(await invite(pair))
    await world.rest()
    good(await world.do(alice.flows.agent.cancel(alice.agent, uids[1] ?? '', {})))
    await world.rest(1_000)
    const list = async (options: { limit: number; after?: string; status?: string }) =>
      good(await world.do(alice.flows.agent.listTasks(alice.agent, options)))
    const seen: string[] = []
    let after: string | undefined
    for (let pages = 0; pages < 9; pages++) {
      const page = await list({ limit: 2, ...(after === undefined ? {} : { after }) })
      seen.push(...page.items.map((task) => task.taskUid))
      after = page.next
      if (after === undefined) break
    }
    expect(seen).to.deep.equal(uids)
    expect((await list({ limit: 9, status: 'cancelled' })).items.map((task) => task.taskUid)).to.deep.equal([uids[1]])
    const open = await list({ limit: 3, status: 'open' })
    expect(open.items.map((task) => task.taskUid)).to.deep.equal([uids[0], uids[2], uids[3]])
    const rest = await list({ limit: 3, status: 'open', after: open.next ?? '' })
    expect([rest.items.map((task) => task.taskUid), rest.next]).to.deep.equal([[uids[4]], undefined])
  })

  for (const after of ['', 'x', '../..', '1'.repeat(15)]) {
    it(`is refused after "${after}"`, async () => {
      const { world, alice } = await friends()
      const listed = await world.do(alice.flows.agent.listTasks(alice.agent, { limit: 2, after }))
      expect(refusalOf(listed)).to.equal('bad_request invalid_field after')
    })
  }
})

describe('an expiry', () => {
  async function expired(): Promise<Pair & { uid: string }> {
    const pair = await friends()
    const uid = await invite(pair, { expiresInHours: 1 })
    await pair.world.rest()
    return { ...pair, uid }
  }
  const told = async ({ world }: Pair, node: Node): Promise<string[]> =>
    (await world.do(poll(node, { after: 0 }))).items.map((item) => item.kind).filter((kind) => kind === 'task.expired')

  it('is told once, whether or not somebody looked before', async () => {
    const pair = await expired()
    pair.world.clock.jump(3_600_001)
    expect((await read(pair, pair.alice, pair.uid)).status).to.equal('expired')
    await pair.world.rest(5_000)
    expect([await told(pair, pair.alice), await told(pair, pair.bob)]).to.deep.equal([
      ['task.expired'],
      ['task.expired']
    ])
    await pair.world.rest(5_000)
    expect((await told(pair, pair.bob)).length).to.equal(1)
  })

  it('is not missed at the very millisecond', async () => {
    const pair = await expired()
    const { world, alice, bob } = pair
    const end = Date.parse((await read(pair, alice, pair.uid)).expiresAt)
    // The sweep comes round exactly at the end, when nothing is over yet, and once more a second later.
    const sweep = Math.min(...world.clock.timers())
    world.clock.jump(end - world.clock.now() - sweep)
    await world.rest(sweep)
    expect(world.clock.now()).to.equal(end)
    expect((await bob.all('due')).map((due) => due.kind)).to.include('task')
    await world.rest(2_500)
    expect((await told(pair, bob)).length).to.equal(1)
  })

  it('stays when the clock jumps back', async () => {
    const pair = await expired()
    pair.world.clock.jump(3_600_001)
    expect((await read(pair, pair.alice, pair.uid)).status).to.equal('expired')
    pair.world.clock.jump(-3_600_001)
    expect((await read(pair, pair.alice, pair.uid)).status).to.equal('expired')
    const { world, alice } = pair
    const proposing = alice.flows.agent.propose(alice.agent, pair.uid, { proposal: dinner() })
    expect(refusalOf(await world.do(proposing))).to.equal('conflict illegal_transition')
  })

  it('takes the task off the badge of who was to answer', async () => {
    const pair = await expired()
    const { world, bob } = pair
    expect((await world.do(bob.flows.agent.counters(bob.agent))).tasksWaitingForMe).to.equal(1)
    world.clock.jump(3_600_001)
    await world.rest(3_000)
    expect((await world.do(bob.flows.agent.counters(bob.agent))).tasksWaitingForMe).to.equal(0)
  })

  it('does not touch what was agreed in time', async () => {
    const pair = await expired()
    const { world, bob } = pair
    const proposalId = (await read(pair, bob, pair.uid)).proposals[0]?.proposalId ?? ''
    good(await world.do(bob.flows.agent.respond(bob.agent, pair.uid, { proposalId, decision: 'accept' })))
    await world.rest()
    world.clock.jump(3_600_001)
    await world.rest(3_000)
    expect((await read(pair, bob, pair.uid)).status).to.equal('agreed')
    expect(await told(pair, bob)).to.deep.equal([])
  })
})

describe('the badges', () => {
  /** One random thing that an agent or its owner does; refusals are part of it. */
  type Move = readonly [what: number, who: number, pick: number]
  const move: fc.Arbitrary<Move> = fc.tuple(fc.nat(6), fc.nat(1), fc.nat(20))

  async function play(pair: Pair, moves: readonly Move[]): Promise<void> {
    const { world } = pair
    for (const [what, who, pick] of moves) {
      const node = who === 0 ? pair.alice : pair.bob
      const tasks = good(await world.do(node.flows.agent.listTasks(node.agent, { limit: 50 }))).items
      const task = tasks[pick % Math.max(1, tasks.length)]
      await world.do(act(pair, node, what, task, pick))
      if (pick % 3 === 0) await world.rest()
    }
    await world.rest(2_000)
  }

  async function act(
    { world }: Pair,
    node: Node,
    what: number,
    task: TaskView | undefined,
    pick: number
  ): Promise<unknown> {
    const { agent, owner } = node.flows
    const proposal = dinner({ time: `1${pick % 10}:00`, ...(pick % 4 === 0 ? { notes: 'x' } : {}) })
    const participant = node.name === 'alice' ? '@bob' : '@alice'
    if (what === 0)
      return agent.createTask(node.agent, { type: 'dinner.coordination', participant, proposal, expiresInHours: 1 })
    if (what === 5) {
      world.clock.jump(pick * 60_000)
      return undefined
    }
    if (what === 6) {
      const [asked] = good(await owner.approvals({ limit: 1, status: 'pending' })).items
      const given = { decision: pick % 2 === 0 ? 'approve' : 'deny', scope: 'once' } as const
      return asked === undefined ? undefined : owner.answerApproval(asked.approvalId, given)
    }
    if (task === undefined) return undefined
    const proposalId = task.proposals.at(-1)?.proposalId ?? ''
    if (what === 1) return agent.propose(node.agent, task.taskUid, { proposal })
    if (what === 2) return agent.respond(node.agent, task.taskUid, { proposalId, decision: 'accept' })
    if (what === 3) return agent.respond(node.agent, task.taskUid, { proposalId, decision: 'reject' })
    return agent.cancel(node.agent, task.taskUid, {})
  }

  async function recount({ world }: Pair, node: Node): Promise<object> {
    const tasks = good(await world.do(node.flows.agent.listTasks(node.agent, { limit: 200 }))).items
    const waiting = tasks.filter(
      (task) =>
        ['open', 'negotiating'].includes(task.status) &&
        task.cancelRequested !== true &&
        task.proposals.some((one) => one.status === 'pending' && one.by === 'peer')
    )
    const asked = good(await world.do(node.flows.owner.approvals({ limit: 200, status: 'pending' }))).items
    const inbox = await world.do(poll(node, { after: 0, limit: 500 }))
    return {
      unread: inbox.items.length,
      tasksWaitingForMe: waiting.length,
      envelopesQueued: 0,
      approvalsPending: asked.length,
      undelivered: 0
    }
  }

  it('say what a recount says, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async (moves) => {
        const world = createWorld()
        const alice = await world.node('alice')
        const bob = await world.node('bob')
        await befriend(world, alice, bob)
        await openUp(world, alice, bob)
        for (const node of [alice, bob]) {
          const grant = { contact: '*', capability: 'disclose.notes', effect: 'ask' } as const
          good(await world.do(node.flows.owner.setGrant(grant)))
        }
        const pair = { world, alice, bob }
        await play(pair, moves)
        for (const node of [alice, bob]) {
          expect(await world.do(node.flows.agent.counters(node.agent))).to.deep.equal(await recount(pair, node))
        }
      }),
      { numRuns: 25, seed: 7 }
    )
  })
})
