/** The story of a node that lost its memory. */
import { chainsOf, differences, isDelivered } from '../quiet.js'
import { OTHER_PLAN, type Stage, createCommand, frozenAt, view, write } from './stage.js'

/** Bob's disk is replaced by an older copy of it; what he wrote since is with alice. */
export async function oldBackup(stage: Stage): Promise<void> {
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
