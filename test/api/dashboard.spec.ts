import { expect } from 'chai'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/time.js'
import { ROUTE_NAMES, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS, UID } from './views.js'
import { JSON_TYPE, type RawAnswer, type RawRequest, refusalOf, send } from './raw.js'

/** A browser as far as it matters here: what it sends beside a request, and the two secrets of a session. */
interface Login {
  readonly cookie: string
  readonly csrf: string
}

describe("the owner's page", () => {
  let api: TestApi
  let port: number
  beforeEach(async () => {
    api = await startTestApi()
    port = Number(new URL(api.url).port)
  })
  afterEach(() => api.stop())

  const ask = (request: RawRequest): Promise<RawAnswer> => {
    const own = request.headers ?? []
    const host = own.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`]
    return send({ host: '127.0.0.1', port }, { ...request, headers: [...host, ...own.map(ours)] })
  }
  const ours = (line: string): string => line.replaceAll('PORT', String(port))
  const outcome = (answer: RawAnswer): string =>
    answer.status < 400 ? 'in' : `${answer.status} ${String(refusalOf(answer).details.code)}`

  async function newLink(): Promise<string> {
    const answer = await send(
      { path: api.socket },
      { method: 'POST', target: '/v1/owner/login-links', token: TOKENS.owner, headers: [JSON_TYPE] }
    )
    expect(answer.status).to.equal(201)
    const { url } = JSON.parse(answer.text) as { url: string }
    const start = `${api.url}/dashboard/#login=`
    expect(url.startsWith(start)).to.equal(true)
    return url.slice(start.length)
  }
  const PAGE = ['Origin: http://127.0.0.1:PORT', 'Sec-Fetch-Site: same-origin', JSON_TYPE]
  const open = (token: string, headers: readonly string[] = PAGE): Promise<RawAnswer> =>
    ask({ method: 'POST', target: '/dashboard/session', headers, body: JSON.stringify({ token }) })
  async function login(headers?: readonly string[]): Promise<Login> {
    const answer = await open(await newLink(), headers)
    expect(answer.status).to.equal(200)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { cookie, csrf: (JSON.parse(answer.text) as { csrf: string }).csrf }
  }
  const shown = ({ cookie, csrf }: Login): string[] => [`Cookie: ${cookie}`, `X-AgentLink-CSRF: ${csrf}`]
  const read = (session: Login, ...more: string[]): Promise<RawAnswer> =>
    ask({ target: '/v1/owner/status', headers: [...shown(session), ...more] })

  it('opens by a link, and its session then opens the routes of the owner', async () => {
    const answer = await open(await newLink())
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).to.match(/^agentlink_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(cookie).to.include(`agentlink_session_${port}=`)
    const { csrf, expiresAt } = JSON.parse(answer.text) as { csrf: string; expiresAt: string }
    expect(csrf).to.match(/^[\w-]{43}$/)
    expect(Date.parse(expiresAt) - api.clock.now()).to.equal(7 * DAY)
    expect(answer.text).to.not.include(cookie.split(/[=;]/)[1])
    const session = { cookie: cookie.split(';')[0] ?? '', csrf }
    expect((await read(session)).status).to.equal(200)
    const put = await ask({
      method: 'PUT',
      target: '/v1/owner/grants',
      headers: [...shown(session), ...PAGE],
      body: '{"contact":"*","capability":"disclose.budget","effect":"deny"}'
    })
    expect(put.status).to.equal(200)
    const again = await ask({ target: '/dashboard/session', headers: shown(session) })
    expect(JSON.parse(again.text)).to.deep.equal({ expiresAt })
  })

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
        const session = await login()
        for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const) {
          api.clock.pass(10 * SECOND)
          const [target, body] = CALLS[method]
          const headers = [...lines, ...shown(session), ...(method === 'GET' ? [] : [JSON_TYPE])]
          const answer = await ask({ method, target, headers, ...(body === undefined ? {} : { body }) })
          expect(outcome(answer), method).to.equal(method === 'GET' ? reading : writing)
        }
      })
    }
  })

  /** What is wrong with the secrets: header lines of a session. */
  const WRONG: [string, (session: Login, other: Login) => readonly string[], string][] = [
    ['no token', ({ cookie }) => [`Cookie: ${cookie}`], '403 csrf_mismatch'],
    ['the token of another session', ({ cookie }, { csrf }) => shown({ cookie, csrf }), '403 csrf_mismatch'],
    ['a token twice', (own) => [...shown(own), `X-AgentLink-CSRF: ${own.csrf}`], '403 csrf_mismatch'],
    ['a token with more behind it', ({ cookie, csrf }) => shown({ cookie, csrf: `${csrf}a` }), '403 csrf_mismatch'],
    ['the cookie as token', ({ cookie }) => shown({ cookie, csrf: cookie.split('=')[1] ?? '' }), '403 csrf_mismatch'],
    ['an empty token', ({ cookie }) => shown({ cookie, csrf: '' }), '403 csrf_mismatch'],
    ['no cookie', ({ csrf }) => [`X-AgentLink-CSRF: ${csrf}`], '401 undefined'],
    [
      'a cookie that is nobody’s',
      ({ csrf }) => shown({ cookie: `agentlink_session_PORT=${'a'.repeat(43)}`, csrf }),
      '401 session_ended'
    ],
    ['an empty cookie', ({ csrf }) => shown({ cookie: 'agentlink_session_PORT=', csrf }), '401 session_ended'],
    [
      'a cookie of another port',
      ({ cookie, csrf }) => shown({ cookie: cookie.replace(/_\d+=/, '_1='), csrf }),
      '401 undefined'
    ],
    ['the cookie twice', ({ cookie, csrf }) => shown({ cookie: `${cookie}; ${cookie}`, csrf }), '401 session_ended'],
    [
      'two sessions at once',
      (own, other) => shown({ cookie: `${own.cookie}; ${other.cookie}`, csrf: own.csrf }),
      '401 session_ended'
    ],
    [
      'a quoted cookie',
      ({ cookie, csrf }) => shown({ cookie: cookie.replace(/=(.*)/, '="$1"'), csrf }),
      '401 session_ended'
    ],
    [
      "an owner's secret beside it",
      (own) => [...shown(own), `Authorization: Bearer ${TOKENS.owner}`],
      '401 two_credentials'
    ],
    [
      "an agent's token beside it",
      (own) => [...shown(own), `Authorization: Bearer ${TOKENS.alice}`],
      '401 two_credentials'
    ],
    [
      'cookies of other names beside it',
      ({ cookie, csrf }) => shown({ cookie: `a=b; ${cookie}; session=x; =; ;x`, csrf }),
      'in'
    ]
  ]
  for (const [what, lines, wanted] of WRONG) {
    it(`answers a call with ${what} with ${wanted}, and never does what it says`, async () => {
      const [own, other] = [await login(), await login()]
      const headers = lines(own, other)
      expect(outcome(await ask({ target: '/v1/owner/status', headers }))).to.equal(wanted)
      api.clock.pass(10 * SECOND)
      const before = api.doors.calls.names.length
      const [target, body = ''] = CALLS.PUT
      const write = await ask({ method: 'PUT', target, headers: [...headers, ...PAGE], body })
      expect(outcome(write)).to.equal(wanted)
      expect(api.doors.calls.names.length - before).to.equal(wanted === 'in' ? 1 : 0)
    })
  }

  it('opens every route of the owner but those that are more than a page needs, and none of an agent', async () => {
    const session = await login()
    for (const name of ROUTE_NAMES) {
      const { method, path, auth, secretOnly, media } = routeOf(name)
      if (auth === 'none') continue
      api.clock.pass(10 * SECOND)
      const params = Object.fromEntries(paramNamesOf(path).map((param) => [param, UID]))
      const target = pathOf(name, params) + (media === 'text/event-stream' ? '?none=1' : '')
      const written = method === 'GET' ? {} : { body: '{"none":1}' }
      const answer = await ask({ method, target, headers: [...shown(session), ...PAGE], ...written })
      if (auth === 'agent') expect([answer.status, refusalOf(answer).code], name).to.deep.equal([401, 'unauthorized'])
      else if (secretOnly === true) expect(outcome(answer), name).to.equal('403 owner_secret_needed')
      else expect(answer.status, name).to.be.oneOf([200, 400, 404])
    }
  })

  it('has no session on a unix socket, whatever is shown there', async () => {
    const session = await login()
    for (const [path, status] of [
      [api.socket, 401],
      [api.aliceSocket, 404]
    ] as const) {
      const headers = [`Host: 127.0.0.1:${port}`, ...shown(session)]
      expect((await send({ path }, { target: '/v1/owner/status', headers })).status).to.equal(status)
      const post = { method: 'POST', target: '/dashboard/session', headers: [JSON_TYPE], body: '{"token":"x"}' }
      expect((await send({ path }, post)).status).to.equal(404)
      for (const target of ['/', '/dashboard', '/dashboard/', '/dashboard/session']) {
        expect((await send({ path }, { target, headers })).status, target).to.equal(404)
      }
    }
  })

  it('takes a link once', async () => {
    const token = await newLink()
    expect((await open(token)).status).to.equal(200)
    expect(outcome(await open(token))).to.equal('401 login_link_invalid')
  })

  it('takes a link for two minutes', async () => {
    const [late, inTime] = [await newLink(), await newLink()]
    api.clock.pass(2 * MINUTE - 1)
    expect((await open(inTime)).status).to.equal(200)
    api.clock.pass(1)
    expect(outcome(await open(late))).to.equal('401 login_link_invalid')
  })

  it('keeps four links open: the oldest gives way', async () => {
    const tokens = [await newLink(), await newLink(), await newLink(), await newLink(), await newLink()]
    expect(outcome(await open(tokens[0] as string))).to.equal('401 login_link_invalid')
    expect((await open(tokens[1] as string)).status).to.equal(200)
  })

  it('holds guesses back, and tells the audit log of them', async () => {
    for (let i = 0; i < 5; i++) expect(outcome(await open(`guess-${i}`))).to.equal('401 login_link_invalid')
    const held = Array.from({ length: 10 }, () => open('guess'))
    while (api.clock.pending() < 10) await new Promise(setImmediate)
    expect(outcome(await open('guess'))).to.equal('429 too_many_failures')
    expect((await open(await newLink())).status).to.equal(200)
    api.clock.pass(2 * SECOND)
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal(Array.from({ length: 10 }, () => 401))
    expect(api.refused).to.have.length(15)
    expect(api.refused[0]).to.deep.equal({ who: { kind: 'unknown' }, route: 'dashboard.session' })
  })

  it('takes a login from nowhere but its own page, as JSON', async () => {
    const token = await newLink()
    const ORIGIN = PAGE[0] as string
    const cases: [readonly string[], string][] = [
      [[JSON_TYPE], '403 foreign_origin'],
      [['Origin: null', JSON_TYPE], '403 foreign_origin'],
      [['Origin: http://evil.example', JSON_TYPE], '403 foreign_origin'],
      [[ORIGIN, 'Sec-Fetch-Site: none', JSON_TYPE], '403 foreign_origin'],
      [[ORIGIN, 'Content-Type: text/plain'], '415 undefined'],
      [[ORIGIN, 'Content-Type: application/x-www-form-urlencoded'], '415 undefined']
    ]
    for (const [headers, wanted] of cases) expect(outcome(await open(token, headers)), headers[0]).to.equal(wanted)
    for (const body of [
      '',
      '{}',
      '[]',
      '{"token":1}',
      '{"token":""}',
      '{"token":"x","more":1}',
      '{"token":"x"',
      'null'
    ]) {
      const answer = await ask({ method: 'POST', target: '/dashboard/session', headers: PAGE, body })
      expect(answer.status, body).to.equal(400)
    }
    const large = JSON.stringify({ token: 'x'.repeat(300_000) })
    expect((await ask({ method: 'POST', target: '/dashboard/session', headers: PAGE, body: large })).status).to.equal(
      413
    )
    expect((await open(token)).status).to.equal(200)
  })

  it('makes a session that nobody else can know, and ends the one that the browser had', async () => {
    const planted = `agentlink_session_${port}=${'p'.repeat(43)}`
    const first = await login([...PAGE, `Cookie: ${planted}`])
    expect(first.cookie).to.not.equal(planted)
    const second = await login([...PAGE, `Cookie: ${first.cookie}`])
    expect(outcome(await read(first))).to.equal('401 session_ended')
    expect((await read(second)).status).to.equal(200)
  })

  it('ends a session when the owner leaves', async () => {
    const session = await login()
    const leave = (headers: readonly string[]) => ask({ method: 'DELETE', target: '/dashboard/session', headers })
    expect(outcome(await leave([`Cookie: ${session.cookie}`, ...PAGE]))).to.equal('403 csrf_mismatch')
    expect(outcome(await leave(shown(session)))).to.equal('403 foreign_origin')
    const answer = await leave([...shown(session), ...PAGE])
    expect(JSON.parse(answer.text)).to.deep.equal({ status: 'ended' })
    expect(answer.headers.get('set-cookie')).to.match(/=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/)
    expect(outcome(await read(session))).to.equal('401 session_ended')
  })

  it('ends every other session and every open link when the owner asks for it', async () => {
    const [mine, other] = [await login(), await login()]
    const end = (headers: readonly string[]) => ask({ method: 'DELETE', target: '/dashboard/session/others', headers })
    expect(outcome(await end([`Cookie: ${mine.cookie}`, ...PAGE]))).to.equal('403 csrf_mismatch')
    expect(outcome(await end(shown(mine)))).to.equal('403 foreign_origin')
    expect((await read(other)).status).to.equal(200)
    const { status, ended } = JSON.parse((await end([...shown(mine), ...PAGE])).text) as {
      status: string
      ended: number
    }
    expect([status, ended >= 1]).to.deep.equal(['ended', true])
    expect(outcome(await read(other))).to.equal('401 session_ended')
    expect((await read(mine)).status).to.equal(200)
  })

  it('ends a session after twelve idle hours, and after seven days in any case', async () => {
    const [idle, used] = [await login(), await login()]
    for (let hours = 0; hours + 11 < 7 * 24; hours += 11) {
      expect((await read(used)).status).to.equal(200)
      api.clock.pass(11 * HOUR)
    }
    expect(outcome(await read(idle))).to.equal('401 session_ended')
    expect((await read(used)).status).to.equal(200)
    api.clock.pass(4 * HOUR)
    expect(outcome(await read(used))).to.equal('401 session_ended')
  })

  it('keeps eight sessions: the one that was idle longest gives way', async () => {
    const sessions: Login[] = []
    for (let i = 0; i < 8; i++) sessions.push(await login())
    await read(sessions[0] as Login)
    await login()
    expect((await read(sessions[0] as Login)).status).to.equal(200)
    expect(outcome(await read(sessions[1] as Login))).to.equal('401 session_ended')
  })

  it('has no session of another start of the node', async () => {
    const session = await login()
    const other = await startTestApi()
    try {
      const place = Number(new URL(other.url).port)
      const cookie = session.cookie.replace(/_\d+=/, `_${place}=`)
      const headers = [`Host: 127.0.0.1:${place}`, ...shown({ ...session, cookie })]
      const answer = await send({ host: '127.0.0.1', port: place }, { target: '/v1/owner/status', headers })
      expect(outcome(answer)).to.equal('401 session_ended')
    } finally {
      await other.stop()
    }
  })

  it('makes no link when loopback TCP is off, and says what to do', async () => {
    const off = await startTestApi({}, undefined, 'no tcp')
    const request = { method: 'POST', target: '/v1/owner/login-links', token: TOKENS.owner, headers: [JSON_TYPE] }
    const answer = await send({ path: off.socket }, request)
    expect(outcome(answer)).to.equal('503 loopback_off')
    await off.stop()
  })

  it('serves its files alone, by exact name', async () => {
    const front = await ask({ target: '/dashboard/' })
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
      expect((await ask({ target })).status, target).to.equal(front.status === 200 ? 404 : 503)
    }
    for (const target of ['/', '/dashboard']) {
      const answer = await ask({ target })
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, '/dashboard/'])
    }
    for (const [method, target, allow] of [
      ['POST', '/dashboard/', 'GET'],
      ['PUT', '/', 'GET'],
      ['PUT', '/dashboard/session', 'GET, POST, DELETE']
    ]) {
      const answer = await ask({ method: method as string, target: target as string, headers: PAGE })
      expect([answer.status, answer.headers.get('allow')], target).to.deep.equal([405, allow])
    }
  })

  it('may be led to from anywhere, as a whole window and nothing else', async () => {
    const led = (target: string, ...lines: string[]) =>
      ask({ target, headers: ['Sec-Fetch-Site: cross-site', ...lines] })
    const WINDOW = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
    expect((await led('/dashboard/', ...WINDOW)).status).to.be.oneOf([200, 503])
    expect(outcome(await led('/dashboard/'))).to.equal('403 foreign_origin')
    expect(outcome(await led('/dashboard/', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'))).to.equal(
      '403 foreign_origin'
    )
    expect(outcome(await led('/dashboard/', 'Origin: http://evil.example', ...WINDOW))).to.equal('403 foreign_origin')
    expect(outcome(await led('/dashboard/session', ...WINDOW))).to.equal('403 foreign_origin')
    expect(outcome(await led('/v1/owner/status', ...WINDOW))).to.equal('403 foreign_origin')
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
