import { expect } from 'chai'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/time.js'
import { ApiVisitor, type Session, outcomeOf } from './page-visitor.js'
import { JSON_TYPE, send } from './raw.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS } from './views.js'

describe("the sessions of the owner's page", () => {
  let api: TestApi
  let visitor: ApiVisitor
  beforeEach(async () => {
    api = await startTestApi()
    visitor = new ApiVisitor(api)
  })
  afterEach(() => api.stop())

  it('opens by a link, and its session then opens the routes of the owner', async () => {
    const answer = await visitor.open(await visitor.link())
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).to.match(/^agentlink_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(cookie).to.include(`agentlink_session_${visitor.port}=`)
    const { csrf, expiresAt } = JSON.parse(answer.text) as { csrf: string; expiresAt: string }
    expect(csrf).to.match(/^[\w-]{43}$/)
    expect(Date.parse(expiresAt) - api.clock.now()).to.equal(7 * DAY)
    expect(answer.text).to.not.include(cookie.split(/[=;]/)[1])
    const session = { cookie: cookie.split(';')[0] ?? '', csrf }
    expect((await visitor.read(session)).status).to.equal(200)
    const put = await visitor.ask({
      method: 'PUT',
      target: '/v1/owner/grants',
      headers: [...visitor.shown(session), ...visitor.page],
      body: '{"contact":"*","capability":"disclose.budget","effect":"deny"}'
    })
    expect(put.status).to.equal(200)
    const again = await visitor.ask({ target: '/dashboard/session', headers: visitor.shown(session) })
    expect(JSON.parse(again.text)).to.deep.equal({ expiresAt })
  })

  it('takes a link once', async () => {
    const token = await visitor.link()
    expect((await visitor.open(token)).status).to.equal(200)
    expect(outcomeOf(await visitor.open(token))).to.equal('401 login_link_invalid')
  })

  it('takes a link for two minutes', async () => {
    const [late, inTime] = [await visitor.link(), await visitor.link()]
    api.clock.pass(2 * MINUTE - 1)
    expect((await visitor.open(inTime)).status).to.equal(200)
    api.clock.pass(1)
    expect(outcomeOf(await visitor.open(late))).to.equal('401 login_link_invalid')
  })

  it('keeps four links open: the oldest gives way', async () => {
    const tokens = [
      await visitor.link(),
      await visitor.link(),
      await visitor.link(),
      await visitor.link(),
      await visitor.link()
    ]
    expect(outcomeOf(await visitor.open(tokens[0] as string))).to.equal('401 login_link_invalid')
    expect((await visitor.open(tokens[1] as string)).status).to.equal(200)
  })

  it('holds guesses back, and tells the audit log of them', async () => {
    for (let i = 0; i < 5; i++) expect(outcomeOf(await visitor.open(`guess-${i}`))).to.equal('401 login_link_invalid')
    const held = Array.from({ length: 10 }, () => visitor.open('guess'))
    while (api.clock.pending() < 10) await new Promise(setImmediate)
    expect(outcomeOf(await visitor.open('guess'))).to.equal('429 too_many_failures')
    expect((await visitor.open(await visitor.link())).status).to.equal(200)
    api.clock.pass(2 * SECOND)
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal(Array.from({ length: 10 }, () => 401))
    expect(api.refused).to.have.length(15)
    expect(api.refused[0]).to.deep.equal({ who: { kind: 'unknown' }, route: 'dashboard.session' })
  })

  it('takes a login from nowhere but its own page, as JSON', async () => {
    const token = await visitor.link()
    const ORIGIN = visitor.page[0] as string
    const cases: [readonly string[], string][] = [
      [[JSON_TYPE], '403 foreign_origin'],
      [['Origin: null', JSON_TYPE], '403 foreign_origin'],
      [['Origin: http://evil.example', JSON_TYPE], '403 foreign_origin'],
      [[ORIGIN, 'Sec-Fetch-Site: none', JSON_TYPE], '403 foreign_origin'],
      [[ORIGIN, 'Content-Type: text/plain'], '415 unsupported_media_type'],
      [[ORIGIN, 'Content-Type: application/x-www-form-urlencoded'], '415 unsupported_media_type']
    ]
    for (const [headers, wanted] of cases)
      expect(outcomeOf(await visitor.open(token, headers)), headers[0]).to.equal(wanted)
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
      const answer = await visitor.ask({ method: 'POST', target: '/dashboard/session', headers: visitor.page, body })
      expect(answer.status, body).to.equal(400)
    }
    const large = JSON.stringify({ token: 'x'.repeat(300_000) })
    expect(
      (await visitor.ask({ method: 'POST', target: '/dashboard/session', headers: visitor.page, body: large })).status
    ).to.equal(413)
    expect((await visitor.open(token)).status).to.equal(200)
  })

  it('makes a session that nobody else can know, and ends the one that the browser had', async () => {
    const planted = `agentlink_session_${visitor.port}=${'p'.repeat(43)}`
    const first = await visitor.login([...visitor.page, `Cookie: ${planted}`])
    expect(first.cookie).to.not.equal(planted)
    const second = await visitor.login([...visitor.page, `Cookie: ${first.cookie}`])
    expect(outcomeOf(await visitor.read(first))).to.equal('401 session_ended')
    expect((await visitor.read(second)).status).to.equal(200)
  })

  it('ends a session when the owner leaves', async () => {
    const session = await visitor.login()
    const leave = (headers: readonly string[]) =>
      visitor.ask({ method: 'DELETE', target: '/dashboard/session', headers })
    expect(outcomeOf(await leave([`Cookie: ${session.cookie}`, ...visitor.page]))).to.equal('403 csrf_mismatch')
    expect(outcomeOf(await leave(visitor.shown(session)))).to.equal('403 foreign_origin')
    const answer = await leave([...visitor.shown(session), ...visitor.page])
    expect(JSON.parse(answer.text)).to.deep.equal({ status: 'ended' })
    expect(answer.headers.get('set-cookie')).to.match(/=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/)
    expect(outcomeOf(await visitor.read(session))).to.equal('401 session_ended')
  })

  it('ends every other session and every open link when the owner asks for it', async () => {
    const [mine, other] = [await visitor.login(), await visitor.login()]
    const end = (headers: readonly string[]) =>
      visitor.ask({ method: 'DELETE', target: '/dashboard/session/others', headers })
    expect(outcomeOf(await end([`Cookie: ${mine.cookie}`, ...visitor.page]))).to.equal('403 csrf_mismatch')
    expect(outcomeOf(await end(visitor.shown(mine)))).to.equal('403 foreign_origin')
    expect((await visitor.read(other)).status).to.equal(200)
    const { status, ended } = JSON.parse((await end([...visitor.shown(mine), ...visitor.page])).text) as {
      status: string
      ended: number
    }
    expect([status, ended >= 1]).to.deep.equal(['ended', true])
    expect(outcomeOf(await visitor.read(other))).to.equal('401 session_ended')
    expect((await visitor.read(mine)).status).to.equal(200)
  })

  it('ends a session after twelve idle hours, and after seven days in any case', async () => {
    const [idle, used] = [await visitor.login(), await visitor.login()]
    for (let hours = 0; hours + 11 < 7 * 24; hours += 11) {
      expect((await visitor.read(used)).status).to.equal(200)
      api.clock.pass(11 * HOUR)
    }
    expect(outcomeOf(await visitor.read(idle))).to.equal('401 session_ended')
    expect((await visitor.read(used)).status).to.equal(200)
    api.clock.pass(4 * HOUR)
    expect(outcomeOf(await visitor.read(used))).to.equal('401 session_ended')
  })

  it('keeps eight sessions: the one that was idle longest gives way', async () => {
    const sessions: Session[] = []
    for (let i = 0; i < 8; i++) sessions.push(await visitor.login())
    await visitor.read(sessions[0] as Session)
    await visitor.login()
    expect((await visitor.read(sessions[0] as Session)).status).to.equal(200)
    expect(outcomeOf(await visitor.read(sessions[1] as Session))).to.equal('401 session_ended')
  })

  it('has no session of another start of the node', async () => {
    const session = await visitor.login()
    const other = await startTestApi()
    try {
      const place = Number(new URL(other.url).port)
      const cookie = session.cookie.replace(/_\d+=/, `_${place}=`)
      const headers = [`Host: 127.0.0.1:${place}`, ...visitor.shown({ ...session, cookie })]
      const answer = await send({ host: '127.0.0.1', port: place }, { target: '/v1/owner/status', headers })
      expect(outcomeOf(answer)).to.equal('401 session_ended')
    } finally {
      await other.stop()
    }
  })

  it('makes no link when loopback TCP is off, and says what to do', async () => {
    const off = await startTestApi({}, undefined, 'no tcp')
    const request = { method: 'POST', target: '/v1/owner/login-links', token: TOKENS.owner, headers: [JSON_TYPE] }
    const answer = await send({ path: off.socket }, request)
    expect(outcomeOf(answer)).to.equal('503 loopback_off')
    await off.stop()
  })
})
