import { expect } from 'chai'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { homePaths } from '../../src/api/home.js'
import type { AgentId } from '../../src/base/ids.js'
import { seqKey } from '../../src/flows/keys.js'
import { openLevel } from '../../src/store/level.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import { withAlteredPayload } from '../store/chains.js'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, until } from './agentlink.js'
import { befriend, Daemon } from './daemon.js'
import { createLedger } from './ledger.js'

interface Report {
  readonly records: number
  readonly running: boolean
  readonly encrypted: boolean
}

interface Repair {
  readonly harmed: ReadonlyArray<{ readonly tasks: readonly string[] }>
  readonly left: readonly object[]
}

interface Status {
  readonly undelivered: number
}

describe('a node that is lost, and comes back from its backup', function () {
  this.timeout(90_000)
  const homes = temporaryHomes()
  const ledger = createLedger()
  let alice: Daemon
  let bob: Daemon
  let file: string

  before(async () => {
    ;[alice, bob] = await Promise.all([Daemon.make(homes.make(), '@alice'), Daemon.make(homes.make(), '@bob')])
    await befriend(alice, bob)
    file = join(alice.home, '..', `${process.pid}.backup`)
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill()
    rmSync(file, { force: true })
    homes.clean()
  })

  it('is backed up while it runs, for its owner alone', async () => {
    await ledger.create(alice, bob.run.agent)
    const report = await answer<Report>(['backup', file, '--home', alice.home])
    expect([report.running, report.encrypted, (statSync(file).mode & 0o777).toString(8)]).to.deep.equal([
      true,
      false,
      '600'
    ])
    expect(report.records).to.be.greaterThan(10)
    expect((await answer<Report>(['backup', 'verify', file])).records).to.equal(report.records)
    expect((await agentlink(['backup', file, '--home', alice.home])).err).to.match(/exists; say another file/)
  })

  it('takes back from its contact what it signed since, uses no number twice, and goes on', async () => {
    await ledger.create(alice, bob.run.agent)
    const uid = ledger.tasks.at(-1)
    await until(
      async () => (await alice.owner<Status>('GET', 'status')).body.undelivered,
      (count) => count === 0
    )
    await alice.kill()
    expect((await agentlink(['restore', file, '--home', alice.home])).err).to.match(/is there already/)
    rmSync(alice.home, { recursive: true })
    await answer(['restore', file, '--home', alice.home])
    await alice.start()
    const read = () => alice.agent<{ task?: { status: string } }>('GET', `tasks/${uid}`)
    await until(read, ({ status }) => status === 200, 30_000)
    await ledger.create(alice, bob.run.agent)
    await until(
      async () => (await alice.owner<Status>('GET', 'status')).body.undelivered,
      (count) => count === 0
    )
    const contacts = await bob.owner<{ items: ReadonlyArray<{ frozen?: object }> }>('GET', 'contacts')
    expect(contacts.body.items.map((one) => one.frozen)).to.deep.equal([undefined])
    const audit = await answer<{ items: ReadonlyArray<{ what: string }> }>(['audit', '--home', alice.home])
    expect(audit.items.filter(({ what }) => what === 'node.restored')).to.have.length(1)
  })

  it('whose disk flips a bit says which task that hits, and gets the message again from its contact', async () => {
    const uid = ledger.tasks.at(-1) as string
    const peer = bob.run.agent
    const alices = alice.run.agent
    await alice.kill('SIGTERM')
    const head = await flipNewest(alice.home, alices, peer)
    const started = await agentlink(['start', '--home', alice.home])
    expect([started.code, started.err]).to.deep.equal([1, started.err])
    expect(started.err).to.include(`message ${head} to @bob, task ${uid}: altered`).and.to.include('agentlink repair')
    const found = await answer<Repair>(['repair', '--home', alice.home])
    expect([found.harmed.map((one) => one.tasks), found.left]).to.deep.equal([[[uid]], []])
    expect(await answer<Repair>(['repair', '--home', alice.home])).to.deep.equal({ harmed: [], left: [] })
    await alice.start()
    expect((await alice.agent('GET', `tasks/${uid}`)).status).to.equal(200)
  })

  it('and whose contact is away is told to wait for it', async () => {
    const peer = bob.run.agent
    const alices = alice.run.agent
    await alice.kill('SIGTERM')
    await bob.kill('SIGTERM')
    await flipNewest(alice.home, alices, peer)
    const { code, err } = await agentlink(['repair', '--wait', '1', '--home', alice.home])
    expect([code, err]).to.deep.equal([1, err])
    expect(err).to.match(/still harmed:\n {2}message \d+ to @bob.*See that the node of the contact runs/s)
  })
})

/** Flips a bit of the newest message that the agent wrote to that peer; its number. */
async function flipNewest(home: string, agent: string, peer: string): Promise<number> {
  const disk = await openLevel(homePaths(home).state)
  const chain = disk.getSync(placeOf('chains', `${agent}/${peer}`)) as Uint8Array
  const { seq } = TABLES.chains.decode(chain).out
  const place = placeOf('sent', seqKey(agent as AgentId, peer as AgentId, seq))
  await disk.write([{ key: place, value: withAlteredPayload(disk.getSync(place) as Uint8Array) }])
  await disk.close()
  return seq
}
