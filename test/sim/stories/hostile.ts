/** Stories of a contact whose node signs what no honest node would. */
import type { TaskUid } from '../../../src/base/ids.js'
import type { JsonObject } from '../../../src/base/json.js'
import type { Head } from '../../../src/flows/records/contacts.js'
import { say, takeOver } from '../rogue.js'
import {
  OTHER_PLAN,
  PLAN,
  type Stage,
  UID,
  agreedWithRogue,
  cardOf,
  change,
  checkFriends,
  checkFrozen,
  createCommand,
  frozenAt,
  inSeq,
  invite,
  itemsOf,
  received,
  refusals,
  refused,
  rogueVisit,
  view,
  write
} from './stage.js'

export async function equivocation(stage: Stage): Promise<void> {
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

export async function fork(stage: Stage): Promise<void> {
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

export async function wrongRecipient(stage: Stage): Promise<void> {
  const { world, alice, carol, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const before = inSeq(alice, rogue.agent)
  const forged = rogue.forge(alice.agent, { ...invite(alice, PLAN), to: carol.agent })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(inSeq(alice, rogue.agent) === before, 'nothing was stored')
  check(visit.ended(), 'the stream ended')
  await checkFriends(stage, alice, carol)
}

export async function wrongSender(stage: Stage): Promise<void> {
  const { world, alice, carol, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const before = inSeq(alice, rogue.agent)
  const forged = rogue.forge(alice.agent, { ...invite(alice, PLAN), from: carol.agent })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(inSeq(alice, rogue.agent) === before, 'nothing was stored')
  check(visit.ended(), 'the stream ended')
}

/** The rogue runs at bob's node and shows carol's card. */
export async function wrongNode(stage: Stage): Promise<void> {
  const { world, alice, bob, carol, check } = stage
  const borrowed = cardOf(carol)
  const rogue = takeOver(world, bob)
  const visit = await rogue.visit(alice, { card: borrowed })
  check(refused(visit) === 'not_contact', 'it was turned away')
  check(!visit.heard.some((frame) => frame.type === 'hello'), 'it learned nothing')
}

export async function replayed(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const forged = rogue.append(alice.agent, invite(alice, PLAN))
  for (let times = 0; times < 3; times++) await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(received(visit).filter((seq) => seq === forged.seq).length >= 3, 'each was acknowledged')
  check(inSeq(alice, rogue.agent) === forged.seq, 'it was stored once')
  check(itemsOf(alice, 'task.invite').length === 1, 'the agent was told once')
}

export async function gap(stage: Stage): Promise<void> {
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

export async function opaque(stage: Stage): Promise<void> {
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

export async function falseReceipt(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, accepted } = await agreedWithRogue(stage)
  const guest = rogue.guests.at(-1)
  if (guest === undefined) return check(false, 'alice came to deliver')
  const lie = rogue.receipt(alice.agent, { seq: accepted.seq, id: 'd'.repeat(64) as Head['id'] }, 1)
  await say(world, guest, { type: 'receipt', bytes: lie })
  check(guest.ended(), 'the stream ended')
  check((await view(alice, UID))?.delivery.state === 'queued', 'the answer still waits')
}

export async function foreignTask(stage: Stage): Promise<void> {
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

export async function invalidProposal(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const forged = rogue.append(alice.agent, invite(alice, { ...PLAN, homeAddress: 'here' }))
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(refusals(alice, rogue.agent).includes('invalid_proposal'), 'it was refused')
  check((await view(alice, UID)) === undefined, 'there is no such task for the agent')
}

export async function otherDefinition(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const { rogue, visit } = await rogueVisit(stage)
  const { body, ...rest } = invite(alice, PLAN)
  const type = { ...(body['type'] as JsonObject), hash: 'c'.repeat(64) }
  const forged = rogue.append(alice.agent, { ...rest, body: { ...body, type } })
  await say(world, visit, { type: 'message', bytes: forged.bytes })
  check(refusals(alice, rogue.agent).includes('type_mismatch'), 'it was refused')
}
