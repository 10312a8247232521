import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { AgentId } from '../../../src/base/ids.js'
import type { JsonObject } from '../../../src/base/json.js'
import { instantOf } from '../../../src/base/time.js'
import { faultsOf, parseContract } from '../../../src/tasks/envelope/contract.js'
import { foldEnvelope } from '../../../src/tasks/envelope/fold.js'
import type { EnvelopeLog } from '../../../src/tasks/envelope/log.js'
import { type NormalPath, isPath, normalPath, overlap } from '../../../src/tasks/envelope/ownership.js'
import { reportEnvelope } from '../../../src/tasks/envelope/report.js'
import { envelopeUid } from '../../../src/tasks/envelope/uid.js'
import type { Side } from '../../../src/tasks/log.js'
import { KINDS } from '../../../src/wire/kinds.js'
import { oracleEnvelope } from './oracle.js'

function load<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../protocols/vectors/${name}.json`, import.meta.url), 'utf8')) as T
}

interface Contracts {
  readonly contracts: { name: string; taskId: string; contract: JsonObject; errors: string[]; fields?: string[] }[]
  readonly paths: { entry: string; expect: string | { fault: string } }[]
  readonly overlaps: { a: string; b: string; expect: boolean }[]
  readonly uids: { sender: AgentId; recipient: AgentId; taskId: string; uid: string }[]
}
type Fold = EnvelopeLog & {
  readonly name: string
  readonly expect: { state: string; code?: string; outcomes: object; effects: Record<string, string> }
  readonly reports?: { self: Side; now: string; inSeq: number; expect: object }[]
}

const { contracts, paths, overlaps, uids } = load<Contracts>('contracts')
const { folds } = load<{ folds: Fold[] }>('envelopes')

describe('the contract vectors', () => {
  for (const { name, taskId, contract, errors, fields } of contracts) {
    it(name, () => {
      const faults = faultsOf(contract, taskId)
      expect([...new Set(faults.map((fault) => fault.code))]).to.deep.equal(errors)
      expect(faults.map((fault) => fault.field)).to.deep.equal(fields ?? [])
      const read = parseContract(contract, taskId)
      expect(read.ok).to.equal(errors.length === 0)
      if (!read.ok) expect(read.refusal.details['errors']).to.deep.equal(errors)
      // What the sender's node lets pass, every node can read.
      const body = { taskId, contract, expiresAt: '2026-11-14T00:00:00.000Z' }
      if (read.ok) expect(KINDS['envelope.submit'].body.fault(body)).to.equal(undefined)
    })
  }

  it('are to at least half about refusals', () => {
    expect(contracts.filter((one) => one.errors.length > 0).length * 2).to.be.at.least(contracts.length)
  })

  for (const { entry, expect: expected } of paths) {
    it(`the entry ${JSON.stringify(entry)}`, () => {
      const form = normalPath(entry)
      expect(isPath(form) ? form.join('/') : { fault: form }).to.deep.equal(expected)
    })
  }

  for (const { a, b, expect: expected } of overlaps) {
    it(`${a} and ${b} ${expected ? 'overlap' : 'do not overlap'}, either way round`, () => {
      const [left, right] = [normalPath(a) as NormalPath, normalPath(b) as NormalPath]
      expect([overlap(left, right), overlap(right, left)]).to.deep.equal([expected, expected])
    })
  }

  it('give each pair and id its uid', () => {
    for (const { sender, recipient, taskId, uid } of uids) {
      expect(envelopeUid(sender, recipient, taskId)).to.equal(uid)
    }
    expect(new Set(uids.map((one) => one.uid)).size).to.equal(uids.length)
  })
})

describe('the vectors of the lifecycle', () => {
  for (const { name, expect: expected, reports, ...log } of folds) {
    it(name, () => {
      const reduced = foldEnvelope(log)
      expect(reduced.state).to.equal(expected.state)
      expect(reduced.code).to.equal(expected.code)
      expect(Object.fromEntries(reduced.outcomes)).to.deep.equal(expected.outcomes)
      expect(Object.fromEntries(reduced.effects)).to.deep.equal(expected.effects)
      const applied = Object.entries(expected.effects).filter(([, effect]) => effect === 'applied')
      expect(oracleEnvelope(log)).to.deep.equal({
        state: expected.state,
        applied: applied.map(([id]) => id).sort()
      })
      for (const { self, now, inSeq, expect: seen } of reports ?? []) {
        const at = instantOf(now) ?? Number.NaN
        const { state, code, cancelRequested, claimable } = reportEnvelope({
          log,
          self,
          now: at,
          inSeq,
          ended: undefined
        })
        expect({ state, ...(code === undefined ? {} : { code }), cancelRequested, claimable }).to.deep.equal(seen)
      }
    })
  }

  it('are to at least half about what has no effect', () => {
    const without = folds.filter((one) => Object.values(one.expect.effects).some((effect) => effect !== 'applied'))
    expect(without.length * 2).to.be.at.least(folds.length)
  })
})
