import { expect } from 'chai'
import { pairKey, seqKey } from '../../src/flows/keys.js'
import { type Harm, joined } from '../../src/flows/harms.js'
import { createRefetch } from '../../src/flows/refetch.js'
import { readEntry } from '../../src/policy/audit.js'
import { auditChains } from '../../src/store/audit-chains.js'
import { createStore } from '../../src/store/store.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import { withAlteredPayload } from '../store/chains.js'
import type { Node, World } from './pair.js'
import { chainsAt, diskText, dinner, friends, good } from './pair.js'

/** Two friends with many tasks of both; alice's node is down. */
async function stage(tasks = 6): Promise<{ world: World; alice: Node; bob: Node }> {
  const all = await friends()
  const { world, alice, bob } = all
  for (let i = 0; i < tasks; i++) {
    for (const [from, to] of [
      [alice, '@bob'],
      [bob, '@alice']
    ] as const) {
      const command = { type: 'dinner.coordination', participant: to, proposal: dinner(), expiresInHours: 72 }
      good(await world.do(from.flows.agent.createTask(from.agent, command)))
    }
  }
  await world.rest(20_000)
  await alice.stop()
  return all
}

type Chain = Harm['chain']
const ALL = { recent: 1_000_000 }

const placeAt = (alice: Node, bob: Node, chain: Chain, seq: number): string =>
  placeOf(chain, seqKey(alice.agent, bob.agent, seq))

/** Runs it on alice's disk until it gives up or is done; the harms that are left. */
async function refetched({ world, alice }: { world: World; alice: Node }): Promise<Harm[]> {
  const kv = alice.disk.open()
  const faults = await world.do(auditChains(kv, ALL))
  const store = createStore(kv, { clock: world.clock, records: 'frozen' })
  const log = { info: () => undefined, warn: () => undefined }
  const components = { store, link: world.wires.open(alice.peerId), clock: world.clock, log, onMended: () => undefined }
  const run = createRefetch(components, { patienceMs: 30_000, callMs: 3_000 }, faults).run()
  let left: Harm[] | undefined
  void run.then((harms) => (left = harms))
  for (let tries = 0; left === undefined && tries < 400; tries++) await world.rest(1_000)
  await world.do(store.close())
  world.wires.close(alice.peerId)
  if (left === undefined) throw new Error('it never ends')
  return left
}

async function faultsOf(world: World, node: Node): Promise<string[]> {
  const faults = await world.do(auditChains(node.disk.open(), ALL))
  return faults.map(({ chain, from, to, fault }) => `${chain} ${from}-${to} ${fault}`)
}

/** All but the audit log, which tells of it. */
const beside = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^(au|me:audit)/.test(line))
    .join('\n')

describe('messages that a damaged store lost', () => {
  const harms: Array<[string, ReadonlyArray<readonly [Chain, number]>]> = [
    ['the first that the contact wrote', [['received', 1]]],
    ['the newest that the contact wrote', [['received', 7]]],
    ['the first of one’s own', [['sent', 1]]],
    ['the newest of one’s own', [['sent', 7]]],
    [
      'a row of both',
      (['sent', 'received'] as const).flatMap((chain) => [2, 3, 4].map((seq) => [chain, seq] as const))
    ],
    ['far apart', (['sent', 'received'] as const).flatMap((chain) => [1, 4, 7].map((seq) => [chain, seq] as const))],
    [
      'all',
      (['sent', 'received'] as const).flatMap((chain) => [1, 2, 3, 4, 5, 6, 7].map((seq) => [chain, seq] as const))
    ]
  ]
  for (const [name, places] of harms) {
    it(`come back from the contact, byte for byte: ${name}`, async () => {
      const { world, alice, bob } = await stage()
      const before = diskText(alice)
      for (const [chain, seq] of places) alice.disk.tamper(placeAt(alice, bob, chain, seq), undefined)
      expect(await refetched({ world, alice })).to.deep.equal([])
      expect(beside(diskText(alice))).to.equal(beside(before))
      expect(await faultsOf(world, alice)).to.deep.equal([])
      const told = alice.disk.contents({ gte: 'au:', lt: 'au;' }).map(([, bytes]) => readEntry(bytes))
      const mended = told.filter((entry) => entry?.what === 'messages.mended')
      expect(mended.length).to.be.greaterThan(0)
      expect(mended.at(-1)?.about).to.deep.equal({ agent: alice.agent, contact: bob.agent })
    })
  }

  it('come back where a byte was changed or junk lies in their place, and the node goes on as if nothing had been', async () => {
    const { world, alice, bob } = await stage()
    const own = placeAt(alice, bob, 'sent', 3)
    alice.disk.tamper(own, withAlteredPayload(alice.disk.get(own) as Uint8Array))
    alice.disk.tamper(placeAt(alice, bob, 'received', 5), Uint8Array.of(1, 2, 3))
    expect(await faultsOf(world, alice)).to.have.members(['sent 3-3 altered', 'received 5-5 unreadable'])
    expect(await refetched({ world, alice })).to.deep.equal([])
    await alice.start()
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner(), expiresInHours: 72 }
    good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    await world.rest(20_000)
    expect(chainsAt(bob, alice).split(' ')[1]).to.equal(chainsAt(alice, bob).split('/')[0])
    expect(good(await world.do(bob.flows.owner.contacts({}))).items.map((one) => one.frozen)).to.deep.equal([undefined])
  })

  it('stay harmed while the contact is not there, and nothing else is changed', async () => {
    const { world, alice, bob } = await stage(1)
    await bob.stop()
    alice.disk.tamper(placeAt(alice, bob, 'received', 2), undefined)
    const before = diskText(alice)
    expect(await refetched({ world, alice })).to.deep.include.members([
      { agent: alice.agent, peer: bob.agent, chain: 'received', from: 2, to: 2, fault: 'missing' }
    ])
    expect(diskText(alice)).to.equal(before)
  })

  it('come when the contact is there at last', async () => {
    const { world, alice, bob } = await stage(1)
    alice.disk.tamper(placeAt(alice, bob, 'received', 2), undefined)
    world.wires.setReachable(bob.peerId, false)
    const done = refetched({ world, alice })
    for (let i = 0; i < 10; i++) await world.rest(1_000)
    world.wires.setReachable(bob.peerId, true)
    expect(await done).to.deep.equal([])
  })

  it('are never replaced by others that the contact signed in their place', async () => {
    const { world, alice, bob } = await stage(2)
    alice.disk.tamper(placeAt(alice, bob, 'received', 2), undefined)
    // What bob's node holds under number 2 is another message that bob signed: that of number 3.
    await bob.stop()
    const third = placeOf('sent', seqKey(bob.agent, alice.agent, 3))
    bob.disk.tamper(placeOf('sent', seqKey(bob.agent, alice.agent, 2)), bob.disk.get(third))
    await bob.start()
    const left = await refetched({ world, alice })
    expect(left.map(({ from, to }) => [from, to])).to.deep.equal([[2, 2]])
    expect(alice.disk.get(placeAt(alice, bob, 'received', 2))).to.equal(undefined)
  })

  it('are not asked of a contact that ended', async () => {
    const { world, alice, bob } = await stage(1)
    alice.disk.tamper(placeAt(alice, bob, 'received', 2), undefined)
    const place = placeOf('contacts', pairKey(alice.agent, bob.agent))
    const contact = TABLES.contacts.decode(alice.disk.get(place) as Uint8Array)
    alice.disk.tamper(place, TABLES.contacts.encode({ ...contact, state: 'removed' }))
    world.wires.forget()
    expect(await refetched({ world, alice })).to.have.length(1)
    expect(world.wires.dials.filter(({ from }) => from === alice.peerId)).to.deep.equal([])
  })
})

describe('harms that touch each other', () => {
  const at = (chain: Chain, from: number, to: number): Harm =>
    ({ agent: 'a', peer: 'b', chain, from, to }) as unknown as Harm

  it('are one, and others stay apart', () => {
    expect(
      joined([at('sent', 5, 6), at('received', 1, 1), at('sent', 1, 2), at('sent', 3, 4), at('sent', 9, 9)])
    ).to.deep.equal([at('received', 1, 1), at('sent', 1, 6), at('sent', 9, 9)])
  })
})
