/** What the members of a call mean, by their names and schemas: values that fit the scene. */
import type { JsonSchema } from '../../src/api/json-schemas.js'
import type { RouteName } from '../../src/api/routes.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { InstalledType } from '../../src/types/catalog.js'
import type { Prng } from '../sim/prng.js'
import { word } from './canaries.js'
import { type Knowledge, pickFrom } from './knowledge.js'
import { artifactOf, contractOf, evidenceOf, paramsOf, proposalOf, runOf } from './plans.js'

const CONTACTS = ['@bob', '@carol', '@bob', '@carol', '@other', '@nobody']

export interface Known {
  readonly knowledge: Knowledge
  readonly types: readonly InstalledType[]
  readonly prng: Prng
}

export interface Scene extends Known {
  readonly route: RouteName
  /** The task that the call is about, if it is about one. */
  readonly task: TaskView | undefined
  readonly envelope: EnvelopeView | undefined
  readonly type: InstalledType
  readonly action: string
}

/** A value that a schema takes; what the name says goes first. */
export function valueOf(scene: Scene, schema: JsonSchema, name: string): Json {
  const { prng } = scene
  const meant = hinted(scene, name)
  if (meant !== undefined) return meant
  if (Array.isArray(schema['enum'])) return prng.pick(schema['enum'])
  if ('const' in schema) return schema['const'] as Json
  const forms = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(forms)) return valueOf(scene, prng.pick(forms) as JsonSchema, name)
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return prng.whole(numberIn(schema, 'minimum', 0), Math.min(numberIn(schema, 'maximum', 200), 1000))
    case 'boolean':
      return prng.chance(0.5)
    case 'array':
      return Array.from({ length: prng.whole(0, 2) }, () => valueOf(scene, (schema['items'] ?? {}) as JsonSchema, ''))
    case 'object':
      return membersOf(scene, schema)
    default:
      return word('plain', prng)
  }
}

function membersOf(scene: Scene, schema: JsonSchema): JsonObject {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema['required'] ?? []) as readonly string[]
  const entries = Object.entries(properties).flatMap(([name, one]): Array<[string, Json]> => {
    const share = required.includes(name) ? 0.99 : 0.6
    return scene.prng.chance(share) ? [[name, valueOf(scene, one, name)]] : []
  })
  return Object.fromEntries(entries)
}

function numberIn(schema: JsonSchema, name: string, otherwise: number): number {
  const value = schema[name]
  return typeof value === 'number' ? value : otherwise
}

/** What a member of that name means in this call; undefined: nothing in particular. */
export function hinted(scene: Scene, name: string): Json | undefined {
  const { prng, knowledge, task, route, envelope, type } = scene
  if (prng.chance(0.05) && isReference(scene, name)) return prng.pick(knowledge.foreign)
  switch (name) {
    case 'taskUid':
      return task?.taskUid
    case 'proposalId':
      return (prng.chance(0.9) ? task?.proposals.at(-1) : task?.proposals[0])?.proposalId
    case 'taskId':
      return route === 'envelopes.submit' ? `t-${prng.whole(1, 1e9).toString(36)}` : envelope?.taskId
    case 'approvalId':
      return pickFrom(knowledge.approvals, prng, (one) => one.taskUid === task?.taskUid)?.approvalId
    case 'contact':
    case 'participant':
    case 'recipient':
      return prng.pick(CONTACTS)
    case 'type':
      return prng.chance(0.8) ? type.name : type.hash
    case 'title':
      return word('never', prng)
    case 'expiresInHours':
      return prng.pick([1, 24, 720])
    case 'proposal':
      return proposalOf(type, prng)
    case 'action':
      return scene.action
    case 'params':
      return paramsOf(scene.action, planOf(task), prng)
    case 'upTo':
      return knowledge.cursor
    case 'questionId':
      return envelope?.questions.at(-1)?.questionId
    case 'envelope':
      return contractOf(prng, [...knowledge.envelopes.keys()])
    case 'artifacts':
      return Array.from({ length: prng.whole(0, 2) }, () => artifactOf(prng))
    case 'evidence':
      return evidenceOf(prng.chance(0.95) ? 'node test.js' : word('plain', prng), prng)
    case 'run':
      return runOf('node test.js', prng)
    case 'code':
      return route === 'envelopes.cancel' ? prng.pick(['changed_plans', 'other']) : undefined
    case 'reason':
      return route === 'tasks.cancel' ? prng.pick(['changed_plans', word('never', prng)]) : undefined
    default:
      return undefined
  }
}

/** Whether a member names something that is there already; the id of a new task may be anything. */
function isReference({ route }: Scene, name: string): boolean {
  return /Uid$|Id$/.test(name) && !(route === 'envelopes.submit' && name === 'taskId')
}

function planOf(task: TaskView | undefined): JsonObject {
  return task?.proposals.find((one) => one.proposalId === task.agreedProposalId)?.proposal ?? {}
}
