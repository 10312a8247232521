import { expect } from 'chai'
import { SECOND } from '../../src/base/time.js'
import { ROUTE_NAMES, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { ApiVisitor, type Session, outcomeOf } from './page-visitor.js'
import { JSON_TYPE, refusalOf, send } from './raw.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS, UID } from './views.js'

describe("the owner's page", () => {
  let api: TestApi
  let visitor: ApiVisitor
  beforeEach(async () => {
    api = await startTestApi()
    visitor = new ApiVisitor(api)
  })
  afterEach(() => api.stop())

  describe('lets in a call with its cookie', () => {
    const ORIGIN = 'Origin: http://127.0.0.1:PORT'
    const SITE = 'Sec-Fetch-Site: same-origin'
    const FOREIGN = '403 foreign_origin'
    /** Header lines beside cookie and token; what a read and what a write with them must get. */
    const CASES: [string, readonly string[], string, string][] = [
      ['from its own page', [ORIGIN, SITE], 'in', 'in'],
      ['from a browser that says no site', [ORIGIN], 'in', 'in'],
      ['without Origin', [SITE], 'in', FOREIGN],
      ['without anything', [], 'in', FOREIGN],
      ['from a typed address', ['Sec-Fetch-Site: none'], FOREIGN, FOREIGN],
      ['from a typed address with our Origin', [ORIGIN, 'Sec-Fetch-Site: none'], FOREIGN, FOREIGN],
      ['from the same site', [ORIGIN, 'Sec-Fetch-Site: same-site'], FOREIGN, FOREIGN],
      ['from another site', [ORIGIN, 'Sec-Fetch-Site: cross-site'], FOREIGN, FOREIGN],
      ['from the other name of this machine', ['Origin: http://localhost:PORT'], FOREIGN, FOREIGN],
      ['from another port', ['Origin: http://127.0.0.1:1'], FOREIGN, FOREIGN],
      ['from null', ['Origin: null'], FOREIGN, FOREIGN],
      ['from https', ['Origin: https://127.0.0.1:PORT'], FOREIGN, FOREIGN],
      ['from a foreign page', ['Origin: http://evil.example'], FOREIGN, FOREIGN],
      [
        'to a foreign name that points here',
        [ORIGIN, SITE, 'Host: evil.example:PORT'],
        '403 foreign_host',
        '403 foreign_host'
      ]
    ]
    for (const [what, lines, reading, writing] of CASES) {
      it(`${what}: reads ${reading}, writes ${writing}`, async () => {
        const session = await visitor.login()
        for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const) {
          api.clock.pass(10 * SECOND)
          const [target, body] = CALLS[method]
          const headers = [...lines, ...visitor.shown(session), ...(method === 'GET' ? [] : [JSON_TYPE])]
          const answer = await visitor.ask({ method, target, headers, ...(body === undefined ? {} : { body }) })
          expect(outcomeOf(answer), method).to.equal(method === 'GET' ? reading : writing)
        }
      })
    }
  })

  /** What is wrong with the secrets: header lines of a session. */
  const WRONG: [string, (session: Session, other: Session) => readonly string[], string][] = [
    ['no token', ({ cookie }) => [`Cookie: ${cookie}`], '403 csrf_mismatch'],
    ['the token of another session', ({ cookie }, { csrf }) => visitor.shown({ cookie, csrf }), '403 csrf_mismatch'],
    ['a token twice', (own) => [...visitor.shown(own), `X-AgentLink-CSRF: ${own.csrf}`], '403 csrf_mismatch'],
    [
      'a token with more behind it',
      ({ cookie, csrf }) => visitor.shown({ cookie, csrf: `${csrf}a` }),
      '403 csrf_mismatch'
    ],
    [
      'the cookie as token',
      ({ cookie }) => visitor.shown({ cookie, csrf: cookie.split('=')[1] ?? '' }),
      '403 csrf_mismatch'
    ],
    ['an empty token', ({ cookie }) => visitor.shown({ cookie, csrf: '' }), '403 csrf_mismatch'],
    ['no cookie', ({ csrf }) => [`X-AgentLink-CSRF: ${csrf}`], '401 unauthorized'],
    [
      'a cookie that is nobody’s',
      ({ csrf }) => visitor.shown({ cookie: `agentlink_session_PORT=${'a'.repeat(43)}`, csrf }),
      '401 session_ended'
    ],
    ['an empty cookie', ({ csrf }) => visitor.shown({ cookie: 'agentlink_session_PORT=', csrf }), '401 session_ended'],
    [
      'a cookie of another port',
      ({ cookie, csrf }) => visitor.shown({ cookie: cookie.replace(/_\d+=/, '_1='), csrf }),
      '401 unauthorized'
    ],
    [
      'the cookie twice',
      ({ cookie, csrf }) => visitor.shown({ cookie: `${cookie}; ${cookie}`, csrf }),
      '401 session_ended'
    ],
    [
      'two sessions at once',
      (own, other) => visitor.shown({ cookie: `${own.cookie}; ${other.cookie}`, csrf: own.csrf }),
      '401 session_ended'
    ],
    [
      'a quoted cookie',
      ({ cookie, csrf }) => visitor.shown({ cookie: cookie.replace(/=(.*)/, '="$1"'), csrf }),
      '401 session_ended'
    ],
    [
      "an owner's secret beside it",
      (own) => [...visitor.shown(own), `Authorization: Bearer ${TOKENS.owner}`],
      '401 two_credentials'
    ],
    [
      "an agent's token beside it",
      (own) => [...visitor.shown(own), `Authorization: Bearer ${TOKENS.alice}`],
      '401 two_credentials'
    ],
    [
      'cookies of other names beside it',
      ({ cookie, csrf }) => visitor.shown({ cookie: `a=b; ${cookie}; session=x; =; ;x`, csrf }),
      'in'
    ]
  ]
  for (const [what, lines, wanted] of WRONG) {
    it(`answers a call with ${what} with ${wanted}, and never does what it says`, async () => {
      const [own, other] = [await visitor.login(), await visitor.login()]
      const headers = lines(own, other)
      expect(outcomeOf(await visitor.ask({ target: '/v1/owner/status', headers }))).to.equal(wanted)
      api.clock.pass(10 * SECOND)
      const before = api.doors.calls.names.length
      const [target, body = ''] = CALLS.PUT
      const write = await visitor.ask({ method: 'PUT', target, headers: [...headers, ...visitor.page], body })
      expect(outcomeOf(write)).to.equal(wanted)
      expect(api.doors.calls.names.length - before).to.equal(wanted === 'in' ? 1 : 0)
    })
  }

  it('opens every route of the owner but those that are more than a page needs, and none of an agent', async () => {
    const session = await visitor.login()
    for (const name of ROUTE_NAMES) {
      const { method, path, auth, secretOnly, media } = routeOf(name)
      if (auth === 'none') continue
      api.clock.pass(10 * SECOND)
      const params = Object.fromEntries(paramNamesOf(path).map((param) => [param, UID]))
      const target = pathOf(name, params) + (media === 'text/event-stream' ? '?none=1' : '')
      const written = method === 'GET' ? {} : { body: '{"none":1}' }
      const answer = await visitor.ask({
        method,
        target,
        headers: [...visitor.shown(session), ...visitor.page],
        ...written
      })
      if (auth === 'agent') expect([answer.status, refusalOf(answer).code], name).to.deep.equal([401, 'unauthorized'])
      else if (secretOnly === true) expect(outcomeOf(answer), name).to.equal('403 owner_secret_needed')
      else expect(answer.status, name).to.be.oneOf([200, 400, 404])
    }
  })

  it('has no session on a unix socket, whatever is shown there', async () => {
    const session = await visitor.login()
    for (const [path, status] of [
      [api.socket, 401],
      [api.aliceSocket, 404]
    ] as const) {
      const headers = [`Host: 127.0.0.1:${visitor.port}`, ...visitor.shown(session)]
      expect((await send({ path }, { target: '/v1/owner/status', headers })).status).to.equal(status)
      const post = { method: 'POST', target: '/dashboard/session', headers: [JSON_TYPE], body: '{"token":"x"}' }
      expect((await send({ path }, post)).status).to.equal(404)
      for (const target of ['/', '/dashboard', '/dashboard/', '/dashboard/session']) {
        expect((await send({ path }, { target, headers })).status, target).to.equal(404)
      }
    }
  })

  it('serves its files alone, by exact name', async () => {
    const front = await visitor.ask({ target: '/dashboard/' })
    expect([200, 503]).to.include(front.status)
    for (const target of [
      '/dashboard/../package.json',
      '/dashboard/%2e%2e/package.json',
      '/dashboard/assets/',
      '/dashboard/assets/../index.html',
      '/dashboard/assets/..%2findex.html',
      '/dashboard/index.html',
      '/dashboard/constructor',
      '/dashboard/__proto__',
      '/dashboard/assets/x.js',
      '/dashboard//'
    ]) {
      expect((await visitor.ask({ target })).status, target).to.equal(front.status === 200 ? 404 : 503)
    }
    for (const target of ['/', '/dashboard']) {
      const answer = await visitor.ask({ target })
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/dashboard/'])
    }
    for (const [method, target, allow] of [
      ['POST', '/dashboard/', 'GET'],
      ['PUT', '/', 'GET'],
      ['PUT', '/dashboard/session', 'GET, POST, DELETE']
    ]) {
      const answer = await visitor.ask({ method: method as string, target: target as string, headers: visitor.page })
      expect([answer.status, answer.headers.get('allow')], target).to.deep.equal([405, allow])
    }
  })

  it('may be led to from anywhere, as a whole window and nothing else', async () => {
    const led = (target: string, ...lines: string[]) =>
      visitor.ask({ target, headers: ['Sec-Fetch-Site: cross-site', ...lines] })
    const WINDOW = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
    expect((await led('/dashboard/', ...WINDOW)).status).to.be.oneOf([200, 503])
    expect(outcomeOf(await led('/dashboard/'))).to.equal('403 foreign_origin')
    expect(outcomeOf(await led('/dashboard/', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'))).to.equal(
      '403 foreign_origin'
    )
    expect(outcomeOf(await led('/dashboard/', 'Origin: http://evil.example', ...WINDOW))).to.equal('403 foreign_origin')
    expect(outcomeOf(await led('/dashboard/session', ...WINDOW))).to.equal('403 foreign_origin')
    expect(outcomeOf(await led('/v1/owner/status', ...WINDOW))).to.equal('403 foreign_origin')
  })
})

/** A call of each method that the doors of the tests take. */
const CALLS: Readonly<Record<'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', readonly [string, string?]>> = {
  GET: ['/v1/owner/status'],
  PUT: ['/v1/owner/grants', '{"contact":"*","capability":"disclose.budget","effect":"deny"}'],
  POST: ['/v1/owner/invites', '{}'],
  PATCH: ['/v1/owner/contacts/@bob', '{"alias":"@b"}'],
  DELETE: ['/v1/owner/grants?contact=*&capability=disclose.budget']
}
