import { expect } from 'chai'
import fc from 'fast-check'
import { connect } from 'node:net'
import { ROUTES, ROUTE_NAMES, paramNamesOf, routeOf } from '../../src/api/routes.js'
import { createHandClock } from './hand-clock.js'
import { type TestApi, startTestApi } from './test-api.js'
import { DINNER, TOKENS, UID } from './views.js'
import { send } from './raw.js'

/** Requests per run, over keep-alive connections that carry BURST each. */
const REQUESTS = 5000
const BURST = 50

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', UID, '@bob', '*', '__proto__', 'constructor', '%00', '../..', '%2e%2e', '\u202e', 'null')
)
const encoded = text.map((value) => encodeURIComponent(value))

/** A stream that opened would not end by itself. */
const ENDING = ROUTE_NAMES.filter((name) => routeOf(name).media !== 'text/event-stream')
const knownTarget = fc
  .tuple(fc.constantFrom(...ENDING), fc.array(encoded, { minLength: 2, maxLength: 2 }))
  .map(([name, fills]) =>
    paramNamesOf(ROUTES[name].path).reduce(
      (path, param, index) => path.replace(`:${param}`, fills[index] ?? ''),
      ROUTES[name].path as string
    )
  )
const oddTarget = fc
  .array(fc.constantFrom('/', 'v1', 'agent', 'owner', 'tasks', '.', '%', '%2f', ';', '?', '#', 'x'), { maxLength: 8 })
  .map((parts) => `/${parts.join('')}`)
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom('limit', 'after', 'wait', 'status', 'agent', 'contact', 'x'),
      fc.oneof(encoded, fc.nat().map(String))
    ),
    { maxLength: 3 }
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${name === 'wait' ? '0' : value}`).join('&'))
const target = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: knownTarget }, oddTarget), query)
  .map(([path, asked]) => (asked === '' ? path : `${path}?${asked}`))

const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  fc.constantFrom('OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH')
)

const members = fc.constantFrom(
  'type',
  'participant',
  'proposal',
  'title',
  'expiresInHours',
  'decision',
  'scope',
  'link',
  'alias',
  'upTo',
  'x',
  '__proto__'
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>('dinner.coordination', '@bob', DINNER, 'accept', 'approve', 3, -1, 1e300)
)
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(members, value, { maxKeys: 5 }).map((object) => JSON.stringify(object)) },
  fc.json(),
  fc.string({ maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('', '[', '['.repeat(5000), '{"a":1,"a":2}', '\ufeff{}', '{"proposal":{}}', '{"upTo":1}')
)
/** Characters that a header may hold, as bytes. */
const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 40
})
const header = fc.oneof(
  { weight: 6, arbitrary: fc.constant('content-type: application/json') },
  fc.constantFrom(
    'content-type: text/plain',
    'content-encoding: gzip',
    'expect: 100-continue',
    'upgrade: websocket',
    'te: trailers',
    'origin: null',
    'x-http-method-override: DELETE'
  ),
  fc
    .tuple(fc.constantFrom('content-type', 'authorization', 'idempotency-key', 'accept', 'cookie', 'x'), headerValue)
    .map((pair) => pair.join(': '))
)
const token = fc.oneof(
  { weight: 3, arbitrary: fc.constant(TOKENS.alice) },
  { weight: 3, arbitrary: fc.constant(TOKENS.owner) },
  fc.constant('guess')
)
const request = fc.record({ method, target, headers: fc.array(header, { maxLength: 3 }), token, body })
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never

function bytesOf({ method: verb, target: path, headers, token: secret, body: said }: Request): Buffer {
  const bytes = Buffer.from(said, 'latin1')
  const lines = [`${verb} ${path} HTTP/1.1`, 'host: x', `authorization: Bearer ${secret}`, ...headers]
  if (verb !== 'GET' || bytes.length > 0) lines.push(`content-length: ${bytes.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

/** Sends them pipelined, and reads the status lines until the server closes or all are answered. */
function burst(path: string, requests: readonly Request[]): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = connect(path)
    let got = ''
    const statuses = (): string[] => [...got.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1] as string)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(statuses()))
    socket.on('data', (part: Buffer) => {
      got += part.toString('latin1')
      if (statuses().filter((status) => status !== '100').length >= requests.length) socket.destroy()
    })
    for (const each of requests) socket.write(bytesOf(each))
  })
}

describe('five thousand random requests', () => {
  let api: TestApi
  before(async () => {
    // Time flies: no failure is held back while the ones behind it wait.
    const clock = createHandClock()
    api = await startTestApi({ clock: { ...clock, now: () => (clock.pass(1000), clock.now()) } })
  })
  after(() => api.stop())

  it('find no fault of ours, and the server lives', async () => {
    const seen = new Map<string, number>()
    let left = REQUESTS
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: BURST, maxLength: BURST }), async (requests) => {
        for (let at = 0; at < requests.length;) {
          const statuses = await burst(api.socket, requests.slice(at))
          expect(statuses.length, 'an answer for the first request').to.be.above(0)
          for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1)
          expect(statuses.filter((status) => status.startsWith('5'))).to.deep.equal([])
          at += statuses.length
        }
        left -= requests.length
      }),
      { numRuns: REQUESTS / BURST, endOnFailure: true }
    )
    expect(left).to.equal(0)
    expect(api.log.filter(({ event }) => event === 'api.failed')).to.deep.equal([])
    expect((await send({ path: api.socket }, { target: '/v1/health' })).status).to.equal(200)
    // The requests are worth something: they come past the door keeper, and are refused for many reasons.
    expect([...seen.keys()].sort()).to.include.members(['200', '400', '401', '404', '405', '415'])
  })
})
