import { expect } from 'chai'
import { type RouteName, ROUTES, ROUTE_NAMES, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { type TestApi, startTestApi } from './test-api.js'
import { ALICE, TOKENS, UID } from './views.js'
import { JSON_TYPE, refusalOf, send } from './raw.js'

/** Status that each kind of caller must get by the auth of the route; `in` = past the door keeper. */
const EXPECTED = {
  agent: { none: 401, malformed: 401, alice: 'in', bob: 'in', owner: 401, revoked: 401 },
  owner: { none: 401, malformed: 401, alice: 401, bob: 401, owner: 'in', revoked: 401 },
  none: { none: 'in', malformed: 'in', alice: 'in', bob: 'in', owner: 'in', revoked: 'in' }
} as const
type Caller = keyof (typeof EXPECTED)['agent']
const CALLERS = Object.keys(EXPECTED.agent) as Caller[]

const MALFORMED = [
  'Authorization: alice-token',
  'Authorization: Basic alice-token',
  'Authorization: Bearer',
  'Authorization: Bearer  alice-token',
  'Authorization: Bearer alice-token x',
  'Authorization: Bearer alice,token',
  `Authorization: Bearer ${'a'.repeat(600)}`,
  'Authorization: Bearer alice-token\r\nAuthorization: Bearer alice-token',
  'Cookie: token=alice-token',
  'X-Authorization: Bearer alice-token'
]

function targetOf(name: RouteName): string {
  const params = Object.fromEntries(paramNamesOf(ROUTES[name].path).map((param) => [param, UID]))
  // A stream would not end by itself: let past the door keeper it is refused for the odd member.
  return pathOf(name, params) + (routeOf(name).media === 'text/event-stream' ? '?none=1' : '')
}

function headersOf(caller: Caller): string[] {
  if (caller === 'none') return []
  if (caller === 'malformed') return [MALFORMED[0] as string]
  return [`Authorization: Bearer ${TOKENS[caller]}`]
}

describe('who may call', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())
  // A second passes between calls: none of them is slowed down.
  beforeEach(() => api.clock.pass(10_000))

  for (const name of ROUTE_NAMES) {
    const { method, auth } = ROUTES[name]
    const writes = method === 'POST' || method === 'PUT' || method === 'PATCH'
    const body = writes ? { body: '{"none":1}' } : {}
    const call = (path: string, caller: Caller) =>
      send({ path }, { method, target: targetOf(name), headers: [JSON_TYPE, ...headersOf(caller)], ...body })

    it(`${name} answers each caller as its row says`, async () => {
      for (const caller of CALLERS) {
        api.clock.pass(10_000)
        const answer = await call(api.socket, caller)
        const want = EXPECTED[auth][caller]
        if (want === 'in') expect(answer.status, caller).to.be.oneOf([200, 400, 404])
        else expect([answer.status, refusalOf(answer).code], caller).to.deep.equal([want, 'unauthorized'])
        if (want === 401) expect(answer.headers.get('www-authenticate')).to.equal('Bearer')
        for (const token of Object.values(TOKENS)) expect(answer.text).to.not.include(token)
      }
    })

    it(`${name} on an agent's own socket lets in that agent alone`, async () => {
      for (const caller of CALLERS) {
        api.clock.pass(10_000)
        const answer = await call(api.aliceSocket, caller)
        if (auth === 'owner') expect([answer.status, refusalOf(answer).code], caller).to.deep.equal([404, 'not_found'])
        else if (auth === 'none' || caller === 'alice') expect(answer.status, caller).to.be.oneOf([200, 400, 404])
        else expect(answer.status, caller).to.equal(401)
      }
    })
  }

  for (const [index, header] of MALFORMED.entries()) {
    it(`takes no token from header variant ${index}: ${header.slice(0, 50)}`, async () => {
      const answer = await send({ path: api.socket }, { target: '/v1/agent/counters', headers: [header] })
      expect(answer.status).to.equal(401)
    })
  }

  it('takes the scheme in any case, as RFC 9110 says', async () => {
    const headers = [`authorization: BEARER ${TOKENS.alice}`]
    expect((await send({ path: api.socket }, { target: '/v1/agent/counters', headers })).status).to.equal(200)
  })

  it('tells a caller with the other kind of secret which one is meant', async () => {
    const agentRoute = await send({ path: api.socket }, { target: '/v1/agent/tasks', token: TOKENS.owner })
    expect(refusalOf(agentRoute).message).to.include("not the owner's secret")
    const ownerRoute = await send({ path: api.socket }, { target: '/v1/owner/status', token: TOKENS.alice })
    expect(refusalOf(ownerRoute).message).to.include('can never act as the owner')
  })

  it('gives the door the agent of the token and nothing that the caller says', async () => {
    const seen: string[] = []
    const counters = { unread: 0, tasksWaitingForMe: 0, envelopesQueued: 0, approvalsPending: 0, undelivered: 0 }
    const other = await startTestApi({
      agent: { ...api.doors.agent, counters: async (agent) => (seen.push(agent), counters) }
    })
    for (const token of [TOKENS.alice, TOKENS.bob]) {
      await send({ path: other.socket }, { target: '/v1/agent/counters', token, headers: ['X-Agent: al1bob'] })
    }
    await other.stop()
    expect(seen).to.deep.equal(['al1alice', 'al1bob'])
  })
})

describe('failures to authenticate', () => {
  let api: TestApi
  beforeEach(async () => {
    api = await startTestApi()
  })
  afterEach(() => api.stop())
  const guess = () => send({ path: api.socket }, { target: '/v1/agent/counters', token: 'guess' })

  it('are answered at once five times a second, then held, and never in the way of a good token', async () => {
    for (let i = 0; i < 5; i++) expect((await guess()).status).to.equal(401)
    const held = guess()
    while (api.clock.pending() === 0) await new Promise(setImmediate)
    expect((await send({ path: api.socket }, { target: '/v1/agent/counters', token: TOKENS.alice })).status).to.equal(
      200
    )
    api.clock.pass(199)
    expect(api.clock.pending()).to.equal(1)
    api.clock.pass(1)
    expect((await held).status).to.equal(401)
  })

  it('are refused with rate_limited when too many are held', async () => {
    const held = Array.from({ length: 15 }, () => guess())
    while (api.clock.pending() < 10) await new Promise(setImmediate)
    const answer = await guess()
    expect([answer.status, refusalOf(answer).code]).to.deep.equal([429, 'rate_limited'])
    expect(answer.headers.get('retry-after')).to.equal('1')
    api.clock.pass(2000)
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal(Array.from({ length: 15 }, () => 401))
  })

  it('are counted for each listener by itself', async () => {
    for (let i = 0; i < 5; i++) await guess()
    const other = await send({ path: api.aliceSocket }, { target: '/v1/agent/counters', token: 'guess' })
    expect(other.status).to.equal(401)
    expect(api.clock.pending()).to.equal(0)
  })

  it('that are held are answered when the server stops', async () => {
    for (let i = 0; i < 5; i++) await guess()
    const held = guess()
    while (api.clock.pending() === 0) await new Promise(setImmediate)
    await api.server.stop()
    expect((await held).status).to.equal(401)
    expect(api.clock.pending()).to.equal(0)
  })
})

describe('a call whose token does not open its route', () => {
  let api: TestApi
  beforeEach(async () => {
    api = await startTestApi()
  })
  afterEach(() => api.stop())

  const OWNERS = { target: '/v1/owner/grants' }
  const AGENTS = { target: '/v1/agent/counters' }
  const own = (path: string) => (path.startsWith('/v1/owner') ? 'owner.grants.list' : 'counters.read')

  const told: ReadonlyArray<[string, 'socket' | 'aliceSocket', { target: string }, keyof typeof TOKENS, object]> = [
    ["an agent's token on an owner's route", 'socket', OWNERS, 'alice', { kind: 'agent', id: ALICE }],
    ['the token of another agent on an own socket', 'aliceSocket', AGENTS, 'bob', { kind: 'agent', id: 'al1bob' }],
    [
      "an own token on an owner's route of the own socket",
      'aliceSocket',
      OWNERS,
      'alice',
      { kind: 'agent', id: ALICE }
    ],
    ["the owner's secret on an agent's route", 'socket', AGENTS, 'owner', { kind: 'owner' }],
    ['a token of nobody', 'socket', AGENTS, 'revoked', { kind: 'unknown' }]
  ]
  for (const [what, place, request, token, who] of told) {
    it(`is told of before it is answered: ${what}`, async () => {
      const answer = await send({ path: api[place] }, { ...request, token: TOKENS[token] })
      expect(answer.status).to.be.oneOf([401, 404])
      expect(api.refused).to.deep.equal([{ who, route: own(request.target) }])
    })
  }

  it('is told of by its route alone: no token, path or query comes along', async () => {
    await send({ path: api.socket }, { target: '/v1/owner/types/CANARY?agent=CANARY', token: 'CANARY' })
    await send({ path: api.socket }, { target: '/v1/owner/types/CANARY' })
    const refused = { who: { kind: 'unknown' }, route: 'owner.types.read' }
    expect(api.refused).to.deep.equal([refused, refused])
  })

  it('is not told of when it opens, when there is no such route, or when too many are held to be looked at', async () => {
    await send({ path: api.socket }, { ...OWNERS, token: TOKENS.owner })
    await send({ path: api.socket }, { target: '/v1/owner/nothing', token: 'guess' })
    await send({ path: api.aliceSocket }, { ...OWNERS, token: 'guess' })
    expect(api.refused).to.deep.equal([])
    const guess = () => send({ path: api.socket }, { ...AGENTS, token: 'guess' })
    const held = Array.from({ length: 15 }, guess)
    while (api.clock.pending() < 10) await new Promise(setImmediate)
    expect((await guess()).status).to.equal(429)
    api.clock.pass(2000)
    await Promise.all(held)
    expect(api.refused).to.have.length(15)
  })
})
