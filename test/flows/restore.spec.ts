import { expect } from 'chai'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json } from '../../src/base/json.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { Head } from '../../src/wire/forms.js'
import type { VerifiedMessage } from '../../src/wire/message.js'
import type { Node, World } from './pair.js'
import {
  DINNER_TYPE,
  befriend,
  chainsAt,
  createWorld,
  dinner,
  friends,
  good,
  installed,
  openUp,
  refusalOf,
  stateAt
} from './pair.js'
import {
  type Thread,
  acquaint,
  createPuppet,
  firstPlace,
  invite as messageInvite,
  messagesOn,
  say,
  uidOf
} from './puppet.js'

const DINNER = { type: 'dinner.coordination', proposal: dinner() }

interface Pair {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

async function create({ world }: Pair, from: Node, participant: string, expiresInHours = 72): Promise<string> {
  const command = { ...DINNER, participant, expiresInHours }
  const { answer } = good(await world.do(from.flows.agent.createTask(from.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  await world.rest()
  return answer.task.taskUid
}

async function read({ world }: Pair, node: Node, uid: string): Promise<TaskView> {
  return good(await world.do(node.flows.agent.getTask(node.agent, uid)))
}

async function accept(pair: Pair, node: Node, uid: string): Promise<void> {
  const proposalId = (await read(pair, node, uid)).proposals.at(-1)?.proposalId ?? ''
  good(await pair.world.do(node.flows.agent.respond(node.agent, uid, { proposalId, decision: 'accept' })))
  await pair.world.rest()
}

async function comeBack({ world }: Pair, node: Node, backup: ReturnType<Node['backup']>): Promise<void> {
  node.crash()
  node.restore(backup)
  await node.start()
  await world.rest()
}

const RETIRED = installed(DINNER_TYPE.definition, 'retired')

describe('a node restored from an old backup', () => {
  it('gets its own messages back from its contact, and the task that it opened', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = bob.backup()
    const uid = await create(pair, bob, '@alice')
    good(await world.do(alice.flows.agent.propose(alice.agent, uid, { proposal: dinner({ time: '20:00' }) })))
    await world.rest()
    await accept(pair, bob, uid)
    await comeBack(pair, bob, backup)
    await create(pair, alice, '@bob')
    await world.rest(20_000)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['3/3 3', '3/3 3'])
    const [here, there] = [await read(pair, bob, uid), await read(pair, alice, uid)]
    expect([here.status, here.agreedProposalId]).to.deep.equal(['agreed', there.agreedProposalId])
  })

  it('gets back the task that it was invited to, with its own answers in it', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = bob.backup()
    const uid = await create(pair, alice, '@bob')
    await accept(pair, bob, uid)
    await comeBack(pair, bob, backup)
    await create(pair, alice, '@bob')
    await world.rest(20_000)
    const [here, there] = [await read(pair, bob, uid), await read(pair, alice, uid)]
    expect([here.status, here.role, here.agreedProposalId]).to.deep.equal(['agreed', 'invitee', there.agreedProposalId])
    expect(await bob.all('orphans')).to.deep.equal([])
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['3/3 2', '2/2 3'])
  })

  it('does not judge again what it had let stand, however late it is now', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = bob.backup()
    const uid = await create(pair, alice, '@bob', 1)
    await accept(pair, bob, uid)
    world.clock.jump(7_200_000)
    await comeBack(pair, bob, backup)
    await create(pair, alice, '@bob')
    await world.rest(20_000)
    expect([(await read(pair, bob, uid)).status, (await read(pair, alice, uid)).status]).to.deep.equal([
      'agreed',
      'agreed'
    ])
  })

  it('does not judge again a later proposal that it had accepted', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = bob.backup()
    const uid = await create(pair, alice, '@bob', 1)
    good(await world.do(alice.flows.agent.propose(alice.agent, uid, { proposal: dinner({ time: '21:00' }) })))
    await world.rest()
    await accept(pair, bob, uid)
    world.clock.jump(7_200_000)
    await comeBack(pair, bob, backup)
    await create(pair, alice, '@bob')
    await world.rest(20_000)
    expect(chainsAt(bob, alice).split(' ')[0]).to.equal('2/2')
    expect([(await read(pair, bob, uid)).status, (await read(pair, alice, uid)).status]).to.deep.equal([
      'agreed',
      'agreed'
    ])
  })

  it('keeps away from its agent what it had refused', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob', { types: [RETIRED] })]
    await befriend(world, alice, bob)
    await openUp(world, alice)
    const pair = { world, alice, bob }
    const backup = bob.backup()
    const uid = await create(pair, alice, '@bob')
    await world.rest(5_000)
    expect(chainsAt(bob, alice)).to.equal('2/2 2')
    await comeBack(pair, bob, backup)
    good(await world.do(alice.flows.owner.liftDecline({ contact: '@bob', type: RETIRED.hash })))
    await create(pair, alice, '@bob')
    await world.rest(20_000)
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['3/3 3', '3/3 3'])
    expect(refusalOf(await world.do(bob.flows.agent.getTask(bob.agent, uid)))).to.equal('not_found taskUid')
    expect((await read(pair, alice, uid)).statusReason).to.equal('type_retired')
  })

  it('has the types back that its own answers show it had', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice'), await world.node('bob', { types: [] })]
    await befriend(world, alice, bob)
    await openUp(world, alice, bob)
    const pair = { world, alice, bob }
    const backup = bob.backup()
    const opened = await create(pair, alice, '@bob')
    const question = async (): Promise<string> =>
      good(await world.do(bob.flows.owner.approvals({ limit: 9, status: 'pending' }))).items[0]?.approvalId ?? ''
    const yes = { decision: 'approve', scope: 'once' } as const
    good(await world.do(bob.flows.owner.answerApproval(await question(), yes)))
    await accept(pair, bob, opened)
    await comeBack(pair, bob, backup)
    await create(pair, alice, '@bob')
    await world.rest(20_000)
    // It had accepted there, so the type had been installed: it is again, and the task goes on.
    expect((await read(pair, bob, opened)).status).to.equal('agreed')
    expect((await world.do(bob.flows.owner.types())).items.map((type) => type.state)).to.deep.equal(['active'])
  })

  it('has the types back that its own invites show it had', async () => {
    const world = createWorld()
    const [alice, bob] = [await world.node('alice', { types: [] }), await world.node('bob')]
    await befriend(world, alice, bob)
    await openUp(world, alice, bob)
    const pair = { world, alice, bob }
    const backup = alice.backup()
    const file = canonicalText(DINNER_TYPE.definition as unknown as Json)
    good(await world.do(alice.flows.owner.installType({ file })))
    const uid = await create(pair, alice, '@bob')
    await comeBack(pair, alice, backup)
    await world.rest(70_000)
    const proposal = dinner({ partySize: 5 })
    good(await world.do(alice.flows.agent.propose(alice.agent, uid, { proposal })))
    expect((await read(pair, alice, uid)).proposals).to.have.length(2)
  })

  it('is told to wait while it writes what would contradict what it lost', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = bob.backup()
    await create(pair, bob, '@alice')
    bob.crash()
    bob.restore(backup)
    // Alice says hello, and is cut off before she shows anything.
    world.wires.loseIf(({ from, type }) => from === alice.peerId && type === 'message')
    await bob.start()
    await create(pair, alice, '@bob')
    await world.rest(3_000)
    const command = { ...DINNER, participant: '@alice' }
    expect(refusalOf(await world.do(bob.flows.agent.createTask(bob.agent, command)))).to.equal('unavailable')
    bob.crash()
    await bob.start()
    expect(refusalOf(await world.do(bob.flows.agent.createTask(bob.agent, command)))).to.equal('unavailable')
    // Nor does it tell that contact of a new address but by its hello; and it starts.
    await bob.stop()
    world.wires.move(bob.peerId, '/ip4/127.0.0.1/tcp/4651')
    await bob.start()
    expect(chainsAt(bob, alice)).to.equal('1/1 1')
    world.wires.loseIf(undefined)
    await world.rest(120_000)
    await create(pair, bob, '@alice')
    await world.rest(20_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.deep.equal(['active', 'active'])
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['2/2 3', '3/3 2'])
  })

  it('that wrote something new before it heard of its loss has two histories: the contact is frozen on both', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = bob.backup()
    await create(pair, bob, '@alice')
    await create(pair, bob, '@alice')
    bob.crash()
    bob.restore(backup)
    world.wires.setReachable(alice.peerId, false)
    await bob.start()
    await create(pair, bob, '@alice')
    world.wires.setReachable(alice.peerId, true)
    await world.rest(120_000)
    expect([stateAt(alice, bob), stateAt(bob, alice)]).to.include('active frozen')
    expect((await alice.all('tasks')).length).to.equal(2)
  })

  it('writes nothing in a task before it has what its own words count', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const zoe = await createPuppet(world, 'zoe')
    const visit = await acquaint(world, alice, zoe)
    const lane = zoe.visitors.at(-1) as Thread
    const have = { mine: zoe.heads.get(alice.agent) as Head, yours: { seq: 0, id: '' as const } }
    lane.say({ type: 'hello', hello: { v: 1, card: zoe.card(), to: alice.agent, have } })
    const uid = uidOf('1')
    visit.say(say(zoe.write(alice, messageInvite(world), firstPlace(uid))))
    await world.rest()
    const backup = alice.backup()
    const place = { uid, n: 2, seen: 0, seenId: '' } as const
    const second = zoe.write(alice, { kind: 'task.propose', body: { proposal: dinner({ time: '20:00' }) } }, place)
    visit.say(say(second))
    await world.rest()
    const answer = { proposalId: second.id, decision: 'reject' } as const
    good(await world.do(alice.flows.agent.respond(alice.agent, uid, answer)))
    await world.rest()
    const rejected = messagesOn(lane, alice, zoe).at(-1) as VerifiedMessage
    alice.crash()
    alice.restore(backup)
    zoe.visitors.length = 0
    await alice.start()
    const held = { mine: zoe.heads.get(alice.agent) as Head, yours: { seq: rejected.header.seq, id: rejected.id } }
    await zoe.visit(alice, { have: held })
    const again = zoe.visitors.at(-1) as Thread
    again.say({ type: 'hello', hello: { v: 1, card: zoe.card(), to: alice.agent, have: held } })
    await world.rest()
    again.say(say(rejected))
    await world.rest()
    const cancel = () => world.do(alice.flows.agent.cancel(alice.agent, uid, {}))
    expect(refusalOf(await cancel())).to.equal('unavailable')
    const next = await zoe.visit(alice)
    next.say(say(second))
    await world.rest()
    expect(
      good(await world.do(alice.flows.agent.getTask(alice.agent, uid))).proposals.map((one) => one.status)
    ).to.deep.equal(['superseded', 'rejected'])
    good(await cancel())
  })

  it('sends again what its contact lost', async () => {
    const pair = await friends()
    const { world, alice, bob } = pair
    const backup = alice.backup()
    const uid = await create(pair, bob, '@alice')
    await comeBack(pair, alice, backup)
    await create(pair, bob, '@alice')
    await world.rest(20_000)
    expect((await read(pair, alice, uid)).status).to.equal('open')
    expect([chainsAt(alice, bob), chainsAt(bob, alice)]).to.deep.equal(['1/1 3', '3/3 1'])
  })
})
