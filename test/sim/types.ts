/**
 * Custom types of the simulated owners: variants of the dinner, so that every plan fits each of them. Owners install and
 * retire them and forget a no at random times; what their nodes may do with them is checked apart from the code under test.
 */
import { readFileSync } from 'node:fs'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import { placeOf } from '../../src/store/tables.js'
import { type Actor, type Cast, call } from './cast.js'
import type { SimNode } from './node.js'
import type { Both } from './quiet.js'

const DINNER = JSON.parse(readFileSync('protocols/types/dinner.coordination@1.json', 'utf8')) as JsonObject

/** Two definitions under one name and version, and one more version. */
export const FILES: readonly string[] = [
  { title: 'Party' },
  { title: 'Another party' },
  { title: 'Party', version: 2 }
].map((more) => canonicalText({ ...DINNER, name: 'party.plan', ...more } as Json))

/** What an agent calls a custom type; some of it is ambiguous, and some is not installed. */
export const NAMES: readonly string[] = ['party.plan', 'party.plan@1', 'party.plan@2', 'party.plan@1']

/** One random move of an owner with types. */
export function moveTypes(cast: Cast, actor: Actor): void {
  const { prng } = actor
  const file = prng.pick(FILES)
  const luck = prng.fraction()
  if (luck < 0.5) return answerQuestion(cast, actor)
  if (luck < 0.56) return call(cast, actor, 'installType', (flows) => flows.owner.installType({ file }))
  if (luck < 0.66) return call(cast, actor, 'retireType', (flows) => flows.owner.retireType(prng.pick(NAMES)))
  call(
    cast,
    actor,
    'declines',
    (flows) => flows.owner.declines({}),
    (answer) => {
      if (!answer.ok || answer.value.items.length === 0) return
      const { participant, type } = prng.pick(answer.value.items)
      call(cast, actor, 'liftDecline', (flows) => flows.owner.liftDecline({ contact: participant, type: type.hash }))
    }
  )
}

/** An answer to an invite that brought a type, a late one too. */
function answerQuestion(cast: Cast, actor: Actor): void {
  call(
    cast,
    actor,
    'approvals',
    (flows) => flows.owner.approvals({ limit: 50 }),
    (answer) => {
      const asked = answer.ok ? answer.value.items.filter((one) => one.kind === 'type') : []
      if (asked.length === 0) return
      const { approvalId } = actor.prng.pick(asked)
      const decision = actor.prng.chance(0.5) ? 'approve' : 'deny'
      const given = { decision, scope: 'once' } as const
      call(cast, actor, `${decision}-type`, (flows) => flows.owner.answerApproval(approvalId, given))
    }
  )
}

/** The first owner mostly has a type of their own from the start, others seldom: so that there is something to ask for. */
export function startWithTypes(cast: Cast, actor: Actor): void {
  const { prng } = actor
  if (!prng.chance(actor.node.index === 0 ? 0.9 : 0.2)) return
  const file = prng.pick(FILES)
  call(cast, actor, 'installType', (flows) => flows.owner.installType({ file }))
}

/** Whether an owner installed anything at this node. */
export function hasTypes(node: SimNode): boolean {
  return node.store?.get('meta', 'types') !== undefined
}

/** What a node holds of a type, as it stands on its disk. */
function stateOf(node: SimNode, hash: string): string | undefined {
  const bytes = node.disk.read(placeOf('types', hash))
  return bytes === undefined ? undefined : (read(bytes) as { state: string }).state
}

/** Whether an agent may see a task of this type: a built-in one, or one that its owner has said yes to. */
export function maySee(node: SimNode, type: { readonly name: string; readonly hash: string }): boolean {
  return (
    type.name !== 'party.plan' ||
    stateOf(node, type.hash) !== undefined ||
    node.store?.get('types', type.hash) !== undefined
  )
}

/** What is wrong with the tasks that wait for an owner, once all is quiet. */
export function heldFaults([a, b]: Both): string[] {
  return [...faultsAt(a, b), ...faultsAt(b, a)]
}

function faultsAt(node: SimNode, other: SimNode): string[] {
  const approvals = node.disk.entries('ap:').map(([, bytes]) => read(bytes) as { status: string; subject: Subject })
  const waiting = approvals.filter(({ status, subject }) => status === 'pending' && subject.kind === 'type')
  return node.disk.entries(`ta:${node.agent}/`).flatMap(([, bytes]) => {
    const task = read(bytes) as Task
    if (task.peer !== other.agent || task.held !== true || task.expiresAt <= node.now()) return []
    const at = `${node.name} holds task ${task.uid}`
    if (stateOf(node, task.type.hash) !== undefined) return [`${at} although it has the type`]
    const asked = waiting.some(({ subject }) => subject.type.hash === task.type.hash)
    return asked ? [] : [`${at} and asks nobody`]
  })
}

interface Subject {
  readonly kind: string
  readonly type: { readonly hash: string }
}
interface Task {
  readonly uid: string
  readonly peer: string
  readonly held?: true
  readonly expiresAt: number
  readonly type: { readonly hash: string }
}

function read(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}
