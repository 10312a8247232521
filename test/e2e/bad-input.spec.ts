import { expect } from 'chai'
import { request } from 'node:http'
import { REFUSAL_CODES } from '../../src/base/refusal.js'
import { temporaryHomes } from '../support/homes.js'
import { befriend, Daemon } from './daemon.js'
import { PLAN } from './siege.js'

/** What programs of the owner's machine may throw at a running node, over both of its doors. */

interface Said {
  readonly status: number
  readonly body: string
}

interface Case {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly body?: string | Uint8Array
  readonly headers?: Record<string, string>
  /** Status, code and `details.code`. */
  readonly gets: readonly [number, string, string?]
}

const CREATE = { type: 'dinner.coordination', participant: '@other', proposal: PLAN }
const NOBODY = 'f'.repeat(32)
const big = JSON.stringify({ ...CREATE, title: 'x'.repeat(300_000) })

function create(change: object): string {
  return JSON.stringify({ ...CREATE, ...change })
}

const tasks = '/v1/agent/tasks'
const CASES: readonly Case[] = [
  { name: 'junk', path: tasks, body: Buffer.from([0xff, 0, 1, 2, 0xfe]), gets: [400, 'bad_request', 'malformed_json'] },
  { name: 'half a body', path: tasks, body: '{"type":', gets: [400, 'bad_request', 'malformed_json'] },
  { name: 'more than a body may hold', path: tasks, body: big, gets: [413, 'too_large'] },
  { name: 'a deep body', path: tasks, body: '['.repeat(5000), gets: [400, 'bad_request', 'too_deep'] },
  {
    name: 'one member twice',
    path: tasks,
    body: create({}).replace('{', '{"type":"x","\\u0074ype":"y",'),
    gets: [400, 'bad_request', 'duplicate_key']
  },
  {
    name: 'a member of the prototype',
    path: tasks,
    body: create({}).replace('{', '{"__proto__":{"type":"x"},'),
    gets: [400, 'bad_request', 'malformed_json']
  },
  { name: 'no object', path: tasks, body: '[]', gets: [400, 'bad_request', 'invalid_field'] },
  { name: 'a wrong type', path: tasks, body: create({ title: 7 }), gets: [400, 'bad_request', 'invalid_field'] },
  {
    name: 'an unknown member',
    path: tasks,
    body: create({ urgent: true }),
    gets: [400, 'bad_request', 'unknown_member']
  },
  {
    name: 'no proposal',
    path: tasks,
    body: create({ proposal: undefined }),
    gets: [400, 'bad_request', 'missing_field']
  },
  {
    name: 'hours beyond the longest task',
    path: tasks,
    body: create({ expiresInHours: 721 }),
    gets: [400, 'bad_request', 'invalid_field']
  },
  {
    name: 'a type that nobody installed',
    path: tasks,
    body: create({ type: 'lunch' }),
    gets: [400, 'bad_request', 'unknown_task_type']
  },
  {
    name: 'somebody unknown',
    path: tasks,
    body: create({ participant: '@nobody' }),
    gets: [400, 'bad_request', 'unknown_participant']
  },
  {
    name: 'a day that does not exist',
    path: tasks,
    body: create({ proposal: { ...PLAN, date: '2026-02-30' } }),
    gets: [400, 'bad_request', 'invalid_field']
  },
  {
    name: 'an undeclared field',
    path: tasks,
    body: create({ proposal: { ...PLAN, phone: '1' } }),
    gets: [400, 'bad_request', 'undeclared_field']
  },
  {
    name: 'another media type',
    path: tasks,
    body: create({}),
    headers: { 'content-type': 'text/plain' },
    gets: [415, 'unsupported_media_type']
  },
  {
    name: 'a bad idempotency key',
    path: tasks,
    body: create({}),
    headers: { 'idempotency-key': 'k'.repeat(200) },
    gets: [400, 'bad_request', 'bad_idempotency_key']
  },
  { name: 'an unknown task', method: 'GET', path: `${tasks}/${NOBODY}`, gets: [404, 'not_found'] },
  {
    name: 'a proposal to an unknown task',
    path: `${tasks}/${NOBODY}/proposals`,
    body: JSON.stringify({ proposal: PLAN }),
    gets: [404, 'not_found']
  },
  { name: 'an unknown path', method: 'GET', path: '/v1/agent/secrets', gets: [404, 'not_found'] },
  { name: 'another method', method: 'DELETE', path: tasks, gets: [405, 'bad_request', 'method_not_allowed'] },
  {
    name: 'a cursor that is no number',
    method: 'GET',
    path: '/v1/agent/inbox?after=-1',
    gets: [400, 'bad_request', 'invalid_field']
  },
  {
    name: 'an acknowledgement beyond the newest item',
    path: '/v1/agent/inbox/ack',
    body: '{"upTo":9007199254740991}',
    gets: [400, 'bad_request', 'invalid_field']
  }
]

describe('a running node, whatever comes through its doors', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let node: Daemon
  let other: Daemon
  let untouched: unknown

  before(async () => {
    ;[node, other] = await Promise.all([Daemon.make(homes.make(), '@node'), Daemon.make(homes.make(), '@other')])
    await befriend(node, other)
    await node.agent('POST', 'tasks', CREATE)
    untouched = await state()
  })
  after(async () => {
    for (const one of [node, other]) await one?.kill()
    homes.clean()
  })
  afterEach(async () => {
    expect(node.alive).to.equal(true)
    expect(await state()).to.deep.equal(untouched)
    expect(node.log).not.to.match(/unhandled|uncaught|api\.failed|"level":(50|60)/i)
  })

  /** Everything of the node that its own agent and owner can see, but for what changes by itself. */
  async function state(): Promise<unknown> {
    const { body: held } = await node.agent<{ items: Array<{ delivery: object }> }>('GET', 'tasks')
    const seen = held.items.map(({ delivery: _, ...task }) => task)
    const inbox = await node.agent('GET', 'inbox?after=0')
    return [seen, inbox, await node.owner('GET', 'grants'), (await node.owner('GET', 'approvals')).body]
  }

  for (const door of ['loopback TCP', 'the socket'] as const) {
    function say(one: Omit<Case, 'name' | 'gets'>, token = node.token): Promise<Said> {
      const { host, port } = new URL(node.run.url ?? '')
      const way = door === 'the socket' ? { socketPath: node.run.socket } : { host: '127.0.0.1', port }
      const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...one.headers }
      return new Promise((resolve, reject) => {
        const call = request({ ...way, method: one.method ?? 'POST', path: one.path, headers }, (answer) => {
          let body = ''
          answer.on('data', (text: Buffer) => (body += text.toString()))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
        })
        call.on('error', reject)
        call.end(one.body)
      })
    }

    function expectRefusal({ status, body }: Said, gets: Case['gets']): void {
      const { error } = JSON.parse(body) as { error: { code: string; message: string; details: { code?: string } } }
      expect([status, error.code, ...(gets.length === 3 ? [error.details.code] : [])], body).to.deep.equal([...gets])
      expect(REFUSAL_CODES).to.include(error.code)
    }

    for (const one of CASES) {
      it(`refuses ${one.name} over ${door}`, async () => expectRefusal(await say(one), one.gets))
    }

    it(`knows no foreign token over ${door}`, async () => {
      const list = { method: 'GET', path: tasks }
      for (const token of [other.token, 'x', node.token.slice(1), `${node.token}A`]) {
        expectRefusal(await say(list, token), [401, 'unauthorized'])
      }
      expectRefusal(await say({ method: 'GET', path: '/v1/owner/status' }), [401, 'unauthorized'])
    })

    it(`refuses what comes too late over ${door}`, async () => {
      const { body } = await node.agent<{
        items: Array<{ taskUid: string; proposals: Array<{ proposalId: string }> }>
      }>('GET', 'tasks')
      const [task] = body.items
      const respond = (proposalId: string): Promise<Said> =>
        say({ path: `${tasks}/${task?.taskUid}/responses`, body: JSON.stringify({ proposalId, decision: 'accept' }) })
      expectRefusal(await respond(task?.proposals[0]?.proposalId ?? ''), [409, 'conflict', 'version_conflict'])
      expectRefusal(await respond('ab'.repeat(32)), [409, 'conflict', 'version_conflict'])
      expectRefusal(await respond('not an id'), [400, 'bad_request', 'malformed_id'])
    })
  }
})
