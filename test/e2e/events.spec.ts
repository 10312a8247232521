import { expect } from 'chai'
import { once } from 'node:events'
import { homePaths } from '../../src/api/home.js'
import { type StreamReader, openStream } from '../api/stream-reader.js'
import { temporaryHomes } from '../support/homes.js'
import { endAll, started, until } from './agentlink.js'
import { Daemon, befriend } from './daemon.js'

const DINNER = { date: '2026-12-14', time: '19:00', timezone: 'America/Toronto', partySize: 2 }

const OFFER = { title: 'A logo', description: 'Drawn', deliverable: 'One file', price: '0.25', turnaroundHours: 72 }
const ROOMS = 'agents approvals audit contacts envelopes grants offers payments status tasks types'.split(' ')

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
  const invite = async (title?: string): Promise<string> => {
    const body = { type: 'dinner.coordination', participant: alice.run.agent, proposal: DINNER }
    const told = await bob.agent<{ task: { taskUid: string } }>('POST', 'tasks', { ...body, ...(title && { title }) })
    expect(told.status).to.equal(201)
    return told.body.task.taskUid
  }
  /** What changed, as the owner's page hears it. */
  const rooms = (node: Daemon): Promise<StreamReader> =>
    openStream({ socketPath: node.run.socket, path: '/v1/owner/events' }, node.secret)
  const named = (data = '{"what":[]}'): string[] => (JSON.parse(data) as { what: string[] }).what
  /** Reads on until a room is named; answers everything that was named till then. */
  async function told(stream: StreamReader, room: string): Promise<string[]> {
    const heard: string[] = []
    while (!heard.includes(room)) {
      const event = await stream.next()
      if (event === undefined) throw new Error(`the stream ended before it named ${room}`)
      heard.push(...named(event.data))
    }
    return heard
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

  it('tell the owner of what a commit changed, on both sides, once it can be read, and never what', async () => {
    const [here, there] = [await rooms(alice), await rooms(bob)]
    const uid = await invite('Canary-of-the-title')
    for (const [node, stream] of [
      [bob, there],
      [alice, here]
    ] as const) {
      const heard = await told(stream, 'tasks')
      const { body } = await node.owner<{ items: { taskUid: string }[] }>('GET', 'tasks')
      expect(body.items.map(({ taskUid }) => taskUid)).to.include(uid)
      expect(heard.filter((room) => !ROOMS.includes(room))).to.deep.equal([])
    }
    await alice.owner('PUT', 'grants', { contact: '*', capability: 'disclose.x.canary', effect: 'deny' })
    expect((await told(here, 'grants')).join()).to.not.match(/canary/i)
    await alice.owner('POST', 'offers', OFFER)
    await told(here, 'offers')
    for (const stream of [here, there]) stream.drop()
  })

  it('tell the owner of a hundred commits in a few words, the last one with them', async () => {
    const stream = await rooms(alice)
    const began = performance.now()
    const put = (i: number) =>
      alice.owner('PUT', 'grants', { contact: '*', capability: `disclose.x.many_${i}`, effect: 'deny' })
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 10 }, (_, j) => put(10 * i + j)))
    await alice.owner('POST', 'offers', OFFER)
    const heard: string[][] = []
    while (!heard.flat().includes('offers')) heard.push(named((await stream.next())?.data))
    expect(heard.length).to.be.at.most(2 + (performance.now() - began) / 300)
    for (const what of heard) expect(what).to.deep.equal([...new Set(what)].sort())
    stream.drop()
  })

  it('outlive a kill: who reads and who does not, the page and the command line, all at once', async () => {
    const idle = await rooms(alice)
    idle.hold()
    const pages = [await rooms(alice), await rooms(alice)]
    const watch = started(['events', '--home', alice.home, '--json', '--after', '0'])
    let out = ''
    watch.stdout.on('data', (text: string) => (out += text))
    const shown = (): number[] =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { cursor: number }).cursor)
    const all = async (): Promise<number[]> =>
      (await alice.agent<{ items: { cursor: number }[] }>('GET', 'inbox?after=0&limit=200')).body.items.map(
        ({ cursor }) => cursor
      )
    await invite()
    for (const page of pages) await told(page, 'tasks')
    await until(
      () => Promise.resolve(shown().length),
      (count) => count > 0
    )
    await alice.kill('SIGKILL')
    for (const page of pages) while ((await page.next()) !== undefined);
    const missed = await invite()
    await alice.start()
    const again = [await rooms(alice), await rooms(alice)]
    await until(
      async () => (await alice.owner('GET', `tasks/${missed}`)).status,
      (status) => status === 200
    )
    const last = await invite()
    for (const page of again) await told(page, 'tasks')
    await until(
      async () => (await alice.owner('GET', `tasks/${last}`)).status,
      (status) => status === 200
    )
    const wanted = await all()
    await until(
      () => Promise.resolve(shown().length),
      (count) => count >= wanted.length
    )
    expect(shown()).to.deep.equal(wanted)
    for (const stream of [idle, ...again]) stream.drop()
    watch.kill('SIGKILL')
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
