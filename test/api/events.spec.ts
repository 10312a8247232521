import { expect } from 'chai'
import { execFile } from 'node:child_process'
import fc from 'fast-check'
import { badRequest } from '../../src/base/refusal.js'
import { fail, ok } from '../../src/base/result.js'
import type { AgentDoor } from '../../src/flows/doors.js'
import type { InboxItem } from '../../src/flows/views/pages.js'
import { createDoubleDoors } from './double.js'
import { type HandClock, createHandClock } from './hand-clock.js'
import { type TestApi, WIDE, startTestApi } from './test-api.js'
import { TOKENS } from './views.js'
import { refusalOf, send } from './raw.js'
import { needCurl } from '../support/seed-commands.js'
import { openStream } from './stream-reader.js'

/** An inbox with the promises of the real one: cursors from 1, a read waits for something newer or for its time. */
function createInbox(clock: HandClock) {
  const items: InboxItem[] = []
  const wakes = new Set<() => void>()
  let taken = 0
  const read: AgentDoor['inbox'] = async (_agent, { after = 0, waitSeconds, limit }, signal) => {
    const found = (): InboxItem[] => items.filter((item) => item.cursor > after).slice(0, limit)
    if (found().length === 0 && waitSeconds > 0 && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          callOff()
          wakes.delete(done)
          resolve()
        }
        const callOff = clock.wake(waitSeconds * 1000, done)
        wakes.add(done)
        signal?.addEventListener('abort', done)
      })
    }
    const page = found()
    taken += page.length
    return ok({ items: page, next: page.at(-1)?.cursor ?? after })
  }
  return {
    read,
    /** Items given out so far. */
    taken: () => taken,
    waiting: () => wakes.size,
    arrive(note: string) {
      items.push({
        cursor: items.length + 1,
        kind: 'task.propose',
        from: 'al1bob',
        at: '2026-11-01T10:00:00.000Z',
        content: { note }
      })
      for (const wake of [...wakes]) wake()
    }
  }
}

/** A turn of the event loop, with what the sockets have. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
async function untilTrue(passes: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!passes()) {
    if (performance.now() > end) throw new Error('it did not come to pass')
    await turn()
  }
}

describe('the events of an agent', () => {
  let api: TestApi
  let clock: HandClock
  let inbox: ReturnType<typeof createInbox>
  beforeEach(async () => {
    clock = createHandClock()
    inbox = createInbox(clock)
    api = await startTestApi(
      { clock, agent: { ...createDoubleDoors().agent, inbox: inbox.read } },
      { ...WIDE, waits: 8 }
    )
  })
  afterEach(() => api.stop())

  const open = (headers: Record<string, string> = {}, query = '') =>
    openStream({ socketPath: api.aliceSocket, path: `/v1/agent/events${query}` }, TOKENS.alice, headers)

  it('come as they arrive, one line of JSON each, under the cursor as their id', async () => {
    const stream = await open()
    expect(stream.headers['content-type']).to.equal('text/event-stream; charset=utf-8')
    expect(stream.headers['cache-control']).to.equal('no-store')
    inbox.arrive('line\nfeed\r\n\nid: 99\ndata: forged\u2028')
    const event = await stream.next()
    expect(event?.id).to.equal('1')
    expect((JSON.parse(event?.data ?? '') as InboxItem).content['note']).to.include('data: forged')
    inbox.arrive('two')
    expect((await stream.next())?.id).to.equal('2')
    stream.drop()
  })

  it('start after Last-Event-ID, else after the query, and the header wins', async () => {
    for (const note of ['1', '2', '3']) inbox.arrive(note)
    const cases = [
      [{}, '', '1'],
      [{}, '?after=1', '2'],
      [{ 'last-event-id': '2' }, '', '3'],
      [{ 'last-event-id': '2' }, '?after=0', '3']
    ] as const
    for (const [headers, query, first] of cases) {
      const stream = await open(headers, query)
      expect((await stream.next())?.id).to.equal(first)
      stream.drop()
    }
  })

  it('have no gap and no repeat, whatever the connection does', async function () {
    this.timeout(60_000)
    const step = fc.record({ arrive: fc.nat(6), read: fc.nat(6), drop: fc.boolean(), tcp: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const fresh = createInbox(clock)
        const run = await startTestApi({ clock, agent: { ...createDoubleDoors().agent, inbox: fresh.read } })
        const seen: string[] = []
        let sent = 0
        let stream = undefined as Awaited<ReturnType<typeof open>> | undefined
        for (const { arrive, read, drop, tcp } of [...steps, { arrive: 1, read: 1000, drop: true, tcp: false }]) {
          for (let i = 0; i < arrive; i++) fresh.arrive(String((sent += 1)))
          const place = tcp ? { port: new URL(run.url).port } : { socketPath: run.socket }
          const last = seen.at(-1)
          stream ??= await openStream(place, TOKENS.alice, last === undefined ? {} : { 'last-event-id': last })
          for (let i = 0; i < read && seen.length < sent; i++) seen.push((await stream.next())?.id ?? 'ended')
          if (drop) stream.drop()
          if (drop) stream = undefined
        }
        await run.stop()
        expect(seen).to.deep.equal(Array.from({ length: sent }, (_, index) => String(index + 1)))
      }),
      { numRuns: 40 }
    )
  })

  it('wait for a slow reader instead of filling memory, and lose nothing on the way', async function () {
    this.timeout(60_000)
    const count = 600
    for (let i = 0; i < count; i++) inbox.arrive('x'.repeat(64 * 1024))
    const stream = await open()
    stream.hold()
    let before = -1
    for (let still = 0; still < 200; still = inbox.taken() === before ? still + 1 : 0) {
      before = inbox.taken()
      await turn()
    }
    expect(inbox.taken()).to.be.lessThan(150)
    stream.resume()
    for (let i = 1; i <= count; i++) expect((await stream.next())?.id).to.equal(String(i))
    stream.drop()
  })

  it('end for a reader that takes nothing for a minute', async () => {
    for (let i = 0; i < 600; i++) inbox.arrive('x'.repeat(64 * 1024))
    const stream = await open()
    stream.hold()
    await untilTrue(() => clock.pending() > 0)
    clock.pass(60_000)
    stream.resume()
    while ((await stream.next()) !== undefined);
    expect(inbox.taken()).to.be.lessThan(600)
  })

  it('are silent for fifteen seconds at most', async () => {
    const stream = await open()
    await untilTrue(() => inbox.waiting() === 1)
    clock.pass(15_000)
    await untilTrue(() => stream.comments.length === 1)
    inbox.arrive('after the comment')
    expect((await stream.next())?.id).to.equal('1')
    stream.drop()
  })

  it('end when the server stops', async () => {
    const stream = await open()
    await untilTrue(() => inbox.waiting() === 1)
    await api.stop()
    expect(await stream.next()).to.equal(undefined)
    expect(inbox.waiting()).to.equal(0)
  })

  it('leave nothing waiting when their reader is gone', async () => {
    const stream = await open()
    await untilTrue(() => inbox.waiting() === 1)
    stream.drop()
    await untilTrue(() => inbox.waiting() === 0)
  })

  it('are, with long polls, as many for an agent as the limit says, and others have their own', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => open()))
    const ninth = await open()
    expect([ninth.status, ninth.headers['retry-after']]).to.deep.equal([429, '1'])
    expect(JSON.parse(await ninth.text())).to.have.nested.property('error.code', 'rate_limited')
    const poll = (wait: number) =>
      send({ path: api.socket }, { target: `/v1/agent/inbox?wait=${wait}`, token: TOKENS.alice })
    expect(refusalOf(await poll(1)).details).to.deep.equal({ code: 'too_many_waits', retryAfter: 1 })
    inbox.arrive('for a poll that does not wait')
    expect((await poll(0)).status).to.equal(200)
    const other = await openStream({ socketPath: api.socket }, TOKENS.bob)
    expect(other.status).to.equal(200)
    streams[0]?.drop()
    await untilTrue(() => inbox.waiting() === 8)
    const again = await open()
    expect(again.status).to.equal(200)
    for (const stream of [...streams, other, again]) stream.drop()
  })

  it('refuse a cursor that the inbox refuses, before a stream is open, and by the name that it was given under', async () => {
    const refused = await startTestApi({
      agent: {
        ...createDoubleDoors().agent,
        inbox: async () => fail(badRequest('invalid_field', 'after is beyond the newest item', 'after'))
      }
    })
    for (const [header, query, field] of [
      ['Last-Event-ID: 9', '', 'Last-Event-ID'],
      ['X: y', '?after=9', 'after']
    ] as const) {
      const target = `/v1/agent/events${query}`
      const answer = await send({ path: refused.socket }, { target, token: TOKENS.alice, headers: [header] })
      expect([answer.status, refusalOf(answer).details]).to.deep.equal([400, { code: 'invalid_field', field }])
    }
    await refused.stop()
  })

  for (const [what, header, target, field] of [
    ['a word', 'Last-Event-ID: x', '', 'Last-Event-ID'],
    ['a negative cursor', 'Last-Event-ID: -1', '', 'Last-Event-ID'],
    ['more than a safe integer', 'Last-Event-ID: 9999999999999999', '', 'Last-Event-ID'],
    ['two of them', 'Last-Event-ID: 1\r\nLast-Event-ID: 2', '', 'Last-Event-ID'],
    ['an empty one', 'Last-Event-ID:', '', 'Last-Event-ID'],
    ['an odd query', 'X: y', '?after=abc', 'after'],
    ['an unknown member', 'X: y', '?wait=3', 'wait']
  ] as const) {
    it(`refuse ${what}`, async () => {
      const answer = await send(
        { path: api.socket },
        { target: `/v1/agent/events${target}`, token: TOKENS.alice, headers: [header] }
      )
      expect([answer.status, refusalOf(answer).details.field]).to.deep.equal([400, field])
    })
  }

  for (const way of ['TCP', 'a unix socket'] as const) {
    it(`come through curl -N over ${way}`, async function () {
      needCurl(this)
      const where = way === 'TCP' ? [api.url] : ['--unix-socket', api.aliceSocket, 'http://localhost']
      const url = `${where.pop()}/v1/agent/events`
      const curl = execFile('curl', ['-sS', '-N', ...where, url, '-H', `Authorization: Bearer ${TOKENS.alice}`])
      let text = ''
      curl.stdout?.on('data', (part: string) => (text += part))
      inbox.arrive('for curl')
      await untilTrue(() => text.includes('id: 1\ndata: {"cursor":1,'))
      curl.kill()
    })
  }
})
