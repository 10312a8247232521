import ICAL from 'ical.js'
import { expect } from 'chai'
import type { CalendarView } from '../../src/flows/views/tasks.js'
import type { Result } from '../../src/base/result.js'
import { type Node, type World, dinner, friends, good, refusalOf } from './pair.js'

const PLAN = {
  ...dinner(),
  date: '2026-11-14',
  time: '19:45',
  timezone: 'America/Toronto',
  venue: { name: 'Nonna', area: 'Corso' }
}

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
  readonly uid: string
}

async function agreed(): Promise<Stage> {
  const pair = await friends()
  const { world, alice, bob } = pair
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: PLAN }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  await world.rest(1_000)
  const proposalId = answer.task.proposals[0]?.proposalId ?? ''
  good(await world.do(bob.flows.agent.respond(bob.agent, answer.task.taskUid, { proposalId, decision: 'accept' })))
  await world.rest(1_000)
  return { ...pair, uid: answer.task.taskUid }
}

async function record({ world, alice, uid }: Stage, action: string): Promise<void> {
  good(await world.do(alice.flows.owner.setGrant({ contact: '*', capability: `action.${action}`, effect: 'allow' })))
  good(await world.do(alice.flows.agent.runAction(alice.agent, { taskUid: uid, action })))
  await world.rest(1_000)
}

async function file({ world }: Pick<Stage, 'world'>, node: Node, taskUid: string): Promise<Result<CalendarView>> {
  let outcome: Result<CalendarView> | undefined
  // The library of zones is read from the disk, which no clock of the test moves.
  const asked = node.flows.owner.calendar({ taskUid }).then((found) => (outcome = found))
  while (outcome === undefined) {
    await world.rest()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return asked
}

describe('the calendar file of a task', () => {
  for (const action of ['calendar.hold', 'reservation.book']) {
    it(`is there once ${action} is recorded, with the agreed instant`, async () => {
      const stage = await agreed()
      await record(stage, action)
      const { calendar } = good(await file(stage, stage.alice, stage.uid))
      const event = new ICAL.Event(
        new ICAL.Component(ICAL.parse(calendar) as unknown[]).getFirstSubcomponent('vevent') ?? undefined
      )
      expect(event.startDate.toJSDate().toISOString()).to.equal('2026-11-15T00:45:00.000Z')
      expect(event.summary).to.include('@bob')
      expect(event.location).to.include('Nonna')
    })
  }

  it('is the same after a restart', async () => {
    const stage = await agreed()
    await record(stage, 'calendar.hold')
    const before = good(await file(stage, stage.alice, stage.uid))
    await stage.alice.stop()
    await stage.alice.start()
    expect(good(await file(stage, stage.alice, stage.uid))).to.deep.equal(before)
  })

  it('does not exist before an action, nor at the node that recorded none', async () => {
    const stage = await agreed()
    expect(refusalOf(await file(stage, stage.alice, stage.uid))).to.include('action_not_recorded')
    await record(stage, 'reservation.book')
    expect(refusalOf(await file(stage, stage.bob, stage.uid))).to.include('action_not_recorded')
    expect(refusalOf(await file(stage, stage.alice, '0'.repeat(32)))).to.equal('not_found taskUid')
    expect(refusalOf(await file(stage, stage.alice, 'no uid'))).to.equal('not_found taskUid')
  })
})
