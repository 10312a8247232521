import { expect } from 'chai'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS } from './views.js'
import { type RawAnswer, refusalOf, send, sendBytes } from './raw.js'

/** Header lines with PORT for ours; what a request with them must get. */
type Outcome = 'in' | 'foreign_host' | 'foreign_origin'
const ORIGIN = 'Host: 127.0.0.1:PORT'

const CASES: [string, string[], Outcome][] = [
  ['our address', [ORIGIN], 'in'],
  ['localhost', ['Host: localhost:PORT'], 'in'],
  ['a foreign name', ['Host: evil.example'], 'foreign_host'],
  ['a foreign name with our port', ['Host: evil.example:PORT'], 'foreign_host'],
  ['our address without port', ['Host: 127.0.0.1'], 'foreign_host'],
  ['localhost without port', ['Host: localhost'], 'foreign_host'],
  ['our address with another port', ['Host: 127.0.0.1:1'], 'foreign_host'],
  ['localhost with another port', ['Host: localhost:1'], 'foreign_host'],
  ['our port with a digit more', ['Host: 127.0.0.1:PORT0'], 'foreign_host'],
  ['our port with a leading zero', ['Host: 127.0.0.1:0PORT'], 'foreign_host'],
  ['localhost.evil', ['Host: localhost.evil:PORT'], 'foreign_host'],
  ['evil-localhost', ['Host: evil-localhost:PORT'], 'foreign_host'],
  ['127.0.0.1.evil', ['Host: 127.0.0.1.evil:PORT'], 'foreign_host'],
  ['localhost with a trailing dot', ['Host: localhost.:PORT'], 'foreign_host'],
  ['our address with a trailing dot', ['Host: 127.0.0.1.:PORT'], 'foreign_host'],
  ['upper case', ['Host: LOCALHOST:PORT'], 'foreign_host'],
  ['the IPv6 form', ['Host: [::1]:PORT'], 'foreign_host'],
  ['the mapped IPv6 form', ['Host: [::ffff:127.0.0.1]:PORT'], 'foreign_host'],
  ['0.0.0.0', ['Host: 0.0.0.0:PORT'], 'foreign_host'],
  ['another loopback address', ['Host: 127.0.0.2:PORT'], 'foreign_host'],
  ['the short form', ['Host: 127.1:PORT'], 'foreign_host'],
  ['the decimal form', ['Host: 2130706433:PORT'], 'foreign_host'],
  ['the octal form', ['Host: 0177.0.0.1:PORT'], 'foreign_host'],
  ['the hexadecimal form', ['Host: 0x7f.0.0.1:PORT'], 'foreign_host'],
  ['a user in front', ['Host: a@127.0.0.1:PORT'], 'foreign_host'],
  ['a path behind', ['Host: 127.0.0.1:PORT/x'], 'foreign_host'],
  ['two names in one', ['Host: 127.0.0.1:PORT, evil.example'], 'foreign_host'],
  ['a space inside', ['Host: 127.0.0.1 :PORT'], 'foreign_host'],
  ['an empty name', ['Host: '], 'foreign_host'],
  ['no Host', [], 'foreign_host'],
  ['Host twice', [ORIGIN, ORIGIN], 'foreign_host'],
  ['Host twice, ours first', [ORIGIN, 'Host: evil.example'], 'foreign_host'],
  ['Host twice, ours last', ['Host: evil.example', ORIGIN], 'foreign_host'],
  ['a forwarded host beside ours', [ORIGIN, 'X-Forwarded-Host: evil.example'], 'in'],
  ['ours as forwarded host only', ['Host: evil.example', 'X-Forwarded-Host: 127.0.0.1:PORT'], 'foreign_host'],
  ['our Origin', [ORIGIN, 'Origin: http://127.0.0.1:PORT'], 'in'],
  ['localhost as Origin', [ORIGIN, 'Origin: http://localhost:PORT'], 'in'],
  ['a foreign Origin', [ORIGIN, 'Origin: http://evil.example'], 'foreign_origin'],
  ['Origin null', [ORIGIN, 'Origin: null'], 'foreign_origin'],
  ['an empty Origin', [ORIGIN, 'Origin: '], 'foreign_origin'],
  ['our Origin with https', [ORIGIN, 'Origin: https://127.0.0.1:PORT'], 'foreign_origin'],
  ['our Origin without port', [ORIGIN, 'Origin: http://127.0.0.1'], 'foreign_origin'],
  ['our Origin with another port', [ORIGIN, 'Origin: http://127.0.0.1:1'], 'foreign_origin'],
  ['our Origin with a slash', [ORIGIN, 'Origin: http://127.0.0.1:PORT/'], 'foreign_origin'],
  ['our Origin as a prefix', [ORIGIN, 'Origin: http://127.0.0.1:PORT.evil.example'], 'foreign_origin'],
  ['our Origin in upper case', [ORIGIN, 'Origin: HTTP://127.0.0.1:PORT'], 'foreign_origin'],
  ['Origin twice', [ORIGIN, 'Origin: http://127.0.0.1:PORT', 'Origin: http://evil.example'], 'foreign_origin'],
  ['a file as Origin', [ORIGIN, 'Origin: file://'], 'foreign_origin'],
  ['an extension as Origin', [ORIGIN, 'Origin: chrome-extension://abcdef'], 'foreign_origin'],
  ['a typed address', [ORIGIN, 'Sec-Fetch-Site: none'], 'in'],
  ['our own page', [ORIGIN, 'Sec-Fetch-Site: same-origin'], 'in'],
  ['a page of the same site', [ORIGIN, 'Sec-Fetch-Site: same-site'], 'foreign_origin'],
  ['a page of another site', [ORIGIN, 'Sec-Fetch-Site: cross-site'], 'foreign_origin'],
  ['an unknown kind of site', [ORIGIN, 'Sec-Fetch-Site: x'], 'foreign_origin'],
  ['Sec-Fetch-Site twice', [ORIGIN, 'Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'], 'foreign_origin']
]

describe('loopback TCP', () => {
  let api: TestApi
  let port: number
  before(async () => {
    api = await startTestApi()
    port = Number(new URL(api.url).port)
  })
  after(() => api.stop())
  const ours = (line: string): string => line.replaceAll('PORT', String(port))
  const check = (answer: RawAnswer, outcome: Outcome, status: number): void => {
    if (outcome === 'in') expect(answer.status).to.equal(status)
    else expect([answer.status, refusalOf(answer).details.code]).to.deep.equal([403, outcome])
  }

  for (const [what, lines, outcome] of CASES) {
    it(`answers ${what} with ${outcome}`, async () => {
      const head = (target: string) =>
        [`GET ${target} HTTP/1.1`, ...lines.map(ours), `Authorization: Bearer ${TOKENS.alice}`, 'Connection: close']
          .join('\r\n')
          .concat('\r\n\r\n')
      check(await sendBytes({ host: '127.0.0.1', port }, head('/v1/agent/counters')), outcome, 200)
      check(await sendBytes({ host: '127.0.0.1', port }, head('/v1/health')), outcome, 200)
      check(await sendBytes({ host: '127.0.0.1', port }, head('/nothing')), outcome, 404)
    })
  }

  for (const target of ['http://evil.example/v1/health', 'http://127.0.0.1:PORT/v1/health', '*', 'evil.example:80']) {
    it(`takes no target in the form ${target}`, async () => {
      const answer = await send({ host: '127.0.0.1', port }, { target: ours(target), headers: [ours(ORIGIN)] })
      expect(answer.status).to.equal(400)
    })
  }

  it('takes HTTP/1.0 only with our Host', async () => {
    const bare = await sendBytes({ host: '127.0.0.1', port }, 'GET /v1/health HTTP/1.0\r\n\r\n')
    expect(bare.status).to.equal(403)
    const named = await sendBytes({ host: '127.0.0.1', port }, `GET /v1/health HTTP/1.0\r\n${ours(ORIGIN)}\r\n\r\n`)
    expect(named.status).to.equal(200)
  })

  it('refuses what a form on another page can post', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const request = {
        method: 'POST',
        target: '/v1/agent/tasks',
        headers: [ours(ORIGIN), `Content-Type: ${type}`, 'Origin: http://evil.example', 'Sec-Fetch-Site: cross-site'],
        body: '{"type":"x","participant":"@bob","proposal":{}}'
      }
      expect((await send({ host: '127.0.0.1', port }, request)).status).to.equal(403)
    }
    expect(api.doors.calls.names).to.not.include('createTask')
  })

  it('answers no preflight with permission', async () => {
    const request = {
      method: 'OPTIONS',
      target: '/v1/agent/tasks',
      headers: [ours(ORIGIN), 'Access-Control-Request-Method: POST', `Origin: http://127.0.0.1:${port}`]
    }
    const answer = await send({ host: '127.0.0.1', port }, request)
    expect(answer.status).to.equal(405)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal([])
  })

  it('listens on the loopback address alone', () => {
    expect(new URL(api.url).hostname).to.equal('127.0.0.1')
  })
})

describe('a unix socket', () => {
  it('takes any Host: no web page can open it', async () => {
    const api = await startTestApi()
    for (const host of ['localhost', 'node', 'x:1']) {
      const answer = await send({ path: api.socket }, { target: '/v1/health', headers: [`Host: ${host}`] })
      expect(answer.status).to.equal(200)
    }
    await api.stop()
  })
})
