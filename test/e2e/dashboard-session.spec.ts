import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { homePaths } from '../../src/api/home.js'
import { type Session, outcomeOf } from '../api/page-visitor.js'
import { openStream } from '../api/stream-reader.js'
import { JSON_TYPE, send } from '../api/raw.js'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, endAll, until } from './agentlink.js'
import { Daemon } from './daemon.js'
import { SMUGGLED, TRICKS } from './door-tricks.js'
import { Visitor } from './visitor.js'

/** The door of the owner's page on a real node, as those find it who should not come in. */
describe("the owner's page of a real node", function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let node: Daemon
  let visitor: Visitor
  let session: Session
  /** Half requests that never go on, held from the start; whoever sends them is cut off some time. */
  const slow: Socket[] = []

  before(async () => {
    node = await Daemon.make(homes.make(), '@alice')
    visitor = new Visitor(node)
    for (let i = 0; i < 100; i++) slow.push(drip(i))
    session = await visitor.login()
  })
  after(async () => {
    for (const socket of slow) socket.destroy()
    await endAll()
    await node?.kill('SIGTERM')
    homes.clean()
  })

  function drip(i: number): Socket {
    const socket = connect(visitor.place())
    socket.on('error', () => undefined).resume()
    socket.write(i % 2 === 0 ? 'GET /dashboard/ HTTP/1.1\r\nHost: 127' : 'POST /dashboard/session HTTP/1.1\r\nX: ')
    return socket
  }

  describe('opens by a link', () => {
    it('that the command line prints, once, whoever comes first', async () => {
      const token = await visitor.printedLink()
      expect(token).to.match(/^[\w-]{43}$/)
      const opened = await Promise.all(Array.from({ length: 12 }, () => visitor.open(token)))
      expect(opened.map(outcomeOf).filter((outcome) => outcome === 'in')).to.have.length(1)
      expect(opened.filter(({ headers }) => headers.has('set-cookie'))).to.have.length(1)
      expect(outcomeOf(await visitor.open(token))).to.equal('401 login_link_invalid')
    })

    for (const [what, token] of [
      ['that was never made', 'A'.repeat(43)],
      ['that is a name of every object', '__proto__'],
      ['with a NUL', '\u0000'],
      ['of odd text', '\u202e💣'],
      ['that is another secret of the owner', 'OWNER']
    ] as const) {
      it(`never by one ${what}`, async () => {
        const shown = token === 'OWNER' ? readFileSync(homePaths(node.home).ownerSecret, 'utf8').trim() : token
        const told = await visitor.open(shown)
        expect(outcomeOf(told)).to.equal('401 login_link_invalid')
        expect(told.text).to.not.include(shown)
      })
    }

    it('of which four are open, however many are made', async () => {
      const tokens: string[] = []
      for (let i = 0; i < 60; i++) tokens.push(await visitor.link())
      const outcomes: string[] = []
      for (const token of tokens.slice(-6)) outcomes.push(outcomeOf(await visitor.open(token)))
      const gone = '401 login_link_invalid'
      expect(outcomes).to.deep.equal([gone, gone, 'in', 'in', 'in', 'in'])
      session = await visitor.login()
    })
  })

  describe('takes no call', () => {
    const WRITE = {
      method: 'PUT',
      target: '/v1/owner/grants',
      body: '{"contact":"*","capability":"disclose.budget","effect":"allow"}'
    }
    const ORIGIN = 'Origin: http://127.0.0.1:PORT'
    const own = ({ cookie, csrf }: Session): string[] => [`Cookie: ${cookie}`, `X-AgentLink-CSRF: ${csrf}`]
    /** Lines of a write; what it must get. */
    const CASES: [string, (session: Session) => string[], string][] = [
      ['with the cookie alone', ({ cookie }) => [ORIGIN, `Cookie: ${cookie}`], '403 csrf_mismatch'],
      ['with the token alone', ({ csrf }) => [ORIGIN, `X-AgentLink-CSRF: ${csrf}`], '401 unauthorized'],
      [
        'with the token in the cookie',
        ({ cookie, csrf }) => [ORIGIN, `Cookie: ${cookie}; x-agentlink-csrf=${csrf}`],
        '403 csrf_mismatch'
      ],
      [
        'with the cookie in another case',
        (one) => [ORIGIN, ...own({ ...one, cookie: one.cookie.toUpperCase() })],
        '401 unauthorized'
      ],
      [
        'with two cookies of one name',
        ({ cookie, csrf }) => [ORIGIN, ...own({ cookie: `${cookie}; agentlink_session_PORT=${'a'.repeat(43)}`, csrf })],
        '401 session_ended'
      ],
      [
        'with two Cookie headers of one name',
        (one) => [ORIGIN, `Cookie: agentlink_session_PORT=${'a'.repeat(43)}`, ...own(one)],
        '401 session_ended'
      ],
      [
        "with the owner's secret beside it",
        (one) => [ORIGIN, ...own(one), `Authorization: Bearer ${'x'.repeat(43)}`],
        '401 two_credentials'
      ],
      [
        'with an empty Authorization beside it',
        (one) => [ORIGIN, ...own(one), 'Authorization:'],
        '401 two_credentials'
      ],
      ['without Origin', own, '403 foreign_origin'],
      ['of a sandboxed page', (one) => ['Origin: null', ...own(one)], '403 foreign_origin'],
      ['of another site', (one) => ['Origin: http://evil.example', ...own(one)], '403 foreign_origin'],
      ['of another port', (one) => ['Origin: http://127.0.0.1:1', ...own(one)], '403 foreign_origin'],
      ['of our other name', (one) => ['Origin: http://localhost:PORT', ...own(one)], '403 foreign_origin'],
      ['of an Origin with a user', (one) => ['Origin: http://a@127.0.0.1:PORT', ...own(one)], '403 foreign_origin'],
      [
        'of an Origin with a trailing dot',
        (one) => ['Origin: http://127.0.0.1.:PORT', ...own(one)],
        '403 foreign_origin'
      ],
      ['of an Origin in upper case', (one) => ['Origin: HTTP://127.0.0.1:PORT', ...own(one)], '403 foreign_origin'],
      ['of two Origins', (one) => [ORIGIN, 'Origin: http://evil.example', ...own(one)], '403 foreign_origin'],
      ['that another site made', (one) => [ORIGIN, 'Sec-Fetch-Site: cross-site', ...own(one)], '403 foreign_origin'],
      ['that another port made', (one) => [ORIGIN, 'Sec-Fetch-Site: same-site', ...own(one)], '403 foreign_origin'],
      ['that was typed', (one) => [ORIGIN, 'Sec-Fetch-Site: none', ...own(one)], '403 foreign_origin'],
      ['for a name that points here', (one) => ['Host: evil.example:PORT', ORIGIN, ...own(one)], '403 foreign_host'],
      ['for another port', (one) => ['Host: 127.0.0.1:1', ORIGIN, ...own(one)], '403 foreign_host'],
      ['for IPv6', (one) => ['Host: [::1]:PORT', ORIGIN, ...own(one)], '403 foreign_host'],
      ['for mapped IPv6', (one) => ['Host: [::ffff:7f00:1]:PORT', ORIGIN, ...own(one)], '403 foreign_host'],
      ['for upper case', (one) => ['Host: LOCALHOST:PORT', ORIGIN, ...own(one)], '403 foreign_host'],
      ['for a trailing dot', (one) => ['Host: localhost.:PORT', ORIGIN, ...own(one)], '403 foreign_host'],
      [
        'for a user in the name',
        (one) => ['Host: 127.0.0.1:PORT@evil.example', ORIGIN, ...own(one)],
        '403 foreign_host'
      ],
      [
        'as a page of itself that is no JSON',
        (one) => [ORIGIN, 'Content-Type: text/plain', ...own(one)],
        '415 unsupported_media_type'
      ]
    ]
    for (const [what, lines, wanted] of CASES) {
      it(`${what}: ${wanted}`, async () => {
        const said = lines(session)
        const headers = said.some((line) => line.startsWith('Content-Type')) ? said : [...said, JSON_TYPE]
        expect(outcomeOf(await visitor.ask({ ...WRITE, headers }))).to.equal(wanted)
        const { body } = await node.owner<{ items: unknown[] }>('GET', 'grants')
        expect(body.items).to.deep.equal([])
      })
    }

    it('for what takes the secret itself, or by a socket, or of an agent', async () => {
      const shown = visitor.shown(session)
      for (const target of ['/v1/owner/records', '/v1/owner/login-links']) {
        const method = target.endsWith('links') ? 'POST' : 'GET'
        const told = await visitor.ask({ method, target, headers: [...shown, ...visitor.page] })
        expect(outcomeOf(told)).to.equal('403 owner_secret_needed')
      }
      expect(outcomeOf(await visitor.read(session, '/v1/agent/counters'))).to.equal('401 unauthorized')
      for (const [i, at] of visitor.sockets.entries()) {
        const headers = [`Host: 127.0.0.1:${visitor.port}`, ...shown, ...visitor.page]
        expect((await send(at, { target: '/v1/owner/status', headers })).status).to.equal(i === 0 ? 401 : 404)
        const body = JSON.stringify({ token: await visitor.link() })
        const told = await send(at, { method: 'POST', target: '/dashboard/session', headers, body })
        expect([told.status, told.headers.has('set-cookie')]).to.deep.equal([404, false])
      }
    })
  })

  describe('answers', () => {
    const CSP =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

    it('with headers that let nothing else in, and lets a browser keep hashed files alone', async () => {
      const front = await visitor.ask({ target: '/dashboard/' })
      expect(front.status).to.equal(200)
      const assets = [...front.text.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(
        ([, path]) => path ?? ''
      )
      expect(assets.length).to.be.at.least(2)
      for (const target of ['/dashboard/', ...assets]) {
        const { status, headers, text } = await visitor.ask({ target })
        expect(status, target).to.equal(200)
        const told = Object.fromEntries(headers)
        expect(told).to.include({
          'content-security-policy': CSP,
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': target === '/dashboard/' ? 'no-store' : 'private, max-age=31536000, immutable'
        })
        expect(text, target).to.not.match(/sourceMappingURL/)
      }
      expect(front.text).to.not.match(/<script(?![^>]* src=)|<style|\son[a-z]+=|https?:/i)
    })

    it('with nothing that a browser may keep, guess at, embed or share, whatever it answers', async () => {
      const shown = visitor.shown(session)
      const told = [
        await visitor.read(session),
        await visitor.ask({ target: '/dashboard/session', headers: shown }),
        await visitor.open(await visitor.link()),
        await visitor.ask({ target: '/' }),
        await visitor.ask({ target: '/dashboard/nothing' }),
        await visitor.ask({ target: '/v1/owner/status' }),
        await visitor.ask({ target: '/dashboard/', headers: ['Host: evil.example'] }),
        await visitor.ask({ method: 'PUT', target: '/dashboard/', headers: visitor.page }),
        await visitor.ask({ target: '/agents.md' }),
        await visitor.say('nonsense\r\n\r\n'),
        await visitor.say(`GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
      ]
      for (const { status, headers } of told) {
        expect(Object.fromEntries(headers), String(status)).to.include({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
        })
        expect([...headers.keys()].filter((name) => /^access-control|^server$|^x-powered/.test(name))).to.deep.equal([])
      }
    })

    it('with its own files alone, whatever is asked for in whatever spelling', async () => {
      const front = await visitor.ask({ target: '/dashboard/' })
      const [asset = ''] = /\/dashboard\/assets\/[^"]+\.js/.exec(front.text) ?? []
      for (const target of [...TRICKS, `${asset}.map`, `${asset}.`, `${asset}/`, `${asset}%00`, asset.toUpperCase()]) {
        const told = await visitor.ask({ target })
        expect(told.status, target.slice(0, 80)).to.be.oneOf([400, 404, 414])
        expect(told.text, target.slice(0, 80)).to.match(/^\{"error":\{"code":"/)
      }
    })

    it('with a method that it has, and with none that others know', async () => {
      for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'CONNECT', 'PURGE']) {
        for (const target of ['/dashboard/', '/dashboard/session', '/v1/owner/status']) {
          const told = await visitor.ask({ method, target, headers: [...visitor.page, ...visitor.shown(session)] })
          if (method === 'DELETE' && target === '/dashboard/session') session = await visitor.login()
          else expect(told.status, `${method} ${target}`).to.be.oneOf([0, 400, 404, 405])
        }
      }
    })
  })

  for (const [what, lines, body] of SMUGGLED) {
    it(`reads no second request out of ${what}`, async () => {
      const second =
        'DELETE /v1/owner/grants?contact=*&capability=disclose.budget HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n'
      const head = ['POST /dashboard/session HTTP/1.1', 'Host: 127.0.0.1:PORT', ...visitor.page, ...lines]
      const told = await visitor.say(`${head.join('\r\n')}\r\n\r\n${body}${second}`)
      expect(told.status).to.equal(400)
      expect(told.text).to.not.include('HTTP/1.1')
    })
  }

  it('takes no upgrade, no large body and no heap of headers', async () => {
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
    ]
    const shown = visitor.shown(session)
    const foreign = ['Origin: http://evil.example', ...upgrade, ...shown]
    expect(outcomeOf(await visitor.ask({ target: '/v1/owner/events', headers: foreign }))).to.equal(
      '403 foreign_origin'
    )
    expect((await visitor.ask({ target: '/dashboard/session', headers: [...shown, ...upgrade] })).status).to.not.equal(
      101
    )
    // Announced, not sent: bytes that are under way when the node hangs up would have the system throw its answer away.
    const announced = [...visitor.page, 'Content-Length: 3000000']
    const large = { method: 'POST', target: '/dashboard/session', headers: announced }
    expect(outcomeOf(await visitor.ask(large))).to.equal('413 too_large')
    const many = Array.from({ length: 3000 }, (_, i) => `a${i}: b`)
    expect((await visitor.ask({ target: '/dashboard/', headers: many })).status).to.equal(413)
    const cookies = Array.from({ length: 1200 }, (_, i) => `Cookie: a${i % 9}=b`)
    expect((await visitor.ask({ target: '/dashboard/', headers: cookies })).status).to.be.oneOf([200, 413])
  })

  describe('has room', () => {
    it('for eight sessions: the one that was idle longest gives way, and memory stays', async () => {
      const before = node.memory
      const sessions: Session[] = []
      for (let i = 0; i < 60; i++) sessions.push(await visitor.login())
      const outcomes: string[] = []
      for (const one of sessions.slice(-10)) outcomes.push(outcomeOf(await visitor.read(one)))
      expect(outcomes).to.deep.equal([
        '401 session_ended',
        '401 session_ended',
        ...Array.from({ length: 8 }, () => 'in')
      ])
      expect(node.memory - before).to.be.lessThan(48 * 1024 * 1024)
      session = sessions.at(-1) as Session
    })

    it('for so many streams, of which whoever has a stolen cookie takes no more than its part', async () => {
      const at = { ...visitor.place(), path: '/v1/owner/events' }
      const open = () => openStream(at, undefined, { cookie: session.cookie, host: `127.0.0.1:${visitor.port}` })
      const streams = await Promise.all(Array.from({ length: 40 }, open))
      expect(streams.filter(({ status }) => status === 200).length).to.be.at.most(16)
      expect(streams.map(({ status }) => status)).to.include(429)
      for (const stream of streams) stream.drop()
      await until(open, (stream) => (stream.drop(), stream.status === 200))
    })

    it('for its owner while others fail and call as fast as they can', async () => {
      const from = visitor.place()
      const noise = Array.from({ length: 300 }, (_, i) =>
        send(from, {
          target: i % 2 === 0 ? '/v1/owner/status' : '/dashboard/session',
          headers: [`Host: 127.0.0.1:${visitor.port}`, `Cookie: agentlink_session_${visitor.port}=${'a'.repeat(43)}`]
        })
      )
      const own = { ...from }
      const headers = [`Host: 127.0.0.1:${visitor.port}`, ...visitor.shown(session)]
      expect((await send(own, { target: '/v1/owner/status', headers })).status).to.equal(200)
      expect((await send(own, { target: '/dashboard/', headers: headers.slice(0, 1) })).status).to.equal(200)
      const statuses = new Set((await Promise.all(noise)).map(({ status }) => status))
      expect([...statuses].sort()).to.deep.equal([401, 429])
    })
  })

  it('ends its sessions when their owner leaves, with all that they had open', async () => {
    const [one, other] = [await visitor.login(), await visitor.login()]
    const headers = [...visitor.shown(one), ...visitor.page]
    const at = { ...visitor.place(), path: '/v1/owner/events' }
    const stream = await openStream(at, undefined, { cookie: one.cookie, host: `127.0.0.1:${visitor.port}` })
    expect(stream.status).to.equal(200)
    expect((await visitor.ask({ method: 'DELETE', target: '/dashboard/session', headers })).status).to.equal(200)
    expect(await stream.next(), 'its stream').to.equal(undefined)
    expect(outcomeOf(await visitor.read(one))).to.equal('401 session_ended')
    expect(outcomeOf(await visitor.read(other))).to.equal('in')
  })

  it('cuts off who sends half a request, and serves the command line meanwhile', async () => {
    expect((await agentlink(['status', '--home', node.home])).code).to.equal(0)
    await until(
      () => Promise.resolve(slow.filter((socket) => !socket.destroyed).length),
      (open) => open === 0,
      20_000
    )
  })

  it('knows no session any more when the node was started again, and keeps no secret in log or files', async () => {
    const token = await visitor.link()
    expect(outcomeOf(await visitor.read(session))).to.equal('in')
    await node.kill('SIGTERM')
    await node.start()
    const moved = { ...session, cookie: session.cookie.replace(/_\d+=/, `_${visitor.port}=`) }
    expect(outcomeOf(await visitor.read(moved))).to.equal('401 session_ended')
    expect(outcomeOf(await visitor.open(token))).to.equal('401 login_link_invalid')
    for (const secret of [token, session.csrf, session.cookie.split('=')[1] ?? ''])
      expect(node.log).to.not.include(secret)
  })
})
