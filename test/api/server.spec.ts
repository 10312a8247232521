import { expect } from 'chai'
import { createServer as createTcpServer, connect } from 'node:net'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../src/api/client.js'
import { createServer } from '../../src/api/server.js'
import { createDoubleDoors } from './double.js'
import { createHandClock } from './hand-clock.js'
import { type TestApi, noRecords, startTestApi } from './test-api.js'
import { ALICE, TOKENS, nodeSettings, nodeStatus } from './views.js'
import { requestBytes, send } from './raw.js'

/** Turns of the loop until the condition holds; the test's own time limit ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

describe('a read that waits', () => {
  let api: TestApi
  beforeEach(async () => {
    api = await startTestApi()
  })
  afterEach(() => api.stop())
  const wait = () => send({ path: api.socket }, { target: '/v1/agent/inbox?after=4&wait=60', token: TOKENS.alice })

  it('answers when something arrives', async () => {
    const answer = wait()
    await until(() => api.doors.waiting() === 1)
    api.doors.arrive()
    expect(JSON.parse((await answer).text)).to.deep.equal({ items: [], next: 4 })
  })

  it('ends when the caller goes away', async () => {
    const socket = connect(api.socket)
    socket.write(requestBytes({ target: '/v1/agent/inbox?wait=60', headers: ['Host: x'], token: TOKENS.alice }))
    await until(() => api.doors.waiting() === 1)
    socket.destroy()
    await until(() => api.doors.waiting() === 0)
    expect((await send({ path: api.socket }, { target: '/v1/health' })).status).to.equal(200)
  })

  it('ends when the client calls it off', async () => {
    const client = createClient({ socketPath: api.socket, token: TOKENS.alice })
    const controller = new AbortController()
    const answer = client.call('inbox.read', { query: { wait: 60 }, signal: controller.signal })
    await until(() => api.doors.waiting() === 1)
    controller.abort()
    expect(await answer).to.deep.include({ ok: false, status: 0 })
    await until(() => api.doors.waiting() === 0)
    client.close()
  })

  it('is answered when the server stops, within a second', async () => {
    const answers = Array.from({ length: 20 }, wait)
    await until(() => api.doors.waiting() === 20)
    const start = performance.now()
    await api.server.stop()
    expect(performance.now() - start).to.be.below(1000)
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close'])
    }
  })

  it('leaves nothing behind, a hundred times', async () => {
    const client = createClient({ socketPath: api.socket, token: TOKENS.alice })
    for (let i = 0; i < 100; i++) {
      const controller = new AbortController()
      const before = api.doors.calls.names.length
      const answer = client.call('inbox.read', { query: { wait: 60 }, signal: controller.signal })
      await until(() => api.doors.calls.names.length > before)
      controller.abort()
      await answer
    }
    await until(() => api.doors.waiting() === 0)
    client.close()
  })
})

describe('a server that stops', () => {
  it('removes its sockets and takes no more calls', async () => {
    const api = await startTestApi()
    await api.server.stop()
    expect([existsSync(api.socket), existsSync(api.aliceSocket)]).to.deep.equal([false, false])
    expect((await send({ path: api.socket }, { target: '/v1/health' })).status).to.equal(0)
    await api.stop()
  })

  it('does not wait for a caller that keeps its connection, or never finishes its request', async () => {
    const api = await startTestApi()
    const idle = connect(api.socket)
    idle.on('error', () => undefined)
    idle.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => idle.once('data', resolve))
    const slow = connect(api.socket)
    slow.on('error', () => undefined)
    slow.write('POST /v1/agent/tasks HTTP/1.1\r\nHost: x\r\nContent-Le')
    const start = performance.now()
    await api.stop()
    expect(performance.now() - start).to.be.below(2000)
    idle.destroy()
    slow.destroy()
  })

  it('lets a running write answer first', async () => {
    const plain = createDoubleDoors()
    let finish = (): void => undefined
    const api = await startTestApi({
      agent: {
        ...plain.agent,
        counters: async (agent) => {
          await new Promise<void>((resolve) => (finish = resolve))
          return plain.agent.counters(agent)
        }
      }
    })
    const answer = send({ path: api.socket }, { target: '/v1/agent/counters', token: TOKENS.alice })
    await until(() => finish.length === 1)
    const stopped = api.stop()
    finish()
    expect((await answer).status).to.equal(200)
    await stopped
  })
})

describe('a server that can not open every listener', () => {
  it('opens none, says why, and can be tried again', async () => {
    const home = mkdtempSync(join(tmpdir(), 'al-'))
    const taken = createTcpServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
    })
    const doors = createDoubleDoors()
    const server = createServer(
      {
        agent: doors.agent,
        owner: doors.owner,
        status: nodeStatus,
        settings: nodeSettings,
        agentOfToken: () => ALICE,
        isOwner: () => false,
        records: noRecords,
        clock: createHandClock(),
        log: { info: () => undefined, warn: () => undefined },
        callRefused: () => Promise.resolve()
      },
      {
        socket: join(home, 'api.sock'),
        agents: [],
        limits: { callsPerSecond: 100, callsAtOnce: 100, waits: 1 },
        tcp: { host: '127.0.0.1', port }
      }
    )
    const started = await server.start()
    expect(started.ok ? '' : started.refusal.code).to.equal('conflict')
    expect(existsSync(join(home, 'api.sock'))).to.equal(false)
    await new Promise((resolve) => taken.close(resolve))
    rmSync(home, { recursive: true, force: true })
  })
})

describe('one node with two agents', () => {
  it('never gives one the answer of the other, however their calls cross', async () => {
    const plain = createDoubleDoors()
    const api = await startTestApi({
      agent: {
        ...plain.agent,
        capabilities: async (agent, participant) => {
          for (let turn = 0; turn < Number(participant) % 4; turn++) await new Promise(setImmediate)
          const because = { contact: participant ?? '', capability: 'x' }
          return { ok: true, value: { items: [{ capability: agent, effect: 'ask', because }] } }
        }
      }
    })
    const clients = (['alice', 'bob'] as const).map((name) => ({
      id: `al1${name}`,
      client: createClient({ socketPath: api.socket, token: TOKENS[name] })
    }))
    const calls = Array.from({ length: 300 }, async (_, index) => {
      const { id, client } = clients[index % 2] as (typeof clients)[number]
      const answer = await client.call('capabilities.list', { query: { participant: String(index) } })
      const item = answer.ok ? answer.body.items[0] : undefined
      expect(item).to.deep.include({ capability: id, because: { contact: String(index), capability: 'x' } })
    })
    await Promise.all(calls)
    for (const { client } of clients) client.close()
    await api.stop()
  })

  it('survives callers that die while a large answer is on its way', async () => {
    const plain = createDoubleDoors()
    const api = await startTestApi({
      agent: {
        ...plain.agent,
        getTask: async () => ({
          ok: false,
          refusal: { code: 'internal', message: 'x'.repeat(1_000_000), details: {} }
        })
      }
    })
    for (let i = 0; i < 8; i++) {
      const socket = connect(api.socket)
      socket.on('error', () => undefined)
      socket.write(requestBytes({ target: '/v1/agent/tasks/a', headers: ['Host: x'], token: TOKENS.alice }))
      await new Promise((resolve) => socket.once('readable', resolve))
      socket.destroy()
    }
    expect((await send({ path: api.socket }, { target: '/v1/health' })).status).to.equal(200)
    await api.stop()
  })
})
