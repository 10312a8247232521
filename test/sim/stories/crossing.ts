/** Stories of words that cross, come late, or meet a clock that was changed. */
import { DAY } from '../../../src/base/time.js'
import { say } from '../rogue.js'
import {
  OTHER_PLAN,
  PLAN,
  type Stage,
  UID,
  acknowledge,
  agreedWithRogue,
  createCommand,
  invite,
  lastOwn,
  look,
  received,
  refusals,
  rogueVisit,
  view,
  write
} from './stage.js'

/** Bob stored alice's answer, says so, and then writes a cancel as if he had not. */
export async function backdated(stage: Stage): Promise<void> {
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

export async function lateRefusal(stage: Stage): Promise<void> {
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
export async function earlyCancel(stage: Stage): Promise<void> {
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

export async function clockBack({ world, alice, bob, check }: Stage): Promise<void> {
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
