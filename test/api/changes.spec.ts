import { expect } from 'chai'
import { type TestApi, WIDE, startTestApi } from './test-api.js'
import { TOKENS } from './views.js'
import { JSON_TYPE, refusalOf, send } from './raw.js'
import { type StreamReader, openStream } from './stream-reader.js'

const EVENTS = { path: '/v1/owner/events' }
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

describe('the stream of changes', () => {
  let api: TestApi
  beforeEach(async () => {
    api = await startTestApi({}, { ...WIDE, waits: 3 })
  })
  afterEach(() => api.stop())

  const open = (): Promise<StreamReader> => openStream({ socketPath: api.socket, ...EVENTS }, TOKENS.owner)
  async function until(met: () => boolean): Promise<void> {
    while (!met()) await turn()
  }
  /** Lets the time between two events go by, once the stream waits for it. */
  async function lull(): Promise<void> {
    await until(() => api.clock.pending() > 0)
    api.clock.pass(300)
    await turn()
  }

  it('names the rooms that changed, sorted, and nothing else', async () => {
    const stream = await open()
    expect(stream.headers['content-type']).to.equal('text/event-stream; charset=utf-8')
    await until(() => api.doors.watching() === 1)
    api.doors.change('tasks', 'approvals')
    expect((await stream.next())?.data).to.equal('{"what":["approvals","tasks"]}')
    stream.drop()
  })

  it('tells together what happens within 300 ms', async () => {
    const stream = await open()
    await until(() => api.doors.watching() === 1)
    api.doors.change('tasks')
    await stream.next()
    for (let i = 0; i < 1000; i++) api.doors.change('tasks', i % 2 === 0 ? 'audit' : 'contacts')
    await turn()
    expect(stream.pending()).to.equal(0)
    await lull()
    expect((await stream.next())?.data).to.equal('{"what":["audit","contacts","tasks"]}')
    stream.drop()
  })

  it('sends a comment after 15 silent seconds', async () => {
    const stream = await open()
    await until(() => api.doors.watching() === 1 && api.clock.pending() > 0)
    api.clock.pass(15_000)
    await until(() => stream.comments.length === 1)
    expect(stream.pending()).to.equal(0)
    stream.drop()
  })

  it('cuts off who reads nothing, and others never notice', async () => {
    const [idle, quick] = [await open(), await open()]
    await until(() => api.doors.watching() === 2)
    idle.hold()
    let [told, taken] = [0, 0]
    while (api.doors.watching() === 2 && told < 100_000) {
      api.doors.change('tasks', 'envelopes', 'contacts', 'status', 'approvals', 'audit')
      told++
      await quick.next()
      taken++
      api.clock.pass(300)
      await new Promise(setImmediate)
    }
    expect(api.doors.watching()).to.equal(1)
    expect(taken).to.equal(told)
    api.doors.change('types')
    expect((await quick.next())?.data).to.equal('{"what":["types"]}')
    idle.resume()
    while ((await idle.next()) !== undefined);
    quick.drop()
  })

  it('is for the owner alone, and for so many at once', async () => {
    for (const token of [TOKENS.alice, undefined, 'guess']) {
      const stream = await openStream({ socketPath: api.socket, ...EVENTS }, token)
      expect(stream.status).to.equal(401)
    }
    const streams = [await open(), await open(), await open()]
    const more = await open()
    expect(more.status).to.equal(429)
    expect(await more.text()).to.include('too_many_waits')
    streams[0]?.drop()
    await until(() => api.doors.watching() === 2)
    expect((await open()).status).to.equal(200)
  })

  it('takes no member in its query', async () => {
    const answer = await send({ path: api.socket }, { target: '/v1/owner/events?after=1', token: TOKENS.owner })
    expect([answer.status, refusalOf(answer).details.code]).to.deep.equal([400, 'unknown_member'])
  })

  it('leaves nothing behind when its reader goes, and ends when the node stops', async () => {
    const gone = await open()
    await until(() => api.doors.watching() === 1)
    gone.drop()
    await until(() => api.doors.watching() === 0)
    expect(api.clock.pending()).to.equal(0)
    const stream = await open()
    await until(() => api.doors.watching() === 1)
    await api.server.stop()
    expect(await stream.next()).to.equal(undefined)
    expect(api.doors.watching()).to.equal(0)
  })

  it('opens by the cookie of a session alone, and ends with that session', async () => {
    const port = Number(new URL(api.url).port)
    const asked = { method: 'POST', target: '/v1/owner/login-links', token: TOKENS.owner, headers: [JSON_TYPE] }
    const link = JSON.parse((await send({ path: api.socket }, asked)).text) as { url: string }
    const page = [`Host: 127.0.0.1:${port}`, `Origin: ${api.url}`, JSON_TYPE]
    const at = { host: '127.0.0.1', port }
    const body = JSON.stringify({ token: link.url.split('#login=')[1] })
    const login = await send(at, { method: 'POST', target: '/dashboard/session', headers: page, body })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { csrf } = JSON.parse(login.text) as { csrf: string }

    const stream = await openStream({ ...at, ...EVENTS }, undefined, { cookie })
    expect(stream.status).to.equal(200)
    await until(() => api.doors.watching() === 1)
    api.doors.change('tasks')
    expect((await stream.next())?.data).to.equal('{"what":["tasks"]}')
    const headers = [...page, `Cookie: ${cookie}`, `X-AgentLink-CSRF: ${csrf}`]
    expect((await send(at, { method: 'DELETE', target: '/dashboard/session', headers })).status).to.equal(200)
    expect(await stream.next()).to.equal(undefined)
    expect(api.doors.watching()).to.equal(0)
  })
})
