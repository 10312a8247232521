import { expect } from 'chai'
import fc from 'fast-check'
import { covered, extend, fold } from '../../src/tasks/fold.js'
import { type Side, type TaskEntry, type TaskLog, checkPlace } from '../../src/tasks/log.js'
import { EXPIRES, logOf, say } from './entries.js'
import { LyingWorld } from './lying-world.js'
import { moves, setup } from './moves.js'
import { plainOf } from './state.js'
import { World } from './world.js'

/** What a log says when it is read from the disk: nothing is known of shorter ones. */
function afresh({ inviter, invitee }: TaskLog): ReturnType<typeof fold> {
  return fold({ inviter: [...inviter], invitee: [...invitee] }, EXPIRES)
}

const growths = fc.array(
  fc.record({ side: fc.constantFrom<Side>('inviter', 'invitee'), cover: fc.nat(9), head: fc.nat(12) }),
  { maxLength: 80 }
)

/** An entry as it is before any receipt covers it. */
function uncovered({ coverHead: _, ...entry }: TaskEntry): TaskEntry {
  return entry as TaskEntry
}

/** Grows a log from the invite towards `full`, in an order of its own, and compares after every step. */
function grow(full: TaskLog, steps: readonly { side: Side; cover: number; head: number }[]): void {
  let log: TaskLog = { inviter: full.inviter.slice(0, 1).map(uncovered), invitee: [] }
  fold(log, EXPIRES)
  const both = (['inviter', 'invitee'] as const).flatMap((side) => full[side].map(() => ({ side, cover: 9, head: 0 })))
  for (const { side, cover, head } of [...steps, ...both, ...both]) {
    const next = full[side][log[side].length]
    const first = log[side].filter(({ coverHead }) => coverHead !== undefined).length
    if (cover < 3) log = covered(log, side, first, Math.min(log[side].length, first + cover), head)
    else if (next !== undefined && checkPlace(log, side, next).ok) log = extend(log, side, uncovered(next))
    const [grown, whole] = [fold(log, EXPIRES), afresh(log)]
    expect(plainOf(grown)).to.deep.equal(plainOf(whole))
    for (const [id, effect] of whole.effects) expect(grown.effects.get(id)).to.equal(effect)
  }
}

describe('the fold of a log that grew', () => {
  it('is the fold of the whole log, whatever two honest nodes wrote and in whatever order it came', () => {
    fc.assert(
      fc.property(setup, moves, growths, (how, list, steps) => {
        const world = new World(how)
        for (const move of list) world.move(move)
        grow({ inviter: world.inviter.own, invitee: world.invitee.own }, steps)
      }),
      { numRuns: 300, seed: 5 }
    )
  })

  it('is the fold of the whole log, whatever a liar wrote', () => {
    fc.assert(
      fc.property(setup, moves, growths, fc.constantFrom<Side>('inviter', 'invitee'), (how, list, steps, liar) => {
        const world = new LyingWorld(how, liar)
        for (const move of list) world.move(move)
        grow({ inviter: world.inviter.own, invitee: world.invitee.own }, steps)
      }),
      { numRuns: 300, seed: 6 }
    )
  })

  it('leaves what the shorter log said as it was', () => {
    const { inviter, invitee } = logOf([{ id: 'a', say: say.invite() }], [{ id: 'b', say: say.reject('a'), seen: 1 }])
    const short: TaskLog = { inviter, invitee: [] }
    const before = fold(short, EXPIRES)
    const copy = structuredClone(before)
    const after = fold(extend(short, 'invitee', invitee[0] as TaskEntry), EXPIRES)
    expect(after.proposals[0]?.status).to.equal('rejected')
    expect(before).to.deep.equal(copy)
  })
})
