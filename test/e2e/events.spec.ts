import { expect } from 'chai'
import { once } from 'node:events'
import { homePaths } from '../../src/api/home.js'
import { openStream } from '../api/stream-reader.js'
import { temporaryHomes } from '../support/homes.js'
import { endAll, started, until } from './agentlink.js'
import { Daemon, befriend } from './daemon.js'

const DINNER = { date: '2026-12-14', time: '19:00', timezone: 'America/Toronto', partySize: 2 }

describe('the events of a real node', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon
  before(async () => {
    alice = await Daemon.make(homes.make(), '@alice')
    bob = await Daemon.make(homes.make(), '@bob')
    await befriend(alice, bob)
  })
  after(async () => {
    await endAll()
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
  })

  const open = (last?: string) => {
    const socketPath = homePaths(alice.home).agent('default').socket
    return openStream({ socketPath }, alice.token, last === undefined ? {} : { 'last-event-id': last })
  }
  const invite = async (): Promise<void> => {
    const body = { type: 'dinner.coordination', participant: alice.run.agent, proposal: DINNER }
    expect((await bob.agent('POST', 'tasks', body)).status).to.equal(201)
  }

  it('are the items of the inbox, and go on where they were after a kill', async () => {
    const seen: unknown[] = []
    let stream = await open()
    let last = '0'
    const take = async (): Promise<void> => {
      const event = await stream.next()
      seen.push(JSON.parse(event?.data ?? 'null'))
      last = event?.id ?? last
    }
    await take()
    await invite()
    await take()
    await alice.kill('SIGKILL')
    expect(await stream.next()).to.equal(undefined)
    await invite()
    await alice.start()
    stream = await open(last)
    await take()
    await invite()
    await take()
    await alice.kill('SIGTERM')
    expect(await stream.next(), 'a node that stops ends its streams').to.equal(undefined)
    await alice.start()
    const { body } = await alice.agent<{ items: unknown[] }>('GET', 'inbox?after=0')
    expect(seen).to.deep.equal(body.items)
    expect(seen.length).to.equal(4)
  })
  it('are shown by the command line as they come, over an outage of the node, until their reader leaves', async () => {
    const watch = started(['events', '--home', alice.home, '--json', '--after', '0'])
    const gone = once(watch, 'close')
    let out = ''
    let err = ''
    watch.stdout.on('data', (text: string) => (out += text))
    watch.stderr.on('data', (text: string) => (err += text))
    const cursors = (): number[] =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { cursor: number }).cursor)
    const all = async (): Promise<number[]> =>
      (await alice.agent<{ items: { cursor: number }[] }>('GET', 'inbox?after=0')).body.items.map(
        ({ cursor }) => cursor
      )
    await until(
      () => Promise.resolve(cursors().length),
      (count) => count >= 4
    )
    await alice.kill('SIGTERM')
    await until(
      () => Promise.resolve(err),
      (text) => text.includes('waiting for it')
    )
    await alice.start()
    await invite()
    await until(
      () => Promise.resolve(cursors().length),
      (count) => count >= 5
    )
    expect(cursors()).to.deep.equal(await all())
    watch.stdout.destroy()
    await invite()
    expect(await gone).to.deep.equal([0, null])
  })
})
