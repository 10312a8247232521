/**
 * One call of a route as an agent that was taken over would make it: mostly right, by the schemas of the route table and
 * by what the bot knows, and bent in many ways.
 */
import { type JsonSchema, jsonSchemasOf } from '../../src/api/json-schemas.js'
import { type RouteName, ROUTE_NAMES, paramNamesOf, routeOf } from '../../src/api/routes.js'
import type { JsonObject } from '../../src/base/json.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { actionsOf } from '../../src/types/actions.js'
import type { InstalledType } from '../../src/types/catalog.js'
import type { Prng } from '../sim/prng.js'
import { word } from './canaries.js'
import { pickFrom } from './knowledge.js'
import { bend, bytesOf, oddText } from './odd.js'
import { type Known, type Scene, hinted, valueOf } from './meanings.js'

export interface Call {
  readonly route: RouteName
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** What the body says, to make the call again. */
  readonly said: JsonObject
}

/** How often a route is called beside the others; what is not named: 1. */
const WEIGHTS: Partial<Record<RouteName, number>> = {
  'tasks.create': 14,
  'tasks.propose': 14,
  'tasks.respond': 14,
  'actions.run': 16,
  'envelopes.submit': 8,
  'envelopes.claim': 6,
  'envelopes.status': 5,
  'envelopes.evidence': 5,
  'envelopes.artifacts': 3,
  'envelopes.complete': 6,
  'envelopes.answer': 4,
  'envelopes.verdict': 4,
  'tasks.list': 3,
  'envelopes.list': 3,
  'tasks.read': 4,
  'inbox.read': 3,
  'approvals.list': 2,
  'approvals.read': 4
}
const WHEEL = ROUTE_NAMES.flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name))
const SCHEMAS = new Map(ROUTE_NAMES.map((name) => [name, jsonSchemasOf(name)] as const))

/** The next call. */
export function nextCall(known: Known): Call {
  const { knowledge, prng } = known
  const again = prng.chance(0.2) ? pickFrom(knowledge.approvals, prng) : undefined
  if (again !== undefined && again.route === 'actions.run') {
    return callOf(known, again.route, { ...again.body, approvalId: again.approvalId })
  }
  if (again !== undefined && prng.chance(0.3)) return callOf(known, again.route as RouteName, again.body)
  return callOf(known, prng.pick(WHEEL))
}

function callOf(known: Known, route: RouteName, repeated?: JsonObject): Call {
  const { prng, knowledge } = known
  const { method, path } = routeOf(route)
  const task = pickFrom(knowledge.tasks, prng, (one) => isRipe(one, route))
  const { query, body: schema } = SCHEMAS.get(route) ?? { query: { properties: {}, required: [] } }
  const envelope = pickFrom(knowledge.envelopes, prng, (one) => isWaiting(one, route))
  const type = typeFor(known, route, task)
  const actions = actionsOf(type.definition).map((one) => one.name)
  // A job has none: it asks for one that it doesn't know.
  const action = prng.pick(actions.length === 0 ? ['calendar.hold'] : actions)
  const scene: Scene = { ...known, route, task, envelope, type, action }
  const filled = paramNamesOf(path).reduce(
    (text, name) => text.replace(`:${name}`, segment(scene, name)),
    path as string
  )
  const asked = queryOf(scene, query.properties)
  const right = repeated ?? (schema === undefined ? {} : (valueOf(scene, schema, '') as JsonObject))
  const said = prng.chance(repeated === undefined ? 0.2 : 0.08) ? bend(right, prng) : right
  const hasBody = method !== 'GET' && (schema !== undefined || prng.chance(0.3))
  return {
    route,
    method: prng.chance(0.01) ? prng.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'POST']) : method,
    target: asked === '' ? filled : `${filled}?${asked}`,
    headers: headersOf(prng),
    ...(hasBody ? { body: bytesOf(said, prng) } : {}),
    said: right
  }
}

function headersOf(prng: Prng): Record<string, string> {
  const type = prng.chance(0.01) ? 'text/plain' : 'application/json'
  const key = prng.chance(0.1) ? prng.pick([word('never', prng), `k${prng.whole(1, 20)}`, 'x'.repeat(129)]) : undefined
  return { 'content-type': type, ...(key === undefined ? {} : { 'idempotency-key': key }) }
}

/** Whether a task would take what this route does. */
function isRipe(task: TaskView, route: RouteName): boolean {
  switch (route) {
    case 'tasks.propose':
      return task.status === 'open' || task.status === 'negotiating'
    case 'tasks.respond':
      return task.proposals.at(-1)?.by === 'peer' && task.proposals.at(-1)?.status === 'pending'
    case 'actions.run':
      return task.agreedProposalId !== undefined && task.status !== 'cancelled'
    case 'tasks.cancel':
      return task.status !== 'agreed'
    default:
      return true
  }
}

/** Whether a delegated task would take what this route does. */
function isWaiting({ role, state, staged }: EnvelopeView, route: RouteName): boolean {
  const isWorker = role === 'recipient' && state === 'working'
  switch (route) {
    case 'envelopes.claim':
      return role === 'recipient' && state === 'submitted'
    case 'envelopes.status':
    case 'envelopes.artifacts':
    case 'envelopes.evidence':
      return isWorker
    case 'envelopes.complete':
      return isWorker && staged?.['evidence'] !== undefined
    case 'envelopes.answer':
      return role === 'sender' && state === 'input_required'
    case 'envelopes.verdict':
      return role === 'sender' && state === 'completed'
    default:
      return true
  }
}

function segment(scene: Scene, name: string): string {
  const { prng } = scene
  if (prng.chance(0.06)) return encodeURIComponent(oddText(prng)) || 'x'
  if (name === 'page') return prng.pick(['tasks.md', 'approvals.md', 'nope.md'])
  return encodeURIComponent(String(hinted(scene, name) ?? oddText(prng))) || 'x'
}

function queryOf(scene: Scene, properties: Readonly<Record<string, JsonSchema>>): string {
  const { prng, knowledge } = scene
  const pairs = Object.entries(properties).flatMap(([name, schema]) => {
    if (!prng.chance(0.4)) return []
    if (prng.chance(0.1)) return [[name, oddText(prng)]]
    if (name === 'wait') return [[name, '0']]
    if (name === 'after') {
      const cursor = scene.route.startsWith('inbox') || scene.route.startsWith('events')
      return [[name, cursor ? String(knowledge.cursor) : (prng.pick([...knowledge.pages.keys(), 'x']) ?? 'x')]]
    }
    return [[name, String(valueOf(scene, schema, name))]]
  })
  if (prng.chance(0.03)) pairs.push(['x', word('never', prng)])
  return pairs.map(([name, value]) => `${name ?? ''}=${encodeURIComponent(value ?? '')}`).join('&')
}

/** The type that a task is pinned to, or any for a new one. */
function typeFor({ types, prng }: Known, route: RouteName, task: TaskView | undefined): InstalledType {
  const pinned = route === 'tasks.create' ? undefined : types.find((type) => type.hash === task?.type.hash)
  return pinned ?? prng.pick(types)
}
