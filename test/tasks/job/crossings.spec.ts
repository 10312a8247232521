import { expect } from 'chai'
import fc from 'fast-check'
import { extend, fold } from '../../../src/tasks/fold.js'
import { EMPTY_LOG, type Side, type TaskEntry, checkPlace } from '../../../src/tasks/log.js'
import { EXPIRES } from '../entries.js'
import { moves, setup } from '../moves.js'
import { oracleFold } from '../oracle.js'
import { plainOf, stateOf } from '../state.js'
import type { Move, Setup } from '../world.js'
import { JobWorld } from './job-world.js'

const numRuns = Number(process.env['TASK_RUNS'] ?? 300)
const seed = Number(process.env['TASK_SEED'] ?? 1)

function played(how: Setup, list: readonly Move[]): JobWorld {
  const world = new JobWorld(how)
  for (const move of list) world.move(move)
  return world
}

const longer = fc.tuple(moves, moves).map(([first, then]) => [...first, ...then])

describe('a paid job whose messages cross', function () {
  this.timeout(0)

  it('takes back no reported end and no settled payment, and loses no step but by time', () => {
    fc.assert(
      fc.property(setup, longer, (how, list) => {
        const world = played(how, list)
        world.heal()
        expect(world.faults).to.deep.equal([])
        const { effects, job } = world.reportOf(world.inviter).reduced
        for (const entry of world.promised) {
          const effect = effects.get(entry.id)
          const rests = entry.kind === 'job.deliver' || entry.kind === 'job.complete'
          if (effect === 'refused:task_expired' || (rests && job?.receipt === undefined)) continue
          expect(effect, entry.kind).to.equal('applied')
        }
      }),
      { numRuns, seed }
    )
  })

  it('ends with the same status, plan and attempts on both nodes', () => {
    fc.assert(
      fc.property(setup, longer, (how, list) => {
        const world = played(how, list)
        world.heal()
        const [a, b] = [world.reportOf(world.inviter), world.reportOf(world.invitee)]
        expect(stateOf(a.reduced)).to.deep.equal(stateOf(b.reduced))
        expect(a.reduced.job).to.deep.equal(b.reduced.job)
        if (a.reduced.statusReason !== 'type_not_installed') expect(a.status).to.equal(b.status)
      }),
      { numRuns, seed: seed + 1 }
    )
  })

  it('is reduced as a literal reading of the page does, step by step and from the start alike', () => {
    fc.assert(
      fc.property(setup, longer, fc.integer({ min: -60, max: 60 }), (how, list, ticks) => {
        const world = played(how, list)
        const now = EXPIRES + ticks * 1000
        for (const party of [world.inviter, world.invitee]) {
          if (!party.hasTask()) continue
          const log = party.log()
          expect(stateOf(fold(log, now))).to.deep.equal(oracleFold(log, now))
          let grown = EMPTY_LOG
          const grow = (side: Side): boolean => {
            const entry: TaskEntry | undefined = log[side][grown[side].length]
            if (entry === undefined || !checkPlace(grown, side, entry).ok) return false
            grown = extend(grown, side, entry)
            fold(grown, now)
            return true
          }
          grow('inviter')
          while (grow('invitee') || grow('inviter'));
          expect(plainOf(fold(grown, now))).to.deep.equal(plainOf(fold({ ...log }, now)))
        }
      }),
      { numRuns: Math.ceil(numRuns / 2), seed: seed + 2 }
    )
  })
})
