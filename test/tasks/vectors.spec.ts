import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { instantOf } from '../../src/base/time.js'
import type { RefuseCode, Side, TaskEntry, TaskLog } from '../../src/tasks/log.js'
import { merge } from '../../src/tasks/merge.js'
import { fold } from '../../src/tasks/fold.js'
import { refusalsIn } from '../../src/tasks/refusals.js'
import { report } from '../../src/tasks/report.js'
import { judge } from '../../src/tasks/rules.js'
import { DINNER } from './dinner.js'
import { oracleFold, oracleMerge } from './oracle.js'
import { stateOf } from './state.js'

type Chains = { readonly name: string } & TaskLog
interface FoldCase extends Chains {
  readonly now: string
  readonly expect: { readonly effects: Record<string, string>; readonly proposals: readonly object[] }
  readonly reports: readonly {
    readonly self: Side
    readonly inSeq: number
    readonly expired: boolean
    readonly expect: object
  }[]
}
interface JudgeCase extends Chains {
  readonly now: string
  readonly expired: boolean
  readonly side: Side
  readonly entry: TaskEntry
  readonly expect: RefuseCode | null
}

const merges = load<{ cases: (Chains & { order: string[] })[] }>('merge').cases
const { folds, judged } = load<{ folds: FoldCase[]; judged: JudgeCase[] }>('negotiation')

function load<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../protocols/vectors/${name}.json`, import.meta.url), 'utf8')) as T
}

function at(iso: string): number {
  const instant = instantOf(iso)
  if (instant === undefined) throw new Error(`${iso} is no time`)
  return instant
}

describe('the merge vectors', () => {
  for (const { name, order, ...log } of merges) {
    it(name, () => {
      expect(merge(log, refusalsIn(log).refused).map(({ entry }) => entry.id)).to.deep.equal(order)
      expect(oracleMerge(log).map(({ entry }) => entry.id)).to.deep.equal(order)
    })
  }
})

describe('the negotiation vectors', () => {
  for (const { name, now, reports, expect: expected, ...log } of folds) {
    it(name, () => {
      const reduced = fold(log, at(now))
      const { effects, confirms: _c, acceptance: _a, cancel: _x, expiresAt: _e, ...rest } = reduced
      const proposals = reduced.proposals.map(({ proposalId, version, side, status }) => ({
        proposalId,
        version,
        side,
        status
      }))
      expect({ ...rest, proposals, effects: Object.fromEntries(effects) }).to.deep.equal(expected)
      expect(stateOf(reduced)).to.deep.equal(oracleFold(log, at(now)))
      for (const { self, inSeq, expired, expect: seen } of reports) {
        const { status, cancelRequested, settled } = report({
          log,
          self,
          inSeq,
          expired,
          now: at(now),
          awaitingApproval: false
        })
        expect({ status, cancelRequested, settled }, self).to.deep.equal(seen)
      }
    })
  }

  it('are to at least half about messages without effect', () => {
    const without = folds.filter((one) => Object.values(one.expect.effects).some((effect) => effect !== 'applied'))
    expect(without.length * 2).to.be.at.least(folds.length)
  })
})

describe('the vectors of what a node refuses', () => {
  for (const { name, now, expired, side, entry, expect: code, inviter, invitee } of judged) {
    it(name, () => {
      const log = { inviter, invitee }
      expect(judge({ log, side, entry, now: at(now), expired, definition: DINNER }) ?? null).to.equal(code)
    })
  }
})
