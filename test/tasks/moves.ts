import fc from 'fast-check'
import type { Move, Setup } from './world.js'

/** What random worlds are made from. */
export const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.record({ who: fc.boolean(), act: fc.nat(99), pick: fc.nat(9999), dt: fc.nat(3) }),
  { minLength: 10, maxLength: 50, size: 'max' }
)

const offset = fc.integer({ min: -12, max: 12 })

export const setup: fc.Arbitrary<Setup> = fc.record({
  start: fc.integer({ min: -20, max: 95 }),
  offsets: fc.tuple(offset, offset),
  hold: fc.nat(9).map((n) => n === 0)
})
