import { expect } from 'chai'
import type { Json, JsonObject } from '../../src/base/json.js'
import { ROUTE_NAMES, type RouteName, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { dinner, idOf, tokenFor } from '../flows/pair.js'
import { CONTRACT, type Ids, furnish, secretsOf } from './furnish.js'
import { JSON_TYPE, type RawAnswer, type RawRequest, refusalOf } from './raw.js'
import { type RealNode, startRealNode, turning } from './real-node.js'
import { openStream } from './stream-reader.js'

/**
 * Every agent route of the table, on the real journeys, called by one agent with the ids of another: it gets what it would
 * get for ids that nobody has. A route that is added to the table fails here until it is said what its ids are.
 */

const hex = (digit: string, length: number): string => digit.repeat(length)

/** Ids that no agent has. */
const NOWHERE: Ids = {
  task: hex('1', 32),
  agreed: hex('2', 32),
  proposal: hex('3', 64),
  approval: hex('4', 32),
  envelope: 'of-nobody',
  received: 'of-no-one-',
  question: hex('5', 64),
  contact: '',
  alias: '@nobody',
  taskPage: '',
  envelopePage: ''
}

interface Call {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonObject
}

/** What stands in the place of a path parameter of an agent route, for each thing that it may name. */
const PARAMS: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
  taskUid: (ids) => [ids.task, ids.agreed],
  taskId: (ids) => [ids.envelope, ids.received, ids.task],
  approvalId: (ids) => [ids.approval],
  contact: (ids) => [ids.contact, ids.alias]
}

const EVIDENCE: JsonObject = {
  command: 'true',
  exitStatus: 0,
  output: { tail: '', bytes: 0, sha256: hex('a', 64) },
  durationMs: 1,
  endToEnd: { passed: true },
  verdictSource: 'script'
}

/** Bodies with which a call comes as far as the thing that its path names. */
const BODIES: { readonly [K in RouteName]?: (ids: Ids) => JsonObject } = {
  'tasks.propose': () => ({ proposal: dinner() }),
  'tasks.respond': (ids) => ({ proposalId: ids.proposal, decision: 'accept' }),
  'envelopes.status': () => ({ state: 'working' }),
  'envelopes.answer': (ids) => ({ questionId: ids.question, text: 'x' }),
  'envelopes.artifacts': () => ({ artifacts: [] }),
  'envelopes.evidence': () => ({ evidence: EVIDENCE }),
  'envelopes.fail': () => ({ code: 'other' }),
  'envelopes.reject': () => ({ code: 'other' }),
  'envelopes.verdict': () => ({ passed: true, freshContext: false, verdictSource: 'script' })
}

/** Calls of routes whose ids stand elsewhere than in the path; none: the route takes no id. */
const ELSEWHERE: { readonly [K in RouteName]?: (ids: Ids) => readonly Call[] } = {
  'taskTypes.list': () => [],
  'tasks.create': (ids) =>
    [ids.contact, ids.alias].map((participant) => ({
      body: { type: 'dinner.coordination', participant, proposal: dinner() }
    })),
  'tasks.list': (ids) => [{ query: { after: ids.taskPage } }],
  'envelopes.submit': (ids) => [
    { body: { recipient: ids.alias, envelope: CONTRACT } },
    { body: { recipient: ids.contact, envelope: CONTRACT } },
    ...[ids.envelope, ids.received, ids.task].map((id) => ({
      body: { recipient: '@bob', envelope: { ...CONTRACT, dependsOn: [id] } }
    }))
  ],
  'envelopes.list': (ids) => [{ query: { after: ids.envelopePage } }],
  'envelopes.owned': () => [],
  'actions.run': (ids) => [
    { body: { taskUid: ids.agreed, action: 'calendar.hold' } },
    { body: { taskUid: ids.agreed, action: 'calendar.hold', approvalId: ids.approval } }
  ],
  'inbox.read': () => [],
  'events.read': () => [],
  'inbox.ack': () => [],
  'counters.read': () => [],
  'contacts.list': () => [],
  'offers.list': () => [],
  'approvals.list': () => [],
  'capabilities.list': (ids) => [ids.contact, ids.alias].map((participant) => ({ query: { participant } }))
}

const AGENT_ROUTES = ROUTE_NAMES.filter((name) => routeOf(name).auth === 'agent')

function callsOf(name: RouteName, ids: Ids): readonly Call[] {
  const [param, ...more] = paramNamesOf(routeOf(name).path)
  if (param === undefined) {
    const calls = ELSEWHERE[name]
    if (calls === undefined) throw new Error(`say in ELSEWHERE which ids of others ${name} could be given`)
    return calls(ids)
  }
  const things = PARAMS[param]
  if (things === undefined || more.length > 0) throw new Error(`say in PARAMS what :${param} of ${name} names`)
  const body = BODIES[name]?.(ids)
  return things(ids).map((thing) => ({ params: { [param]: thing }, ...(body === undefined ? {} : { body }) }))
}

function requestOf(name: RouteName, { params, query, body }: Call, token: string): RawRequest {
  const { method } = routeOf(name)
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const sent = method === 'GET' ? {} : { headers: [JSON_TYPE], body: JSON.stringify(body ?? {}) }
  return { method, target: pathOf(name, params) + search, token, ...sent }
}

describe('one agent with the ids of another of its node', function () {
  this.timeout(60_000)
  let at: RealNode
  let theirs: Ids
  let nobodys: Ids
  /** Whatever occurs in what alice is shown, and not in what carol is shown of her own. */
  let secrets: readonly string[]

  before(async () => {
    at = await startRealNode()
    theirs = await furnish(at)
    nobodys = {
      ...NOWHERE,
      contact: idOf('zoe'),
      taskPage: elsewhere(theirs.taskPage),
      envelopePage: elsewhere(theirs.envelopePage)
    }
    secrets = await secretsOf(at)
    expect(secrets.length).to.be.above(10)
    for (const each of Object.values(theirs) as string[]) expect(each).not.to.equal('')
  })
  after(() => at.stop())

  const said = ({ status, text }: RawAnswer): string => `${status} ${text}`
  const asCarol = (name: RouteName, call: Call): Promise<RawAnswer> =>
    at.ask('carol', requestOf(name, call, tokenFor('carol')))

  for (const name of AGENT_ROUTES) {
    it(`learns and changes nothing at ${name}`, async () => {
      const [calls, others] = [callsOf(name, theirs), callsOf(name, nobodys)]
      for (const [index, call] of calls.entries()) {
        const other = others[index] as Call
        const before = at.node.backup()
        const answer = await asCarol(name, call)
        const wanted = await asCarol(name, other)
        expect(modulo(said(answer), call), JSON.stringify(call)).to.equal(modulo(said(wanted), other))
        if (paramNamesOf(routeOf(name).path).length > 0) expect(refusalOf(answer).code).to.equal('not_found')
        if (answer.status >= 400) expect(at.node.backup(), JSON.stringify(call)).to.deep.equal(before)
        expect(leaks(modulo(answer.text, call))).to.deep.equal([])
      }
    })
  }

  it('is shown its own lists, badges and news, and nothing of the other in them', async () => {
    for (const name of AGENT_ROUTES) {
      const { method, path, media } = routeOf(name)
      if (method !== 'GET' || path.includes(':') || media !== undefined) continue
      for (const query of ['', '?limit=200', '?after=0', '?limit=1'] as const) {
        const { text } = await at.ask('api', { target: path + query, token: tokenFor('carol') })
        expect(leaks(text), path + query).to.deep.equal([])
      }
    }
  })

  it('hears its own events alone, from whatever cursor', async () => {
    for (const last of ['0', '1', '2']) {
      const stream = await turning(
        at.world,
        openStream({ socketPath: at.sockets.carol }, tokenFor('carol'), { 'last-event-id': last })
      )
      await at.world.rest(16_000)
      const heard: string[] = []
      while (stream.pending() > 0) heard.push((await stream.next())?.data ?? '')
      expect(leaks(heard.join('\n'))).to.deep.equal([])
      expect(heard.length).to.equal(last === '0' ? 2 : last === '1' ? 1 : 0)
      stream.drop()
    }
  })

  it('gets no stored answer of the other by using the same key', async () => {
    const body = { type: 'dinner.coordination', participant: '@bob', proposal: dinner({ time: '18:00' }) }
    const headers = [JSON_TYPE, 'Idempotency-Key: the-same']
    const request: RawRequest = { method: 'POST', target: '/v1/agent/tasks', headers, body: JSON.stringify(body) }
    const first = await at.ask('api', { ...request, token: tokenFor('alice') })
    const second = await at.ask('api', { ...request, token: tokenFor('carol') })
    const uid = (answer: RawAnswer): unknown =>
      (JSON.parse(answer.text) as { taskUid?: unknown; task?: JsonObject }).task?.['taskUid']
    expect([first.status, second.status]).to.deep.equal([201, 201])
    expect(second.headers.get('idempotent-replayed')).to.equal(undefined)
    expect(uid(second)).not.to.equal(uid(first))
  })

  function leaks(text: string): string[] {
    return secrets.filter((secret) => text.includes(secret))
  }
})

/** Without what the caller itself said. */
function modulo(text: string, call: Call): string {
  let rest = text
  for (const word of wordsIn({ ...call.params, ...call.query, ...call.body } as JsonObject))
    rest = rest.replaceAll(word, '…')
  return rest
}

function wordsIn(value: Json): string[] {
  if (typeof value === 'string') return value.length < 5 ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((each: Json) => wordsIn(each))
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((each) => wordsIn(each as Json))
    : []
}

/** The same place in a list, of a thing that nobody has. */
function elsewhere(page: string): string {
  return page.replace(/[0-9a-f]{32}$/, hex('1', 32))
}
