/** What the stories share: three nodes that are contacts, what one of them writes, and what can be seen of it on disk. */
import type { AgentId, MessageId, TaskUid } from '../../../src/base/ids.js'
import type { JsonObject } from '../../../src/base/json.js'
import type { Result } from '../../../src/base/result.js'
import { HOUR, isoOf } from '../../../src/base/time.js'
import type { Answered } from '../../../src/flows/doors.js'
import { seqKey } from '../../../src/flows/keys.js'
import type { Head } from '../../../src/flows/records/contacts.js'
import type { TaskRecord } from '../../../src/flows/records/tasks.js'
import type { TaskView, WriteAnswer } from '../../../src/flows/views/tasks.js'
import { reopen } from '../../../src/wire/open.js'
import type { SimNode } from '../node.js'
import { type Rogue, type Visit, say, takeOver } from '../rogue.js'
import { type World, dinnerType } from '../world.js'

export const PLAN: JsonObject = {
  date: '2026-11-14',
  time: '19:00',
  timezone: 'America/Toronto',
  venue: { name: 'Nonna' }
}
export const OTHER_PLAN: JsonObject = { ...PLAN, time: '20:00' }
export const UID = 'abababababababababababababababab' as TaskUid

/** Three nodes that are contacts of each other: `alice` is the one under test, `bob` turns rogue, `carol` is a witness. */
export interface Stage {
  readonly world: World
  readonly alice: SimNode
  readonly bob: SimNode
  readonly carol: SimNode
  /** Notes a fault unless `holds`. */
  check(holds: boolean, what: string): void
}

/** What a call answers, the world turning meanwhile. */
export async function settled<T>(world: World, promise: Promise<T>): Promise<T | undefined> {
  let answer: T | undefined
  void promise.then((value) => (answer = value))
  await world.pass(500)
  return answer
}

export async function rogueVisit({ world, alice, bob }: Stage): Promise<{ rogue: Rogue; visit: Visit }> {
  const rogue = takeOver(world, bob)
  return { rogue, visit: await rogue.visit(alice) }
}

/** The rogue invites alice, and her agent accepts. Nothing is acknowledged yet. */
export async function agreedWithRogue(
  stage: Stage
): Promise<{ rogue: Rogue; visit: Visit; accepted: Head & { id: MessageId } }> {
  const { world, alice } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const invited = rogue.append(alice.agent, invite(alice, PLAN))
  await say(world, visit, { type: 'message', bytes: invited.bytes })
  const answer = { proposalId: invited.id, decision: 'accept' } as const
  await write(world, (flows) => flows.respond(alice.agent, UID, answer), alice)
  await world.pass(3_000)
  return { rogue, visit, accepted: lastOwn(alice) }
}

/** The last message of a node in the story's task. */
export function lastOwn(node: SimNode): Head & { id: MessageId } {
  const bytes = node.disk.read(`ta:${node.agent}/${UID}`)
  if (bytes === undefined) throw new Error(`${node.name} has no task`)
  const { peer, mine } = JSON.parse(Buffer.from(bytes).toString('utf8')) as TaskRecord
  const seq = mine.at(-1) ?? 0
  const sent = node.store?.get('sent', seqKey(node.agent, peer, seq))
  if (sent === undefined) throw new Error(`${node.name} wrote nothing`)
  return { seq, id: reopen(sent).id }
}

/** The status that the agent is told, once it is on disk. */
export async function look(world: World, node: SimNode, uid: string): Promise<string | undefined> {
  let status: string | undefined
  void view(node, uid).then((seen) => (status = seen?.status))
  await world.pass(200)
  return status
}

/** The rogue says that a message of alice is on its disk, and how far its own chain went by then. */
export async function acknowledge(stage: Stage, rogue: Rogue, upTo: Head, head?: number): Promise<void> {
  const { world, alice, check } = stage
  const guest = rogue.guests.at(-1)
  if (guest === undefined) return check(false, 'alice came to deliver')
  const receipt = rogue.receipt(alice.agent, upTo, head ?? rogue.heads(alice.agent).out.seq)
  await say(world, guest, { type: 'receipt', bytes: receipt })
}

export function invite(
  to: SimNode,
  proposal: JsonObject,
  uid = UID
): { kind: string; task: JsonObject; body: JsonObject } {
  const { name, version, hash, definition } = dinnerType()
  return {
    kind: 'task.invite',
    task: { uid, n: 1, seen: 0, seenId: '' },
    body: {
      type: { name, version, hash, definition: definition as unknown as JsonObject },
      expiresAt: isoOf(to.now() + 48 * HOUR),
      proposal
    }
  }
}

export function createCommand(to: SimNode): { type: string; participant: string; proposal: JsonObject } {
  return { type: 'dinner.coordination', participant: to.agent, proposal: PLAN }
}

export function alive(node: SimNode): NonNullable<SimNode['flows']> {
  if (node.flows === undefined) throw new Error(`${node.name} is down`)
  return node.flows
}

type Action = Parameters<NonNullable<SimNode['flows']>['owner']['changeContact']>[0]['action']

/** The owner of `node` changes a contact, and it reaches the disk. */
export async function change({ world, check }: Stage, node: SimNode, contact: AgentId, action: Action): Promise<void> {
  void alive(node)
    .owner.changeContact({ contact, action })
    .then((done) => check(done.ok, `${action} is possible`))
  await world.pass(200)
}

type Agent = NonNullable<SimNode['flows']>['agent']

/** Makes a write and lets it reach the disk. Answers the task. */
export async function write(
  world: World,
  make: (agent: Agent) => Promise<Result<Answered<WriteAnswer>>>,
  node: SimNode
): Promise<TaskView | undefined> {
  let task: TaskView | undefined
  void make(alive(node).agent).then((done) => {
    if (!done.ok) throw new Error(done.refusal.message)
    if (done.value.answer.status === 'sent') task = done.value.answer.task
  })
  await world.pass(200)
  return task
}

/** With everything allowed no story waits for an owner. */
export async function allowAll(node: SimNode, world: World): Promise<void> {
  void alive(node).owner.setGrant({ contact: '*', capability: 'disclose.*', effect: 'allow' })
  await world.pass(200)
}

export async function view(node: SimNode, uid: string): Promise<TaskView | undefined> {
  const found = await alive(node).agent.getTask(node.agent, uid)
  return found.ok ? found.value : undefined
}

/** Highest numbers that receipts on a visit acknowledged, in order. */
export function received(visit: Visit): number[] {
  return visit.heard.flatMap((frame) => {
    if (frame.type !== 'receipt') return []
    const seq = /"upTo":\{"id":"[0-9a-f]{64}","seq":(\d+)\}/.exec(Buffer.from(frame.bytes).toString('latin1'))?.[1]
    return seq === undefined ? [] : [Number(seq)]
  })
}

export function refused(visit: Visit): string | undefined {
  const frame = visit.heard.find((one) => one.type === 'refuse')
  return frame?.type === 'refuse' ? frame.code : undefined
}

export function inSeq(node: SimNode, peer: AgentId): number {
  return node.store?.get('chains', `${node.agent}/${peer}`)?.in.seq ?? 0
}

/** Codes of the refusals that a node signed towards a peer. */
export function refusals(node: SimNode, peer: AgentId): string[] {
  return node.disk.entries(`se:${node.agent}/${peer}/`).flatMap(([, bytes]) => {
    const text = Buffer.from(bytes).toString('latin1')
    return text.includes('"kind":"task.refuse"') ? [/"code":"([a-z_]+)"/.exec(text)?.[1] ?? ''] : []
  })
}

export function itemsOf(node: SimNode, kind: string): string[] {
  const items = node.disk.entries(`in:${node.agent}/`).map(([, bytes]) => Buffer.from(bytes).toString('utf8'))
  return items.filter((item) => item.includes(`"kind":"${kind}"`))
}

export function cardOf(node: SimNode): string {
  return node.store?.get('agents', node.agent)?.card ?? ''
}

export function frozenAt(node: SimNode, peer: AgentId): boolean {
  return node.store?.get('contacts', `${node.agent}/${peer}`)?.frozen !== undefined
}

export function checkFrozen({ alice, check }: Stage, peer: AgentId): void {
  check(frozenAt(alice, peer), 'the contact is frozen')
  check(itemsOf(alice, 'contact.frozen').length === 1, 'the owner was told')
}

/** Other contacts go on as if nothing had happened. */
export async function checkFriends({ world, check }: Stage, alice: SimNode, carol: SimNode): Promise<void> {
  const created = await write(world, (flows) => flows.createTask(alice.agent, createCommand(carol)), alice)
  await world.pass(5_000)
  check((await view(carol, created?.taskUid ?? ''))?.status === 'open', 'other contacts are not disturbed')
}
