import { expect } from 'chai'
import { createCallMeter } from '../../src/api/call-limits.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS } from './views.js'
import { type RawAnswer, refusalOf, send } from './raw.js'

const LIMITS = { callsPerSecond: 10, callsAtOnce: 5, waits: 2 }

describe('the meter of calls', () => {
  it('lets a caller make its calls at once and then at its rate, and says in whole seconds when to come back', () => {
    let now = 0
    const count = createCallMeter({ callsPerSecond: 0.25, callsAtOnce: 2, waits: 1 }, () => now)
    expect([count('a'), count('a')]).to.deep.equal([undefined, undefined])
    expect(count('a')?.details).to.deep.equal({ code: 'too_many_calls', retryAfter: 4 })
    expect(count('b')).to.equal(undefined)
    now = 3999
    expect(count('a')?.details.retryAfter).to.equal(1)
    now = 4000
    expect([count('a'), count('a')?.code]).to.deep.equal([undefined, 'rate_limited'])
  })
})

describe('the limits of the API', () => {
  let api: TestApi
  beforeEach(async () => {
    api = await startTestApi({}, LIMITS)
  })
  afterEach(() => api.stop())

  const read = (token: string | undefined, path: string, place: { path: string } = { path: api.socket }) =>
    send(place, {
      method: 'GET',
      target: path,
      headers: token === undefined ? [] : [`Authorization: Bearer ${token}`]
    })
  const several = async (count: number, call: () => Promise<RawAnswer>): Promise<RawAnswer[]> => {
    const answers: RawAnswer[] = []
    for (let i = 0; i < count; i++) answers.push(await call())
    return answers
  }
  const statuses = (answers: readonly RawAnswer[]): number[] => answers.map(({ status }) => status)

  it('slow one token, whatever it calls and wherever, and leave the others alone', async () => {
    const counters = () => read(TOKENS.alice, '/v1/agent/counters')
    expect(statuses(await several(5, counters))).to.deep.equal([200, 200, 200, 200, 200])
    for (const place of [api.socket, api.aliceSocket]) {
      const early = await read(TOKENS.alice, '/v1/agent/contacts', { path: place })
      expect(refusalOf(early)).to.deep.include({
        code: 'rate_limited',
        details: { code: 'too_many_calls', retryAfter: 1 }
      })
      expect([early.status, early.headers.get('retry-after')]).to.deep.equal([429, '1'])
    }
    expect((await read(TOKENS.bob, '/v1/agent/counters')).status).to.equal(200)
    expect((await read(TOKENS.owner, '/v1/owner/status')).status).to.equal(200)
    expect((await read(undefined, '/v1/health')).status).to.equal(200)
    api.clock.pass(100)
    expect(statuses(await several(2, counters))).to.deep.equal([200, 429])
  })

  it('slow the owner and who has no name too', async () => {
    expect(statuses(await several(6, () => read(TOKENS.owner, '/v1/owner/status'))).at(-1)).to.equal(429)
    expect(statuses(await several(6, () => read(undefined, '/v1/health'))).at(-1)).to.equal(429)
    expect(statuses(await several(6, () => read(undefined, '/agents.md', { path: api.aliceSocket })))).to.deep.equal([
      200, 200, 200, 200, 200, 429
    ])
  })

  it('let nothing of a call that comes too early take effect', async () => {
    await several(5, () => read(TOKENS.alice, '/v1/agent/counters'))
    const early = await send(
      { path: api.socket },
      {
        method: 'POST',
        target: '/v1/agent/tasks',
        headers: [`Authorization: Bearer ${TOKENS.alice}`, 'Content-Type: application/json'],
        body: JSON.stringify({ type: 'x', participant: 'y', proposal: {} })
      }
    )
    expect([early.status, api.doors.calls.names]).to.deep.equal([429, []])
  })

  it('count no guess at a token against its agent', async () => {
    await several(12, () => read('guess', '/v1/agent/counters').finally(() => api.clock.pass(1000)))
    expect((await read(TOKENS.alice, '/v1/agent/counters')).status).to.equal(200)
  })
})
