import { expect } from 'chai'
import fc from 'fast-check'
import type { AgentId, TaskUid } from '../../src/base/ids.js'
import { type Place, newestFirst, pageOf } from '../../src/flows/work-order.js'
import { readEntry } from '../../src/policy/audit.js'
import { act, submitTo } from './delegation.js'
import { type Node, type World, createWorld, dinner, good, idOf, refusalOf } from './pair.js'

const CAROL = idOf('carol')

interface Stage {
  readonly world: World
  /** Hosts alice (`default`) and carol, contacts of each other and of bob. */
  readonly node: Node
  readonly bob: Node
  /** Three tasks, oldest first: alice with bob, alice with carol, carol with bob. */
  readonly uids: readonly string[]
}

async function stage(): Promise<Stage> {
  const world = createWorld()
  const node = await world.node('alice', { agents: ['carol'] })
  const bob = await world.node('bob')
  const { owner } = node.flows
  const link = async (from: Node, agent: string): Promise<string> =>
    good(await world.do(from.flows.owner.invite({ agent, secret: true }))).link
  good(await world.do(owner.addContact({ agent: 'carol', link: await link(node, 'default') })))
  await world.rest()
  for (const agent of ['default', 'carol']) {
    good(await world.do(owner.addContact({ agent, link: await link(bob, 'default') })))
    await world.rest()
  }
  for (const capability of ['disclose.*', 'delegate.submit']) {
    for (const agent of ['default', 'carol']) {
      good(await world.do(owner.setGrant({ agent, contact: '*', capability, effect: 'allow' })))
    }
    good(await world.do(bob.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' })))
  }
  const uids = [
    await invited(world, node, node.agent, '@bob'),
    await invited(world, node, node.agent, CAROL),
    await invited(world, node, CAROL, '@bob')
  ]
  return { world, node, bob, uids }
}

async function invited(world: World, node: Node, agent: AgentId, participant: string): Promise<string> {
  const command = { type: 'dinner.coordination', participant, title: 'mine', proposal: dinner() }
  const { answer } = good(await world.do(node.flows.agent.createTask(agent, command)))
  if (answer.status !== 'sent') throw new Error('asked')
  await world.rest()
  return answer.task.taskUid
}

describe('the work of all agents, as their owner sees it', () => {
  let at: Stage
  beforeEach(async () => {
    at = await stage()
  })
  const list = (
    more: { limit?: number; after?: string; agent?: string; contact?: string; status?: string; type?: string } = {}
  ) => at.world.do(at.node.flows.owner.tasks({ limit: 50, ...more }))
  const rows = async (more: Parameters<typeof list>[0] = {}): Promise<string[]> =>
    good(await list(more)).items.map(
      ({ agent, taskUid }) => `${agent === CAROL ? 'carol' : 'alice'} ${at.uids.indexOf(taskUid)}`
    )

  it('is one list, newest first, in which a task that two of them share stands twice', async () => {
    // Which of two ids sorts higher is chance.
    const shared = (await rows()).slice(1, 3)
    expect(shared).to.have.members(['alice 1', 'carol 1'])
    expect(await rows()).to.deep.equal(['carol 2', ...shared, 'alice 0'])
  })

  it('is the same list page by page, whatever the size of a page', async () => {
    const whole = await rows()
    for (const limit of [1, 2, 3]) {
      const found: string[] = []
      let after: string | undefined
      do {
        const page = good(await list({ limit, ...(after === undefined ? {} : { after }) }))
        expect(page.items.length).to.be.at.most(limit)
        found.push(
          ...page.items.map((one) => `${one.agent === CAROL ? 'carol' : 'alice'} ${at.uids.indexOf(one.taskUid)}`)
        )
        after = page.next
      } while (after !== undefined)
      expect(found).to.deep.equal(whole)
    }
  })

  it('is that of one agent, or with one contact, when the owner asks for that', async () => {
    expect(await rows({ agent: 'carol' })).to.deep.equal(['carol 2', 'carol 1'])
    expect(await rows({ contact: '@bob' })).to.deep.equal(['carol 2', 'alice 0'])
    expect(await rows({ contact: CAROL })).to.deep.equal(['alice 1'])
    expect(await rows({ agent: 'default', contact: '@bob' })).to.deep.equal(['alice 0'])
    expect(await rows({ status: 'agreed' })).to.deep.equal([])
    expect(await rows({ type: 'job.request' })).to.deep.equal([])
    expect(await rows({ type: 'dinner.coordination', status: 'open' })).to.deep.equal(await rows({ status: 'open' }))
  })

  it('names the contact in the own words of the owner, and the type by its title', async () => {
    good(await at.world.do(at.node.flows.owner.renameContact({ contact: '@bob', alias: '@robert' })))
    const [task] = good(await list({ agent: 'default', contact: '@robert' })).items
    const { participantHandle, typeTitle, agent, title, participant } = task ?? ({} as never)
    expect({ participantHandle, typeTitle, agent, title, participant }).to.deep.equal({
      participantHandle: '@robert',
      typeTitle: 'Dinner',
      agent: at.node.agent,
      title: 'mine',
      participant: at.bob.agent
    })
  })

  const odd: ReadonlyArray<[string, Parameters<typeof list>[0], string]> = [
    ['an agent that is not here', { agent: 'nobody' }, 'not_found agent'],
    ['a contact that nobody has', { contact: '@nobody' }, 'bad_request unknown_participant contact'],
    ['a place that is none', { after: 'x' }, 'bad_request invalid_field after'],
    [
      "a place of an agent's own list",
      { after: `${'0'.repeat(15)}/${'a'.repeat(32)}` },
      'bad_request invalid_field after'
    ]
  ]
  for (const [what, more, refused] of odd) {
    it(`refuses ${what}`, async () => {
      expect(refusalOf(await list(more))).to.equal(refused)
    })
  }

  it('is read one by one: of the agent that is meant, and of no other', async () => {
    const { owner } = at.node.flows
    const [first = '', , last = ''] = at.uids
    expect(good(await at.world.do(owner.task({ taskUid: first }))).agent).to.equal(at.node.agent)
    expect(refusalOf(await at.world.do(owner.task({ taskUid: last })))).to.equal('not_found taskUid')
    expect(good(await at.world.do(owner.task({ agent: 'carol', taskUid: last }))).participantHandle).to.equal('@bob')
  })

  it('is ended by the owner as the agent would, and the log says whose word it was', async () => {
    const { owner } = at.node.flows
    const [taskUid = ''] = at.uids
    const wrong = owner.cancelTask({ taskUid, reason: 'because' })
    expect(refusalOf(await at.world.do(wrong))).to.equal('bad_request invalid_field reason')
    const task = good(await at.world.do(owner.cancelTask({ taskUid, reason: 'changed_plans' })))
    expect([task.cancelRequested, task.participantHandle]).to.deep.equal([true, '@bob'])
    await at.world.rest()
    expect(good(await at.world.do(at.bob.flows.agent.getTask(at.bob.agent, taskUid))).status).to.equal('cancelled')
    expect(await lastTold(at.node, 'task.cancelled')).to.deep.equal({ kind: 'owner' })
    expect(await lastTold(at.bob, 'task.cancelled')).to.deep.equal({ kind: 'peer', id: at.node.agent })
    const again = await at.world.do(owner.cancelTask({ taskUid }))
    expect(again.ok).to.equal(false)
  })
})

describe('the delegated work of all agents, as their owner sees it', () => {
  let at: Stage
  beforeEach(async () => {
    at = await stage()
    for (const [agent, to, id] of [
      [at.node.agent, '@bob', 'one'],
      [CAROL, '@bob', 'two'],
      [at.node.agent, CAROL, 'three']
    ] as const) {
      await act(at.world, { node: at.node, agent }, submitTo(to, id, { filesAndInterfaces: [id] }))
    }
  })
  const list = async (more: Partial<Parameters<Node['flows']['owner']['envelopes']>[0]> = {}): Promise<string[]> =>
    good(await at.world.do(at.node.flows.owner.envelopes({ limit: 50, ...more }))).items.map(
      ({ agent, taskId, role }) => `${agent === CAROL ? 'carol' : 'alice'} ${taskId} ${role}`
    )

  it('is one list with both sides of what they delegate to each other', async () => {
    const all = await list()
    expect(all.slice(0, 2)).to.have.members(['alice three sender', 'carol three recipient'])
    expect(all.slice(2)).to.deep.equal(['carol two sender', 'alice one sender'])
    expect(await list({ role: 'recipient' })).to.deep.equal(['carol three recipient'])
    expect(await list({ contact: '@bob', agent: 'carol' })).to.deep.equal(['carol two sender'])
    expect(await list({ state: 'completed' })).to.deep.equal([])
  })

  it('says what a received task owns, and with whom', async () => {
    await act(at.world, { node: at.node, agent: CAROL }, { do: 'claim', taskId: 'three' })
    const { items } = good(await at.world.do(at.node.flows.owner.owned({})))
    const short = items.map(({ agent, participantHandle, taskId, paths }) => [agent, participantHandle, taskId, paths])
    expect(short).to.deep.equal([[CAROL, '@alice', 'three', ['three']]])
    expect(good(await at.world.do(at.node.flows.owner.owned({ agent: 'default' }))).items).to.deep.equal([])
  })

  it('is called off by the owner of the sender, once', async () => {
    const { owner } = at.node.flows
    const first = good(await at.world.do(owner.cancelEnvelope({ taskId: 'one' })))
    expect([first.status, first.envelope.cancelRequested ?? first.envelope.state]).to.deep.equal(['sent', true])
    expect(await lastTold(at.node, 'envelope.cancelled')).to.deep.equal({ kind: 'owner' })
    await at.world.rest()
    expect(good(await at.world.do(owner.envelope({ taskId: 'one' }))).state).to.equal('canceled')
    expect(good(await at.world.do(owner.cancelEnvelope({ taskId: 'one' }))).status).to.equal('unchanged')
    const received = owner.cancelEnvelope({ agent: 'carol', taskId: 'three' })
    expect(refusalOf(await at.world.do(received))).to.match(/^conflict /)
    const others = owner.cancelEnvelope({ agent: 'carol', taskId: 'one' })
    expect(refusalOf(await at.world.do(others))).to.equal('not_found taskId')
  })

  it('says what an agent may let a contact learn now, and why', async () => {
    const { owner } = at.node.flows
    const of = async (participant?: string) => {
      const asked = owner.capabilities({ agent: 'carol', ...(participant === undefined ? {} : { participant }) })
      return good(await at.world.do(asked)).items.find((one) => one.capability === 'disclose.budget')
    }
    good(
      await at.world.do(
        owner.setGrant({ agent: 'carol', contact: '@bob', capability: 'disclose.budget', effect: 'deny' })
      )
    )
    expect(await of('@bob')).to.deep.include({
      effect: 'deny',
      because: { contact: at.bob.agent, capability: 'disclose.budget' }
    })
    expect((await of())?.effect).to.equal('allow')
  })
})

async function lastTold(node: Node, what: string): Promise<unknown> {
  const entries = (await node.all('audit')).flatMap((bytes) => readEntry(bytes) ?? [])
  return entries.filter((entry) => entry.what === what).at(-1)?.who
}

describe('the order of several agents', () => {
  const agents = ['al1a', 'al1b', 'al1c'] as AgentId[]
  const key = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), fc.constantFrom(...agents))
  const text = (at: number, uid: number): string => `${String(at).padStart(15, '0')}/${String(uid).padStart(32, '0')}`

  it('has each task once, whatever the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { selector: String }),
        fc.integer({ min: 1, max: 5 }),
        async (keys, limit) => {
          const all = keys
            .map(([at, uid, agent]) => `${text(at, uid)}/${agent}`)
            .sort()
            .reverse()
          const store = storeOf(all)
          const found: string[] = []
          let after: string | undefined
          do {
            const page = await pageOf(good(newestFirst(store, 'taskOrder', agents, after)), limit, cursorOf)
            found.push(...page.items)
            after = page.next
          } while (after !== undefined)
          expect(found).to.deep.equal(all)
        }
      ),
      { numRuns: 200 }
    )
  })

  it('is left after a thousand tasks that nobody asked for, with the place to go on from', async () => {
    const all = Array.from({ length: 1001 }, (_, at) => `${text(at, 0)}/al1a`)
    const page = await pageOf(good(newestFirst(storeOf(all), 'taskOrder', agents, undefined)), 1, () =>
      Promise.resolve(undefined)
    )
    expect(page).to.deep.equal({ items: [], next: all[1] })
  })

  const cursorOf = (place: Place): Promise<string> => Promise.resolve(place.cursor)

  function storeOf(cursors: readonly string[]): Parameters<typeof newestFirst>[0] {
    const keys = cursors.map((one) => one.replace(/^(.*)\/(al1.)$/, '$2/$1')).sort()
    return {
      range: (_table, { prefix, before, limit = Infinity }) => {
        const found = keys.filter((one) => one.startsWith(prefix) && (before === undefined || one < prefix + before))
        const rows = found.reverse().slice(0, limit)
        return Promise.resolve(rows.map((one) => [one, one.split('/')[2] as TaskUid]) as never)
      }
    }
  }
})
