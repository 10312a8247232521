import { expect } from 'chai'
import { type TestApi, startTestApi } from './test-api.js'
import { DINNER, PROPOSAL_ID, TOKENS, UID } from './views.js'
import { ROUTE_NAMES, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { JSON_TYPE, refusalOf, send } from './raw.js'

const TASK = JSON.stringify({ type: 'dinner.coordination', participant: '@bob', proposal: DINNER })

/** Spellings of plain JSON; all other media types are refused before the body is read. */
const TAKEN = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json ; charset=utf-8',
  'application/json; charset="utf-8"',
  'application/json;\tcharset=utf-8',
  'application/json '
]

/** The kinds of CVE-2025-32442, CVE-2026-25223, fastify#6537, and what browsers can send without a preflight. */
const REFUSED = [
  'application/x+json',
  'application/vnd.api+json',
  'application/ld+json',
  'application/json+x',
  'application/jsonx',
  'xapplication/json',
  'application/ json',
  'application /json',
  'application\t/json',
  'application/json\ta',
  'application/json\tapplication/json',
  'application/json a',
  'application/json, text/plain',
  'text/plain, application/json',
  'application/json;',
  'application/json;;',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset',
  'application/json; charset=',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; boundary=x',
  'application/json; a=b; charset=utf-8',
  'application/json#x',
  'application/json\x0b',
  'application/json\xa0',
  'text/json',
  'text/plain',
  'text/plain; x=application/json',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/ndjson',
  'application/json5',
  'application/*',
  '*/*',
  'json',
  '/',
  'null',
  ''
]

describe('the media type of a body', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())
  const post = (headers: readonly string[], body: string | undefined = TASK) =>
    send(
      { path: api.socket },
      {
        method: 'POST',
        target: '/v1/agent/tasks',
        token: TOKENS.alice,
        headers,
        ...(body === '' ? {} : { body })
      }
    )
  const quote = (text: string): string => JSON.stringify(text)

  for (const type of TAKEN) {
    it(`may be ${quote(type)}, and the body is checked`, async () => {
      expect((await post([`Content-Type: ${type}`])).status).to.equal(201)
      const wrong = await post([`Content-Type: ${type}`], '{"type":"x","participant":"@bob","proposal":{},"x":1}')
      expect(refusalOf(wrong).details).to.deep.equal({ code: 'unknown_member', field: 'x' })
    })
  }

  for (const type of REFUSED) {
    it(`must not be ${quote(type)}`, async () => {
      const before = api.doors.calls.names.length
      const answer = await post([`Content-Type: ${type}`])
      expect(answer.status).to.be.oneOf(type === 'application/json\x0b' ? [400, 415] : [415])
      if (answer.status === 415) expect(refusalOf(answer).code).to.equal('unsupported_media_type')
      expect(api.doors.calls.names.length).to.equal(before)
    })
  }

  const TRICKS: [string, string[]][] = [
    ['is missing', []],
    ['is given twice', ['Content-Type: application/json', 'Content-Type: application/json']],
    ['is given twice, the second one other', ['Content-Type: application/json', 'Content-Type: text/plain']],
    ['stands beside a compression', ['Content-Type: application/json', 'Content-Encoding: gzip']],
    ['stands beside an identity encoding', ['Content-Type: application/json', 'Content-Encoding: identity']]
  ]
  for (const [what, headers] of TRICKS) {
    it(`is refused when it ${what}`, async () => {
      expect((await post(headers)).status).to.equal(415)
    })
  }

  it('may be missing when there is no body and the route needs none', async () => {
    await post([JSON_TYPE])
    const answer = await send(
      { path: api.socket },
      {
        method: 'POST',
        target: `/v1/agent/tasks/${UID}/cancel`,
        token: TOKENS.alice
      }
    )
    expect(answer.status).to.equal(200)
  })

  it('is checked on every method that may carry a body', async () => {
    for (const [method, target] of [
      ['PUT', '/v1/owner/grants'],
      ['PATCH', '/v1/owner/contacts/@bob'],
      ['DELETE', '/v1/owner/grants?contact=*&capability=disclose.budget'],
      ['POST', '/v1/owner/invites']
    ] as const) {
      const request = { method, target, token: TOKENS.owner, headers: ['Content-Type: text/plain'], body: '{}' }
      expect((await send({ path: api.socket }, request)).status, method).to.equal(415)
    }
  })
})

/** Bodies with the detail code that each must get; `undefined` stands for the code alone. */
const BODIES: [string, string | Uint8Array, number, string | undefined, string?][] = [
  ['junk', 'hello', 400, 'malformed_json'],
  ['half an object', '{"type":"x"', 400, 'malformed_json'],
  ['two values', '{} {}', 400, 'malformed_json'],
  ['a byte order mark', '\ufeff{}', 400, 'malformed_json'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'malformed_json'],
  ['a lone surrogate', '{"type":"\\ud800"}', 400, 'malformed_json'],
  ['a prototype key', '{"__proto__":{}}', 400, 'malformed_json'],
  ['a constructor key', '{"proposal":{"constructor":1}}', 400, 'malformed_json'],
  ['the same member twice', '{"type":"x","type":"y"}', 400, 'duplicate_key'],
  ['the same member twice inside', '{"proposal":{"a":1,"a":2}}', 400, 'duplicate_key'],
  ['too many levels', `{"proposal":${'['.repeat(9)}${']'.repeat(9)}}`, 400, 'too_deep'],
  ['a hundred thousand levels', '['.repeat(100_000), 400, 'too_deep'],
  ['a comment', '{}//x', 400, 'malformed_json'],
  ['NaN', '{"expiresInHours":NaN}', 400, 'malformed_json'],
  ['a number beyond every double', '{"expiresInHours":1e999}', 400, 'malformed_json'],
  ['an array', '[]', 400, 'invalid_field', ''],
  ['null', 'null', 400, 'invalid_field', ''],
  ['a string', '"x"', 400, 'invalid_field', ''],
  ['nothing at all', '', 400, 'missing_field', 'type'],
  ['an empty object', '{}', 400, 'missing_field', 'type'],
  ['no participant', '{"type":"x","proposal":{}}', 400, 'missing_field', 'participant'],
  ['no proposal', '{"type":"x","participant":"@b"}', 400, 'missing_field', 'proposal'],
  ['a number as type', '{"type":7,"participant":"@b","proposal":{}}', 400, 'invalid_field', 'type'],
  ['an empty type', '{"type":"","participant":"@b","proposal":{}}', 400, 'invalid_field', 'type'],
  ['a null type', '{"type":null,"participant":"@b","proposal":{}}', 400, 'invalid_field', 'type'],
  ['an array as proposal', '{"type":"x","participant":"@b","proposal":[]}', 400, 'invalid_field', 'proposal'],
  ['a string as proposal', '{"type":"x","participant":"@b","proposal":"y"}', 400, 'invalid_field', 'proposal'],
  ['an unknown member', '{"type":"x","participant":"@b","proposal":{},"to":1}', 400, 'unknown_member', 'to'],
  ['a misspelt member', '{"type":"x","participants":"@b","proposal":{}}', 400, 'unknown_member', 'participants'],
  [
    'toString as member',
    '{"type":"x","participant":"@b","proposal":{},"toString":1}',
    400,
    'unknown_member',
    'toString'
  ],
  [
    'hours as text',
    '{"type":"x","participant":"@b","proposal":{},"expiresInHours":"3"}',
    400,
    'invalid_field',
    'expiresInHours'
  ],
  [
    'no hours',
    '{"type":"x","participant":"@b","proposal":{},"expiresInHours":0}',
    400,
    'invalid_field',
    'expiresInHours'
  ],
  [
    'too many hours',
    '{"type":"x","participant":"@b","proposal":{},"expiresInHours":721}',
    400,
    'invalid_field',
    'expiresInHours'
  ],
  [
    'half hours',
    '{"type":"x","participant":"@b","proposal":{},"expiresInHours":1.5}',
    400,
    'invalid_field',
    'expiresInHours'
  ],
  ['a null title', '{"type":"x","participant":"@b","proposal":{},"title":null}', 400, 'invalid_field', 'title'],
  [
    'a long title',
    `{"type":"x","participant":"@b","proposal":{},"title":"${'x'.repeat(201)}"}`,
    400,
    'invalid_field',
    'title'
  ],
  ['a body over the limit', `{"proposal":{"a":"${'x'.repeat(262_144)}"}}`, 413, undefined]
]

describe('a body', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())
  const post = (body: string | Uint8Array, target = '/v1/agent/tasks') =>
    send({ path: api.socket }, { method: 'POST', target, token: TOKENS.alice, headers: [JSON_TYPE], body })

  for (const [what, body, status, code, field] of BODIES) {
    it(`with ${what} is refused and reaches no door`, async () => {
      const before = api.doors.calls.names.length
      const answer = await post(body)
      expect(answer.status).to.equal(status)
      expect(refusalOf(answer).details.code).to.equal(code)
      if (field !== undefined) expect(refusalOf(answer).details.field).to.equal(field)
      expect(api.doors.calls.names.length).to.equal(before)
    })
  }

  it('at the limit is read', async () => {
    const frame = '{"type":"x","participant":"@b","proposal":{"a":""}}'
    const body = frame.replace('""', `"${'x'.repeat(262_144 - frame.length)}"`)
    expect(body.length).to.equal(262_144)
    expect((await post(body)).status).to.equal(201)
  })

  it('over the limit is refused before it has arrived', async () => {
    const head = [JSON_TYPE, 'Content-Length: 1000000000']
    const answer = await send(
      { path: api.socket },
      {
        method: 'POST',
        target: '/v1/agent/tasks',
        token: TOKENS.alice,
        headers: head
      }
    )
    expect([answer.status, refusalOf(answer).code]).to.deep.equal([413, 'too_large'])
  })

  for (const name of ROUTE_NAMES) {
    const { method, auth } = routeOf(name)
    if (method === 'GET') continue
    it(`over the limit reaches no door at ${name}`, async () => {
      api.clock.pass(60_000)
      const before = api.doors.calls.names.length
      const token = auth === 'owner' ? TOKENS.owner : TOKENS.alice
      const target = pathOf(name, Object.fromEntries(paramNamesOf(routeOf(name).path).map((param) => [param, UID])))
      const answer = await send(
        { path: api.socket },
        { method, target, token, headers: [JSON_TYPE, 'Content-Length: 262145'] }
      )
      expect([answer.status, refusalOf(answer).code]).to.deep.equal([413, 'too_large'])
      expect(api.doors.calls.names.length).to.equal(before)
    })
  }

  it('reaches the door with the proposal as it was written', async () => {
    const proposal = { b: 1, a: { deep: ['x', 1.5, true, null] }, z: '\u00e9\u{1f35d}' }
    await post(JSON.stringify({ type: 'x', participant: '@bob', proposal }))
    const seen = api.doors.calls.inputs.at(-1) as { proposal: object }
    expect(JSON.stringify(seen.proposal)).to.equal(JSON.stringify(proposal))
  })

  it('that holds a long unknown name is refused with the name cut short', async () => {
    const answer = await post(`{"${'n'.repeat(5000)}":1}`)
    expect(refusalOf(answer).details.field).to.equal(`${'n'.repeat(64)}…`)
    expect(answer.text.length).to.be.below(400)
  })

  it('is never echoed in a refusal', async () => {
    const secret = 'canary-7f3a'
    for (const body of [
      `{"type":"${secret}","participant":7,"proposal":{}}`,
      `{"type":"x","participant":"@b","proposal":"${secret}"}`,
      `{"type":"x" ${secret}}`,
      `{"type":"x","participant":"@b","proposal":{},"expiresInHours":"${secret}"}`
    ]) {
      const answer = await post(body)
      expect(answer.status).to.equal(400)
      expect(answer.text).to.not.include(secret)
    }
    const decision = await post(
      `{"proposalId":"${PROPOSAL_ID}","decision":"${secret}"}`,
      `/v1/agent/tasks/${UID}/responses`
    )
    expect(refusalOf(decision).details).to.deep.equal({ code: 'invalid_field', field: 'decision' })
    expect(decision.text).to.not.include(secret)
  })
})
