/**
 * Stories of one node that misbehaves, or that lost its memory: scripted, because honest seeds never get there. Each
 * answers what went otherwise than it should; an empty list is well.
 */
import type { AgentId, MessageId, TaskUid } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import type { Result } from '../../src/base/result.js'
import { DAY, HOUR, isoOf } from '../../src/base/time.js'
import type { Answered } from '../../src/flows/doors.js'
import { seqKey } from '../../src/flows/keys.js'
import type { Head } from '../../src/flows/records/contacts.js'
import type { TaskRecord } from '../../src/flows/records/tasks.js'
import type { TaskView, WriteAnswer } from '../../src/flows/views/tasks.js'
import { reopen } from '../../src/wire/open.js'
import type { SimNode } from './node.js'
import { type Rogue, type Visit, say, takeOver } from './rogue.js'
import { chainsOf, differences, isDelivered } from './quiet.js'
import { FILES } from './types.js'
import { type World, createWorld, dinnerType } from './world.js'

const PLAN: JsonObject = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', venue: { name: 'Nonna' } }
const OTHER_PLAN: JsonObject = { ...PLAN, time: '20:00' }
const UID = 'abababababababababababababababab' as TaskUid

/** Three nodes that are contacts of each other: `alice` is the one under test, `bob` turns rogue, `carol` is a witness. */
interface Stage {
  readonly world: World
  readonly alice: SimNode
  readonly bob: SimNode
  readonly carol: SimNode
  /** Notes a fault unless `holds`. */
  check(holds: boolean, what: string): void
}

export const STORIES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'two messages with one number freeze the contact, and both are kept': equivocation,
  'a message that does not follow the head freezes the contact': fork,
  'a message for somebody else has no effect': wrongRecipient,
  'a message of somebody else has no effect': wrongSender,
  'a card on the stream of another node is not admitted': wrongNode,
  'a replayed message is stored once and acknowledged again': replayed,
  'a message beyond the next place is asked for, not stored': gap,
  'a message of an unknown kind is stored, acknowledged and has no effect': opaque,
  'a message that hides what its writer had stored is refused as backdated': backdated,
  'a refusal that comes late does not touch an agreement': lateRefusal,
  'a cancel is not reported before what its peer had written by then is here': earlyCancel,
  'a task that was reported expired stays so when the clock jumps back': clockBack,
  'a receipt for what was never written is not believed': falseReceipt,
  'a stranger can not speak about the task of another contact': foreignTask,
  'a proposal that its type does not allow is refused': invalidProposal,
  'an invite whose definition is another under the same name is refused': otherDefinition,
  'a link with a secret lets one contact in': usedLink,
  'an invite of an unknown type waits for a yes': heldYes,
  'an invite of a type that was said no to is not sent again': heldNo,
  'a retired type starts no task and takes no invite': retiredType,
  'a node that came back from an old backup gets its own messages again': oldBackup
}

/** Plays a story; answers what went wrong. */
export async function playStory(
  name: string,
  options: { readonly print?: (line: string) => void } = {}
): Promise<readonly string[]> {
  const play = STORIES[name]
  if (play === undefined) throw new Error(`no story is called ${name}`)
  const world = createWorld({ seed: 7, nodes: 3, calm: true, ...options })
  const [alice, bob, carol] = world.nodes
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error('a stage has three nodes')
  const faults: string[] = []
  try {
    await world.meet()
    for (const node of world.nodes) await allowAll(node, world)
    await play({ world, alice, bob, carol, check: (holds, what) => void (holds || faults.push(what)) })
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  }
  return faults
}

async function equivocation(stage: Stage): Promise<void> {
  const { world, alice, carol, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const first = rogue.forge(alice.agent, invite(alice, PLAN))
  const second = rogue.forge(alice.agent, invite(alice, OTHER_PLAN))
  await say(world, visit, { type: 'message', bytes: first.bytes })
  check(received(visit).at(-1) === first.seq, 'the first message was acknowledged')
  await say(world, visit, { type: 'message', bytes: second.bytes })
  check(visit.ended(), 'the stream ended')
  checkFrozen(stage, rogue.agent)
  const [proof] = alice.disk.entries(`eq:${alice.agent}/${rogue.agent}/`)
  check(proof !== undefined, 'the proof was kept')
  check(inSeq(alice, rogue.agent) === first.seq, 'the chain stayed where it was')
  rogue.heads(alice.agent).out = { seq: first.seq, id: first.id }
  const again = await rogue.visit(alice)
  check(refused(again) === 'not_contact', 'a frozen contact gets the one answer')
  await checkFriends(stage, alice, carol)
  await change(stage, alice, rogue.agent, 'unfreeze')
  check(!frozenAt(alice, rogue.agent), 'the owner can unfreeze')
}

async function fork(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const prev = 'f'.repeat(64)
  const forged = rogue.forge(alice.agent, { ...invite(alice, PLAN), prev })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(
    received(visit).every((seq) => seq < forged.seq),
    'it was not acknowledged'
  )
  checkFrozen(stage, rogue.agent)
}

async function wrongRecipient(stage: Stage): Promise<void> {
  const { world, alice, carol, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const before = inSeq(alice, rogue.agent)
  const forged = rogue.forge(alice.agent, { ...invite(alice, PLAN), to: carol.agent })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(inSeq(alice, rogue.agent) === before, 'nothing was stored')
  check(visit.ended(), 'the stream ended')
  await checkFriends(stage, alice, carol)
}

async function wrongSender(stage: Stage): Promise<void> {
  const { world, alice, carol, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const before = inSeq(alice, rogue.agent)
  const forged = rogue.forge(alice.agent, { ...invite(alice, PLAN), from: carol.agent })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(inSeq(alice, rogue.agent) === before, 'nothing was stored')
  check(visit.ended(), 'the stream ended')
}

/** The rogue runs at bob's node and shows carol's card. */
async function wrongNode(stage: Stage): Promise<void> {
  const { world, alice, bob, carol, check } = stage
  const borrowed = cardOf(carol)
  const rogue = takeOver(world, bob)
  const visit = await rogue.visit(alice, { card: borrowed })
  check(refused(visit) === 'not_contact', 'it was turned away')
  check(!visit.heard.some((frame) => frame.type === 'hello'), 'it learned nothing')
}

async function replayed(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const forged = rogue.append(alice.agent, invite(alice, PLAN))
  for (let times = 0; times < 3; times++) await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(received(visit).filter((seq) => seq === forged.seq).length >= 3, 'each was acknowledged')
  check(inSeq(alice, rogue.agent) === forged.seq, 'it was stored once')
  check(itemsOf(alice, 'task.invite').length === 1, 'the agent was told once')
}

async function gap(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const next = rogue.heads(alice.agent).out.seq + 1
  const forged = rogue.forge(alice.agent, { ...invite(alice, PLAN), seq: next + 4, prev: 'e'.repeat(64) })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(inSeq(alice, rogue.agent) === next - 1, 'nothing was stored')
  check(
    visit.heard.some((frame) => frame.type === 'want' && frame.from === next),
    'the missing ones were asked for'
  )
}

async function opaque(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const odd = rogue.append(alice.agent, { kind: 'weather.report', body: { sky: ['blue'] } })
  await say(world, visit, { type: 'message', bytes: odd.bytes })
  const later = rogue.append(alice.agent, { v: 9, kind: 'task.invite', body: 'who knows' })
  await say(world, visit, { type: 'message', bytes: later.bytes })
  const plain = rogue.append(alice.agent, invite(alice, PLAN))
  await say(world, visit, { type: 'message', bytes: plain.bytes })
  check(received(visit).at(-1) === plain.seq, 'all were acknowledged')
  check(alice.store?.get('tasks', `${alice.agent}/${UID}`) !== undefined, 'what followed them had its effect')
}

/** Bob stored alice's answer, says so, and then writes a cancel as if he had not. */
async function backdated(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit, accepted } = await agreedWithRogue(stage)
  await acknowledge(stage, rogue, accepted)
  const task = { uid: UID, n: 2, seen: 0, seenId: '' }
  const forged = rogue.append(alice.agent, { kind: 'task.propose', task, body: { proposal: OTHER_PLAN } })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(received(visit).at(-1) === forged.seq, 'it was stored')
  check(refusals(alice, rogue.agent).includes('backdated'), 'it was refused as backdated')
  check((await view(alice, UID))?.status === 'agreed', 'the agreement stands')
}

async function lateRefusal(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit, accepted } = await agreedWithRogue(stage)
  await acknowledge(stage, rogue, accepted)
  const task = { uid: UID, n: 2, seen: 1, seenId: accepted.id }
  const body = { of: accepted.id, code: 'task_expired' }
  const forged = rogue.append(alice.agent, { kind: 'task.refuse', task, body })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(received(visit).at(-1) === forged.seq, 'it was stored')
  check((await view(alice, UID))?.status === 'agreed', 'the agreement stands')
}

/** Bob stored alice's cancel, and had written a refusal by then; his receipt comes first. */
async function earlyCancel(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const invited = rogue.append(alice.agent, invite(alice, PLAN))
  await say(world, visit, { type: 'message', bytes: invited.bytes })
  await write(world, (flows) => flows.cancel(alice.agent, UID, {}), alice)
  await world.pass(3_000)
  const cancel = lastOwn(alice)
  await acknowledge(stage, rogue, cancel, rogue.heads(alice.agent).out.seq + 1)
  const between = await view(alice, UID)
  check(between?.status === 'open' && between.cancelRequested === true, 'the cancel is still under way')
  const task = { uid: UID, n: 2, seen: 1, seenId: cancel.id }
  const refusal = rogue.append(alice.agent, {
    kind: 'task.refuse',
    task,
    body: { of: cancel.id, code: 'task_expired' }
  })
  await say(world, visit, { type: 'message', bytes: refusal.bytes })
  check((await view(alice, UID))?.status === 'open', 'the refused cancel has no effect')
}

async function clockBack({ world, alice, bob, check }: Stage): Promise<void> {
  const created = await write(world, (flows) => flows.createTask(alice.agent, createCommand(bob)), alice)
  const uid = created?.taskUid ?? ''
  alice.offset += 400 * DAY
  check((await look(world, alice, uid)) === 'expired', 'it is expired')
  alice.offset -= 400 * DAY
  check((await look(world, alice, uid)) === 'expired', 'it is still expired')
  alice.crash()
  void alice.start()
  await world.pass(1_000)
  check((await look(world, alice, uid)) === 'expired', 'it is still expired after a crash')
}

async function falseReceipt(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, accepted } = await agreedWithRogue(stage)
  const guest = rogue.guests.at(-1)
  if (guest === undefined) return check(false, 'alice came to deliver')
  const lie = rogue.receipt(alice.agent, { seq: accepted.seq, id: 'd'.repeat(64) as Head['id'] }, 1)
  await say(world, guest, { type: 'receipt', bytes: lie })
  check(guest.ended(), 'the stream ended')
  check((await view(alice, UID))?.delivery.state === 'queued', 'the answer still waits')
}

async function foreignTask(stage: Stage): Promise<void> {
  const { world, alice, carol, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const created = await write(world, (flows) => flows.createTask(alice.agent, createCommand(carol)), alice)
  const uid = created?.taskUid ?? ''
  await world.pass(5_000)
  const before = JSON.stringify((await view(alice, uid))?.proposals)
  const first = rogue.append(alice.agent, invite(alice, OTHER_PLAN, uid as TaskUid))
  await say(world, visit, { type: 'message', bytes: first.bytes })
  const task = { uid, n: 1, seen: 1, seenId: created?.proposals[0]?.proposalId ?? '' }
  const second = rogue.append(alice.agent, { kind: 'task.cancel', task, body: {} })
  await say(world, visit, { type: 'message', bytes: second.bytes })
  check(received(visit).at(-1) === second.seq, 'both were stored')
  check(JSON.stringify((await view(alice, uid))?.proposals) === before, 'the task is as it was')
  check((await view(alice, uid))?.status === 'open', 'the task is still open')
}

async function invalidProposal(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const forged = rogue.append(alice.agent, invite(alice, { ...PLAN, homeAddress: 'here' }))
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(refusals(alice, rogue.agent).includes('invalid_proposal'), 'it was refused')
  check((await view(alice, UID)) === undefined, 'there is no such task for the agent')
}

async function otherDefinition(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const { body, ...rest } = invite(alice, PLAN)
  const type = { ...(body['type'] as JsonObject), hash: 'c'.repeat(64) }
  const forged = rogue.append(alice.agent, { ...rest, body: { ...body, type } })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(refusals(alice, rogue.agent).includes('type_mismatch'), 'it was refused')
}

async function usedLink(stage: Stage): Promise<void> {
  const { world, alice, bob, carol, check } = stage
  for (const node of [bob, carol]) await change(stage, alice, node.agent, 'remove')
  await world.pass(10_000)
  let link = ''
  void alive(alice)
    .owner.invite({ secret: true })
    .then((invited) => (link = invited.ok ? invited.value.link : ''))
  await world.pass(200)
  for (const node of [bob, carol]) {
    void alive(node).owner.addContact({ link })
    await world.pass(20_000)
  }
  const states = [bob, carol].map((node) => alice.store?.get('contacts', `${alice.agent}/${node.agent}`)?.state)
  check(states.join() === 'active,pending', `the link let in ${states.join()}`)
}

async function heldYes(stage: Stage): Promise<void> {
  const { world, alice, bob, check } = stage
  const uid = await party(stage)
  check((await view(bob, uid)) === undefined, 'there is no such task for the agent')
  await answerType(stage, 'approve')
  check((await view(bob, uid))?.status === 'open', 'the yes opens it')
  check((await look(world, alice, uid)) === 'open', 'it is open for who sent it')
}

async function heldNo(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const uid = await party(stage)
  await answerType(stage, 'deny')
  await world.pass(5_000)
  check((await view(alice, uid))?.statusReason === 'type_not_installed', 'the no ends it')
  check((await party(stage)) === '', 'it is not sent again')
}

async function retiredType(stage: Stage): Promise<void> {
  const { world, alice, bob, check } = stage
  const running = await party(stage)
  await answerType(stage, 'approve')
  await settled(world, alive(bob).owner.retireType('party.plan'))
  const next = await party(stage)
  await world.pass(5_000)
  check((await view(alice, next))?.statusReason === 'type_retired', 'it takes no invite')
  const proposal = { proposal: OTHER_PLAN }
  const sent = await write(world, (flows) => flows.propose(bob.agent, running, proposal), bob)
  check(sent !== undefined, 'what runs goes on')
  await settled(world, alive(alice).owner.retireType('party.plan'))
  check((await party(stage, 'not installed anew')) === '', 'it starts no task')
}

/** Alice has a custom type and invites Bob with it: the uid, empty when her node refuses. */
async function party({ world, alice, bob }: Stage, anew?: 'not installed anew'): Promise<string> {
  if (anew === undefined) await settled(world, alive(alice).owner.installType({ file: FILES[0] ?? '' }))
  const command = { ...createCommand(bob), type: 'party.plan' }
  const made = await settled(world, alive(alice).agent.createTask(alice.agent, command))
  await world.pass(5_000)
  return made?.ok === true && made.value.answer.status === 'sent' ? made.value.answer.task.taskUid : ''
}

async function answerType({ world, bob, check }: Stage, decision: 'approve' | 'deny'): Promise<void> {
  const found = await settled(world, alive(bob).owner.approvals({ limit: 9, status: 'pending' }))
  const asked = found?.ok === true ? found.value.items.find((one) => one.kind === 'type') : undefined
  check(asked !== undefined, 'the owner is asked')
  if (asked === undefined) return
  await settled(world, alive(bob).owner.answerApproval(asked.approvalId, { decision, scope: 'once' }))
}

/** What a call answers, the world turning meanwhile. */
async function settled<T>(world: World, promise: Promise<T>): Promise<T | undefined> {
  let answer: T | undefined
  void promise.then((value) => (answer = value))
  await world.pass(500)
  return answer
}

/** Bob's disk is replaced by an older copy of it; what he wrote since is with alice. */
async function oldBackup(stage: Stage): Promise<void> {
  const { world, alice, bob, check } = stage
  const backup = bob.disk.backup()
  const created = await write(world, (flows) => flows.createTask(bob.agent, createCommand(alice)), bob)
  const uid = created?.taskUid ?? ''
  await world.pass(5_000)
  const proposal = { proposal: OTHER_PLAN }
  await write(world, (flows) => flows.propose(alice.agent, uid, proposal), alice)
  await world.pass(5_000)
  const theirs = (await view(bob, uid))?.proposals.at(-1)?.proposalId ?? ''
  await write(world, (flows) => flows.respond(bob.agent, uid, { proposalId: theirs, decision: 'accept' }), bob)
  await world.pass(5_000)
  world.cast.traffic.forget(bob)
  bob.crash()
  bob.disk.restore(backup)
  world.cast.audit.onBoot(bob)
  void bob.start()
  await world.pass(1_000)
  // Something new makes each side reach for the other.
  await write(world, (flows) => flows.createTask(alice.agent, createCommand(bob)), alice)
  await world.pass(5 * 60_000)
  const frozen = [alice, bob].some((node) => frozenAt(node, node === alice ? bob.agent : alice.agent))
  check(!frozen, 'nobody is frozen')
  check(isDelivered([alice, bob]), `all is delivered: ${chainsOf([alice, bob])}`)
  for (const difference of differences([alice, bob])) check(false, difference)
  check((await view(bob, uid))?.status === 'agreed', 'the agreement is back')
}

// ---- what the stories share ----

async function rogueVisit({ world, alice, bob }: Stage): Promise<{ rogue: Rogue; visit: Visit }> {
  const rogue = takeOver(world, bob)
  return { rogue, visit: await rogue.visit(alice) }
}

/** The rogue invites alice, and her agent accepts. Nothing is acknowledged yet. */
async function agreedWithRogue(
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
function lastOwn(node: SimNode): Head & { id: MessageId } {
  const bytes = node.disk.read(`ta:${node.agent}/${UID}`)
  if (bytes === undefined) throw new Error(`${node.name} has no task`)
  const { peer, mine } = JSON.parse(Buffer.from(bytes).toString('utf8')) as TaskRecord
  const seq = mine.at(-1) ?? 0
  const sent = node.store?.get('sent', seqKey(node.agent, peer, seq))
  if (sent === undefined) throw new Error(`${node.name} wrote nothing`)
  return { seq, id: reopen(sent).id }
}

/** The status that the agent is told, once it is on disk. */
async function look(world: World, node: SimNode, uid: string): Promise<string | undefined> {
  let status: string | undefined
  void view(node, uid).then((seen) => (status = seen?.status))
  await world.pass(200)
  return status
}

/** The rogue says that a message of alice is on its disk, and how far its own chain went by then. */
async function acknowledge(stage: Stage, rogue: Rogue, upTo: Head, head?: number): Promise<void> {
  const { world, alice, check } = stage
  const guest = rogue.guests.at(-1)
  if (guest === undefined) return check(false, 'alice came to deliver')
  const receipt = rogue.receipt(alice.agent, upTo, head ?? rogue.heads(alice.agent).out.seq)
  await say(world, guest, { type: 'receipt', bytes: receipt })
}

function invite(to: SimNode, proposal: JsonObject, uid = UID): { kind: string; task: JsonObject; body: JsonObject } {
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

function createCommand(to: SimNode): { type: string; participant: string; proposal: JsonObject } {
  return { type: 'dinner.coordination', participant: to.agent, proposal: PLAN }
}

function alive(node: SimNode): NonNullable<SimNode['flows']> {
  if (node.flows === undefined) throw new Error(`${node.name} is down`)
  return node.flows
}

type Action = Parameters<NonNullable<SimNode['flows']>['owner']['changeContact']>[0]['action']

/** The owner of `node` changes a contact, and it reaches the disk. */
async function change({ world, check }: Stage, node: SimNode, contact: AgentId, action: Action): Promise<void> {
  void alive(node)
    .owner.changeContact({ contact, action })
    .then((done) => check(done.ok, `${action} is possible`))
  await world.pass(200)
}

type Agent = NonNullable<SimNode['flows']>['agent']

/** Makes a write and lets it reach the disk. Answers the task. */
async function write(
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
async function allowAll(node: SimNode, world: World): Promise<void> {
  void alive(node).owner.setGrant({ contact: '*', capability: 'disclose.*', effect: 'allow' })
  await world.pass(200)
}

async function view(node: SimNode, uid: string): Promise<TaskView | undefined> {
  const found = await alive(node).agent.getTask(node.agent, uid)
  return found.ok ? found.value : undefined
}

/** Highest numbers that receipts on a visit acknowledged, in order. */
function received(visit: Visit): number[] {
  return visit.heard.flatMap((frame) => {
    if (frame.type !== 'receipt') return []
    const seq = /"upTo":\{"id":"[0-9a-f]{64}","seq":(\d+)\}/.exec(Buffer.from(frame.bytes).toString('latin1'))?.[1]
    return seq === undefined ? [] : [Number(seq)]
  })
}

function refused(visit: Visit): string | undefined {
  const frame = visit.heard.find((one) => one.type === 'refuse')
  return frame?.type === 'refuse' ? frame.code : undefined
}

function inSeq(node: SimNode, peer: AgentId): number {
  return node.store?.get('chains', `${node.agent}/${peer}`)?.in.seq ?? 0
}

/** Codes of the refusals that a node signed towards a peer. */
function refusals(node: SimNode, peer: AgentId): string[] {
  return node.disk.entries(`se:${node.agent}/${peer}/`).flatMap(([, bytes]) => {
    const text = Buffer.from(bytes).toString('latin1')
    return text.includes('"kind":"task.refuse"') ? [/"code":"([a-z_]+)"/.exec(text)?.[1] ?? ''] : []
  })
}

function itemsOf(node: SimNode, kind: string): string[] {
  const items = node.disk.entries(`in:${node.agent}/`).map(([, bytes]) => Buffer.from(bytes).toString('utf8'))
  return items.filter((item) => item.includes(`"kind":"${kind}"`))
}

function cardOf(node: SimNode): string {
  return node.store?.get('agents', node.agent)?.card ?? ''
}

function frozenAt(node: SimNode, peer: AgentId): boolean {
  return node.store?.get('contacts', `${node.agent}/${peer}`)?.frozen !== undefined
}

function checkFrozen({ alice, check }: Stage, peer: AgentId): void {
  check(frozenAt(alice, peer), 'the contact is frozen')
  check(itemsOf(alice, 'contact.frozen').length === 1, 'the owner was told')
}

/** Other contacts go on as if nothing had happened. */
async function checkFriends({ world, check }: Stage, alice: SimNode, carol: SimNode): Promise<void> {
  const created = await write(world, (flows) => flows.createTask(alice.agent, createCommand(carol)), alice)
  await world.pass(5_000)
  check((await view(carol, created?.taskUid ?? ''))?.status === 'open', 'other contacts are not disturbed')
}
