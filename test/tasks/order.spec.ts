import { expect } from 'chai'
import fc from 'fast-check'
import { EMPTY_LOG, type Side, type TaskEntry, type TaskLog, checkPlace } from '../../src/tasks/log.js'
import { fold } from '../../src/tasks/fold.js'
import { EXPIRES } from './entries.js'
import { moves, setup } from './moves.js'
import { World } from './world.js'

/** Puts both chains together in the order that `picks` says, as far as each message has its place. */
function assembled(full: TaskLog, picks: readonly boolean[]): TaskLog {
  let log = EMPTY_LOG
  const step = (side: Side): boolean => {
    const entry: TaskEntry | undefined = full[side][log[side].length]
    if (entry === undefined || !checkPlace(log, side, entry).ok) return false
    log = { ...log, [side]: [...log[side], entry] }
    return true
  }
  for (const pick of picks) step(pick ? 'inviter' : 'invitee')
  while (step('inviter') || step('invitee'));
  return log
}

describe('the state of a task', () => {
  it('is the same in whatever order its messages arrive, for node and auditor', () => {
    fc.assert(
      fc.property(setup, moves, fc.array(fc.boolean(), { maxLength: 60 }), (how, list, picks) => {
        const world = new World(how)
        for (const move of list) world.move(move)
        world.heal()
        const both: TaskLog = { inviter: world.inviter.own, invitee: world.invitee.own }
        const arrived = assembled(both, picks)
        expect(arrived).to.deep.equal(both)
        const states = [arrived, world.inviter.log(), world.invitee.log()].map((log) => fold(log, EXPIRES + 1))
        expect(states[0]).to.deep.equal(states[1])
        expect(states[1]).to.deep.equal(states[2])
      }),
      { numRuns: 400, seed: 3 }
    )
  })
})
