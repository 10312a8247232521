import { expect } from 'chai'
import fc from 'fast-check'
import type { Side } from '../../src/tasks/log.js'
import { fold } from '../../src/tasks/fold.js'
import { EXPIRES } from './entries.js'
import { LyingWorld } from './lying-world.js'
import { moves, setup } from './moves.js'
import { oracleFold } from './oracle.js'
import { stateOf } from './state.js'

const numRuns = Number(process.env['TASK_RUNS'] ?? 800)
const seed = Number(process.env['TASK_SEED'] ?? 1)
const side = fc.constantFrom<Side>('inviter', 'invitee')

describe('an honest node against one that lies', function () {
  this.timeout(0)

  it('keeps its settled agreement, and every cancel and expiry that it reported', () => {
    fc.assert(
      fc.property(setup, side, moves, (how, liar, list) => {
        const world = new LyingWorld(how, liar)
        for (const move of list) world.move(move)
        expect(world.faults).to.deep.equal([])
      }),
      { numRuns, seed }
    )
  })

  it('reduces what it holds as a literal reading of the spec does', () => {
    fc.assert(
      fc.property(setup, side, moves, fc.integer({ min: -60, max: 60 }), (how, liar, list, ticks) => {
        const world = new LyingWorld(how, liar)
        for (const move of list) world.move(move)
        const log = (liar === 'inviter' ? world.invitee : world.inviter).log()
        if (log.inviter.length === 0) return
        const now = EXPIRES + ticks * 1000
        expect(stateOf(fold(log, now))).to.deep.equal(oracleFold(log, now))
      }),
      { numRuns, seed: seed + 1 }
    )
  })
})
