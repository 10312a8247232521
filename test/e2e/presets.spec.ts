import { expect } from 'chai'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, endAll, until } from './agentlink.js'
import { Daemon, contactOf } from './daemon.js'

const DINNER = { date: '2026-12-24', time: '19:00', timezone: 'America/Toronto', partySize: 2 }

interface Audit {
  readonly items: ReadonlyArray<{ readonly what: string; readonly about: { readonly preset?: string } }>
}

describe('presets on real nodes', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  after(async () => {
    await endAll()
    homes.clean()
  })

  it('rule from the first message on, are replaced only as they were shown, and outlive the process', async () => {
    const home = homes.make()
    const made = await answer<{ preset: { name: string; rules: object[] } }>([
      'init',
      '--home',
      home,
      '--handle',
      '@alice',
      '--preset',
      'balanced'
    ])
    expect([made.preset.name, made.preset.rules.length]).to.deep.equal(['balanced', 2])
    const alice = Daemon.at(home, '@alice')
    await alice.start()
    const bob = await Daemon.make(homes.make(), '@bob')
    const { body } = await alice.owner<{ link: string }>('POST', 'invites', {})
    await bob.owner('POST', 'contacts', { link: body.link })
    await until(
      () => contactOf(alice, bob.run.agent),
      (contact) => contact?.status === 'active'
    )

    const create = (more = {}) =>
      alice.agent('POST', 'tasks', {
        type: 'dinner.coordination',
        participant: '@bob',
        proposal: { ...DINNER, ...more }
      })
    expect([(await create()).status, (await create({ dietaryNotes: ['vegan'] })).status]).to.deep.equal([201, 202])

    const words = ['grant', 'preset', 'private', '--home', home]
    const shown = await agentlink(words)
    expect([shown.code, shown.err]).to.deep.equal([1, 'agentlink: Nothing was applied. Say --yes to apply it.\n'])
    expect(shown.out).to.match(/disclose\.budget +ask +deny/)
    expect((await create()).status).to.equal(201)

    await alice.owner('PUT', 'grants', { contact: '@bob', capability: 'disclose.budget', effect: 'allow' })
    expect(await agentlink([...words, '--yes'])).to.include({ code: 0 })
    await alice.kill()
    await alice.start()
    expect([
      (await create()).status,
      (await create({ dietaryNotes: ['vegan'] })).status,
      (await create({ budgetPerPerson: 40 })).status
    ]).to.deep.equal([202, 403, 202])
    const pending = await alice.owner<{ items: object[] }>('GET', 'approvals?status=pending')
    expect(pending.body.items).to.have.length(2)

    const log = await answer<Audit>(['audit', '--what', 'preset', '--home', home])
    expect(log.items.map(({ about }) => about.preset)).to.deep.equal(['private', 'balanced'])
    expect(await agentlink(['audit', 'verify', '--home', home])).to.include({ code: 0 })
  })

  it('come late to a home that is there: init changes nothing and says what to do', async () => {
    const home = homes.make()
    await answer(['init', '--home', home])
    const { code, err } = await agentlink(['init', '--home', home, '--preset', 'open'])
    expect(code).to.equal(1)
    expect(err).to.include('nothing was changed').and.include(`agentlink grant preset open --home ${home}`)
  })
})
