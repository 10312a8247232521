/** Stories in which an owner is asked: links with a secret, types that are not installed, work that may not be given. */
import type { JsonObject } from '../../../src/base/json.js'
import { FILES } from '../types.js'
import { OTHER_PLAN, type Stage, alive, change, createCommand, look, settled, view, write } from './stage.js'

export async function usedLink(stage: Stage): Promise<void> {
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

export async function heldYes(stage: Stage): Promise<void> {
  const { world, alice, bob, check } = stage
  const uid = await party(stage)
  check((await view(bob, uid)) === undefined, 'there is no such task for the agent')
  await answerType(stage, 'approve')
  check((await view(bob, uid))?.status === 'open', 'the yes opens it')
  check((await look(world, alice, uid)) === 'open', 'it is open for who sent it')
}

export async function heldNo(stage: Stage): Promise<void> {
  const { world, alice, check } = stage
  const uid = await party(stage)
  await answerType(stage, 'deny')
  await world.pass(5_000)
  check((await view(alice, uid))?.statusReason === 'type_not_installed', 'the no ends it')
  check((await party(stage)) === '', 'it is not sent again')
}

export async function retiredType(stage: Stage): Promise<void> {
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

export async function deniedYes({ world, alice, bob, check }: Stage): Promise<void> {
  const rule = (effect: 'ask' | 'deny'): Promise<unknown> =>
    settled(world, alive(alice).owner.setGrant({ contact: '*', capability: 'delegate.submit', effect }))
  await rule('ask')
  const given = { do: 'submit', recipient: bob.agent, taskId: 'sum', expiresInHours: 2, envelope: WORK } as const
  const asked = await settled(world, alive(alice).agent.envelope(alice.agent, given))
  const answer = asked?.ok === true ? asked.value.answer : undefined
  if (answer?.status !== 'pending_approval') return check(false, 'the owner is asked')
  await rule('deny')
  await settled(world, alive(alice).owner.answerApproval(answer.approvalId, { decision: 'approve', scope: 'once' }))
  await world.pass(5_000)
  check(bob.disk.entries(`en:${bob.agent}/`).length === 0, 'what is denied by now does not leave by a yes')
}

const WORK: JsonObject = {
  objective: 'mend the sum',
  outputFormat: 'a file',
  toolAndSourceGuidance: 'none',
  boundaries: 'none',
  filesAndInterfaces: ['src'],
  acceptanceCheck: { passFailCommand: 'node --test', endToEndVerification: 'look' },
  contextID: 'shop'
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
