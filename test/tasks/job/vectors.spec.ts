import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { instantOf } from '../../../src/base/time.js'
import { fold } from '../../../src/tasks/fold.js'
import type { JobState } from '../../../src/tasks/job/steps.js'
import type { Side, TaskLog } from '../../../src/tasks/log.js'
import { report } from '../../../src/tasks/report.js'
import { oracleFold } from '../oracle.js'
import { stateOf } from '../state.js'

type Fold = TaskLog & {
  readonly name: string
  readonly now: string
  readonly expect: { readonly effects: Record<string, string> }
  readonly reports: { self: Side; inSeq: number; expired: boolean; expect: object }[]
}

const file = new URL('../../../protocols/vectors/jobs.json', import.meta.url)
const { folds } = JSON.parse(readFileSync(file, 'utf8')) as { folds: Fold[] }

function shown({ attempts, receipt, delivery, completedAt }: JobState): object {
  return {
    attempts: attempts.map(({ attempt, state }) => ({ attempt, state })),
    ...(receipt === undefined ? {} : { receipt: receipt.signature }),
    delivered: delivery !== undefined,
    completed: completedAt !== undefined
  }
}

describe('the job vectors', () => {
  for (const { name, now, inviter, invitee, expect: expected, reports } of folds) {
    it(name, () => {
      const at = instantOf(now) as number
      const reduced = fold({ inviter, invitee }, at)
      const { status, statusReason, agreedProposalId, effects, job } = reduced
      expect({
        status,
        ...(statusReason === undefined ? {} : { statusReason }),
        ...(agreedProposalId === undefined ? {} : { agreedProposalId }),
        effects: Object.fromEntries(effects),
        ...(job === undefined ? {} : { job: shown(job) })
      }).to.deep.equal(expected)
      expect(stateOf(reduced)).to.deep.equal(oracleFold({ inviter, invitee }, at))
      for (const { self, inSeq, expired, expect: seen } of reports) {
        const said = report({ log: { inviter, invitee }, self, inSeq, expired, now: at, awaitingApproval: false })
        const { cancelRequested, settled } = said
        expect({ status: said.status, cancelRequested, settled }, self).to.deep.equal(seen)
      }
    })
  }

  it('are to at least half about messages without effect', () => {
    const without = folds.filter((one) => Object.values(one.expect.effects).some((effect) => effect !== 'applied'))
    expect(without.length * 2).to.be.at.least(folds.length)
  })
})
