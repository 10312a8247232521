import { expect } from 'chai'
import { REFUSAL_CODES, refusal } from '../../src/base/refusal.js'
import { fail, ok } from '../../src/base/result.js'
import { failureBody, refusalIn, statusOf } from '../../src/api/failure.js'
import { ROUTES, ROUTE_NAMES } from '../../src/api/routes.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS, UID, taskView } from './views.js'
import { JSON_TYPE, refusalOf, send, sendBytes } from './raw.js'

const STATUS: Record<string, number> = {
  bad_request: 400,
  unauthorized: 401,
  policy_denied: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  disk_full: 507
}

describe('the map from refusals to HTTP', () => {
  for (const code of REFUSAL_CODES) {
    it(`answers ${code} with ${STATUS[code]}`, () => {
      expect(statusOf(refusal(code, 'x'))).to.equal(STATUS[code])
    })
  }

  it('gives a refusal back from its body', () => {
    const said = refusal('conflict', 'read again', { code: 'version_conflict' })
    expect(refusalIn(JSON.parse(JSON.stringify(failureBody(said))))).to.deep.equal(said)
  })

  for (const body of [undefined, null, 7, 'x', [], {}, { error: null }, { error: { code: 'x', message: 'y' } }]) {
    it(`sees no refusal in ${JSON.stringify(body)}`, () => {
      expect(refusalIn(body)).to.equal(undefined)
    })
  }
})

describe('calls that no route takes', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())

  const UNKNOWN = [
    '/',
    '/v1',
    '/v1/',
    '/v1/agent',
    '/v2/agent/tasks',
    '/v1/agent/tasks/',
    '/v1/Agent/tasks',
    '/v1//agent/tasks',
    '/v1/agent/../owner/status',
    '/v1/agent/tasks/a/b/c',
    '/v1/agent/tasks;x',
    '/v1/agent/tasks%2Fx',
    '/favicon.ico'
  ]
  for (const target of UNKNOWN) {
    it(`answers ${target} with 404 in the error shape`, async () => {
      const answer = await send({ path: api.socket }, { target, token: TOKENS.owner })
      expect(answer.status).to.be.oneOf(target === '/v1/agent/tasks/' ? [400, 401, 404] : [404])
      expect(refusalOf(answer).code).to.be.oneOf(['not_found', 'unauthorized', 'bad_request'])
    })
  }

  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'QUERY', 'LOCK']) {
    it(`answers ${method} on a path of other methods with 405 and says which`, async () => {
      const answer = await send({ path: api.socket }, { method, target: '/v1/agent/tasks', token: TOKENS.alice })
      if (answer.status === 400) return expect(refusalOf(answer).message).to.include('not an HTTP request')
      expect(answer.status).to.equal(405)
      expect(answer.headers.get('allow')).to.equal('POST, GET')
      return expect(refusalOf(answer).details).to.deep.equal({ code: 'method_not_allowed', allow: ['POST', 'GET'] })
    })
  }

  it('answers HEAD with 405 and no body', async () => {
    const answer = await send({ path: api.socket }, { method: 'HEAD', target: '/v1/health' })
    expect([answer.status, answer.text]).to.deep.equal([405, ''])
  })

  for (const [what, bytes] of [
    ['junk', 'junk\r\n\r\n'],
    ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\n\r\n'],
    ['a header without a colon', 'GET /v1/health HTTP/1.1\r\nnothing\r\n\r\n'],
    ['a header with a zero byte', 'GET /v1/health HTTP/1.1\r\nHost: a\0b\r\n\r\n'],
    ['both lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a negative length', 'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
    ['a bad chunk', `POST /v1/agent/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`]
  ] as const) {
    it(`answers ${what} with a refusal and closes`, async () => {
      const answer = await sendBytes({ path: api.socket }, bytes)
      expect(answer.status).to.be.oneOf([400, 401])
      expect(refusalOf(answer).code).to.be.oneOf(['bad_request', 'unauthorized'])
    })
  }

  it('answers headers of 20 KiB with too_large', async () => {
    const answer = await send({ path: api.socket }, { target: '/v1/health', headers: [`X: ${'x'.repeat(20_000)}`] })
    expect([answer.status, refusalOf(answer).code]).to.deep.equal([413, 'too_large'])
  })

  it('answers a path that is badly encoded', async () => {
    for (const target of ['/v1/agent/tasks/%', '/v1/agent/tasks/%zz', '/v1/agent/tasks/%ff', '/%']) {
      const answer = await send({ path: api.socket }, { target, token: TOKENS.alice })
      expect(answer.status, target).to.be.oneOf([400, 404])
      refusalOf(answer)
    }
  })

  it('answers an expectation that it does not know', async () => {
    const answer = await send({ path: api.socket }, { target: '/v1/health', headers: ['Expect: wonders'] })
    expect(answer.status).to.equal(400)
  })

  it('lets no answer be stored or sniffed', async () => {
    for (const target of ['/v1/health', '/nothing', '/v1/agent/tasks']) {
      const answer = await send({ path: api.socket }, { target })
      expect(answer.headers.get('cache-control')).to.equal('no-store')
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff')
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    }
  })
})

describe('queries and paths', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())

  for (const name of ROUTE_NAMES) {
    const { method, auth, path } = ROUTES[name]
    it(`${name} refuses an unknown query member by name`, async () => {
      const token = auth === 'owner' ? TOKENS.owner : TOKENS.alice
      const target = `${path.replace(/:[a-zA-Z]+/g, UID)}?nonesuch=1`
      const answer = await send({ path: api.socket }, { method, target, token })
      expect(refusalOf(answer).details).to.deep.equal({ code: 'unknown_member', field: 'nonesuch' })
    })
  }

  const QUERIES: [string, string, string][] = [
    ['/v1/agent/tasks?limit=0', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=201', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=-1', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=1.5', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=1e2', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=0x10', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=+5', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=05', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?limit=5&limit=6', 'invalid_field', 'limit'],
    ['/v1/agent/tasks?after=', 'invalid_field', 'after'],
    [`/v1/agent/tasks?after=${'a'.repeat(129)}`, 'invalid_field', 'after'],
    ['/v1/agent/tasks?status=closed', 'invalid_field', 'status'],
    ['/v1/agent/inbox?wait=61', 'invalid_field', 'wait'],
    ['/v1/agent/inbox?after=x', 'invalid_field', 'after'],
    ['/v1/agent/inbox?after=99999999999999999999', 'invalid_field', 'after'],
    ['/v1/agent/inbox?__proto__=1', 'unknown_member', '__proto__'],
    ['/v1/agent/inbox?Limit=1', 'unknown_member', 'Limit'],
    [`/v1/agent/tasks/${'a'.repeat(129)}`, 'invalid_field', 'taskUid']
  ]
  for (const [target, code, field] of QUERIES) {
    it(`refuses ${target.slice(0, 60)}`, async () => {
      const answer = await send({ path: api.socket }, { target, token: TOKENS.alice })
      expect([answer.status, refusalOf(answer).details]).to.deep.equal([400, { code, field }])
    })
  }

  it('names a query member that is needed and missing', async () => {
    const answer = await send(
      { path: api.socket },
      {
        method: 'DELETE',
        target: '/v1/owner/grants?contact=*',
        token: TOKENS.owner
      }
    )
    expect(refusalOf(answer).details).to.deep.equal({ code: 'missing_field', field: 'capability' })
  })

  it('lets limits and cursors at their bounds through', async () => {
    for (const target of ['/v1/agent/tasks?limit=200', '/v1/agent/inbox?after=9007199254740991&limit=1&wait=0']) {
      expect((await send({ path: api.socket }, { target, token: TOKENS.alice })).status).to.equal(200)
    }
  })
})

describe('a fault of ours', () => {
  it('is answered as internal, without a word of its text, and logged by name with its request id', async () => {
    const canary = 'canary-99'
    const plain = await startTestApi()
    const broken = await startTestApi({
      agent: {
        ...plain.doors.agent,
        counters: async () => {
          throw new RangeError(canary)
        },
        getTask: () => {
          throw Object.assign(new Error(canary), { statusCode: 402, code: canary })
        },
        taskTypes: () => Promise.reject(new Error(canary))
      }
    })
    for (const target of ['/v1/agent/counters', `/v1/agent/tasks/${UID}`, '/v1/agent/task-types']) {
      const answer = await send({ path: broken.socket }, { target, token: TOKENS.alice })
      expect([answer.status, refusalOf(answer).code]).to.deep.equal([500, 'internal'])
      expect(answer.text).to.not.include(canary)
      const line = broken.log.at(-1)
      expect(line?.event).to.equal('api.failed')
      expect((line?.fields as { requestId: string }).requestId).to.equal(refusalOf(answer).details.requestId)
      expect(JSON.stringify(line)).to.not.include(canary)
    }
    await broken.stop()
    await plain.stop()
  })

  it('in an answer keeps it back: nothing undeclared leaves', async () => {
    const leak = { ...taskView(), secret: 'canary' }
    const plain = await startTestApi()
    const broken = await startTestApi({ agent: { ...plain.doors.agent, getTask: async () => ok(leak) } })
    const answer = await send({ path: broken.socket }, { target: `/v1/agent/tasks/${UID}`, token: TOKENS.alice })
    expect(answer.status).to.equal(500)
    expect(answer.text).to.not.include('canary')
    expect(broken.log.at(-1)?.fields).to.deep.include({ error: 'AnswerMismatch', members: ['task'] })
    await broken.stop()
    await plain.stop()
  })

  it('on the disk is passed on as 507', async () => {
    const plain = await startTestApi()
    const full = async () => fail(refusal('disk_full', 'free some space'))
    const api = await startTestApi({ agent: { ...plain.doors.agent, createTask: full } })
    const body = '{"type":"x","participant":"@b","proposal":{}}'
    const request = { method: 'POST', target: '/v1/agent/tasks', token: TOKENS.alice, headers: [JSON_TYPE], body }
    expect((await send({ path: api.socket }, request)).status).to.equal(507)
    await api.stop()
    await plain.stop()
  })
})
