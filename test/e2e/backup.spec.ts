import { expect } from 'chai'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, until } from './agentlink.js'
import { befriend, Daemon } from './daemon.js'
import { createLedger } from './ledger.js'

interface Report {
  readonly records: number
  readonly running: boolean
  readonly encrypted: boolean
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
})
