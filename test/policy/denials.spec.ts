import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import type { AgentId, TaskUid } from '../../src/base/ids.js'
import { HOUR, type Instant, isoOf } from '../../src/base/time.js'
import type { AuditDraft } from '../../src/policy/audit.js'
import { type Denial, type DenialWindow, closeWindow, countDenial, isOpen } from '../../src/policy/denials.js'

interface Case {
  readonly name: string
  readonly steps: ReadonlyArray<{ readonly at: string; readonly denial?: Denial; readonly close?: true }>
  readonly entries: readonly object[]
}

const { cases } = JSON.parse(readFileSync('protocols/vectors/denials.json', 'utf8')) as { cases: Case[] }

/** A caller under one code, as a node keeps it. */
class Caller {
  window: DenialWindow | undefined
  readonly drafts: AuditDraft[] = []

  deny(denial: Denial, now: Instant): void {
    const { window, drafts } = countDenial(this.window, denial, now)
    this.window = window
    this.drafts.push(...drafts)
  }

  close(now: Instant): void {
    if (this.window === undefined || isOpen(this.window, now)) return
    this.drafts.push(...closeWindow(this.window, now))
    this.window = undefined
  }
}

describe('the vectors of denials', () => {
  for (const { name, steps, entries } of cases) {
    it(name, () => {
      const caller = new Caller()
      for (const { at, denial } of steps) {
        if (denial === undefined) caller.close(Date.parse(at))
        else caller.deny(denial, Date.parse(at))
      }
      expect(caller.drafts.map(({ at, ...draft }) => ({ ...draft, at: isoOf(at) }))).to.deep.equal(entries)
    })
  }
})

describe('denials', () => {
  const ALICE = 'al1alice' as AgentId
  const denial = fc
    .record({
      contact: fc.integer({ min: 0, max: 40 }),
      capability: fc.constantFrom('disclose.notes', 'disclose.budget', 'disclose.x.parking'),
      taskUid: fc.constantFrom('a', 'b', 'c')
    })
    .map(({ contact, capability, taskUid }): Denial => ({
      who: { kind: 'agent', id: ALICE },
      what: 'disclosure.denied',
      about: {
        agent: ALICE,
        contact: `al1c${contact}` as AgentId,
        capabilities: [capability],
        taskUid: taskUid as TaskUid
      }
    }))
  const attempts = fc.array(fc.record({ denial, after: fc.constantFrom(0, 1, 1000, HOUR / 7, HOUR, 3 * HOUR) }), {
    maxLength: 300
  })

  function run(all: ReadonlyArray<{ readonly denial: Denial; readonly after: number }>): Caller & { hours: number } {
    const caller = new Caller()
    let now = 0
    let hours = 0
    for (const each of all) {
      now += each.after
      const before = caller.window?.since
      caller.deny(each.denial, now)
      if (caller.window?.since !== before) hours++
    }
    caller.close(now + HOUR)
    return Object.assign(caller, { hours })
  }

  it('are all in the log, once each: entries and counts add up to exactly what was tried', () => {
    fc.assert(
      fc.property(attempts, (all) => {
        const { drafts } = run(all)
        expect(drafts.reduce((sum, { times = 1 }) => sum + times, 0)).to.equal(all.length)
      })
    )
  })

  it('are at most 41 entries an hour, however many and however different they are', () => {
    fc.assert(
      fc.property(attempts, (all) => {
        const { drafts, hours } = run(all)
        expect(drafts.length).to.be.at.most(41 * hours)
      })
    )
    const caller = new Caller()
    for (let i = 0; i < 10_000; i++) {
      const about = { agent: ALICE, contact: `al1c${i % 97}` as AgentId, capabilities: ['disclose.notes'] }
      caller.deny({ who: { kind: 'agent', id: ALICE }, what: 'disclosure.denied', about }, i)
    }
    expect(JSON.stringify(caller.window).length).to.be.below(8_000)
    caller.close(HOUR)
    expect(caller.drafts).to.have.length(41)
  })

  it('of each kind are told first by an entry of their own, and then by a number', () => {
    fc.assert(
      fc.property(attempts, (all) => {
        const seen = new Set<string>()
        for (const { what, about } of run(all).drafts) {
          const kind = `${String(about.contact)} ${String(about.capabilities)}`
          if (what !== 'denials.counted') seen.add(kind)
          else if (about.contact !== undefined) expect(seen.has(kind)).to.equal(true)
        }
      })
    )
  })
})
