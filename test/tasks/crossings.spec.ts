import { expect } from 'chai'
import fc from 'fast-check'
import { fold } from '../../src/tasks/fold.js'
import { oracleFold } from './oracle.js'
import { type Move, type Setup, World } from './world.js'
import { moves, setup } from './moves.js'
import { stateOf } from './state.js'
import { EXPIRES } from './entries.js'

/** Random crossings between two honest nodes. TASK_RUNS raises the number of runs, up to 300,000 or more. */
const numRuns = Number(process.env['TASK_RUNS'] ?? 800)
const seed = Number(process.env['TASK_SEED'] ?? 1)

function played(how: Setup, list: readonly Move[]): World {
  const world = new World(how)
  for (const move of list) world.move(move)
  return world
}

describe('two honest nodes whose messages cross', function () {
  this.timeout(0)

  it('never take back a reported end or a settled agreement, and lose no answer and no action', () => {
    fc.assert(
      fc.property(setup, moves, (how, list) => {
        const world = played(how, list)
        world.heal()
        expect(world.faults).to.deep.equal([])
        const { effects } = world.reportOf(world.inviter).reduced
        for (const entry of world.promised) {
          const effect = effects.get(entry.id)
          if (effect !== 'refused:task_expired') expect(effect, entry.kind).to.equal('applied')
        }
      }),
      { numRuns, seed }
    )
  })

  it('end with the same state, the same plan and the same reported status', () => {
    fc.assert(
      fc.property(setup, moves, (how, list) => {
        const world = played(how, list)
        world.heal()
        const [a, b] = [world.reportOf(world.inviter), world.reportOf(world.invitee)]
        expect(stateOf(a.reduced)).to.deep.equal(stateOf(b.reduced))
        // Who declines a held invite has shown no task to their agent; the inviter may have called it expired before.
        const declined = a.reduced.statusReason === 'type_not_installed'
        if (!declined) expect(a.status).to.equal(b.status)
      }),
      { numRuns, seed: seed + 1 }
    )
  })

  it('reduce every log on the way as a literal reading of the spec does', () => {
    fc.assert(
      fc.property(setup, moves, fc.integer({ min: -60, max: 60 }), (how, list, ticks) => {
        const world = played(how, list)
        for (const party of [world.inviter, world.invitee]) {
          if (!party.hasTask()) continue
          const now = EXPIRES + ticks * 1000
          expect(stateOf(fold(party.log(), now))).to.deep.equal(oracleFold(party.log(), now))
        }
      }),
      { numRuns, seed: seed + 2 }
    )
  })
})
