import { expect } from 'chai'
import { createBudget, DEFAULT_BUDGET } from '../../src/net/budget.js'

function clock(): { now: () => number; pass: (ms: number) => void } {
  let at = 0
  return { now: () => at, pass: (ms) => (at += ms) }
}

describe('the budget', () => {
  const contact = (key: string): { kind: 'contact'; key: string } => ({ kind: 'contact', key })
  const stranger = { kind: 'stranger', key: '192.0.2.1' } as const

  it('does not hold back a contact that sends ten thousand messages of 1 KiB per second', () => {
    const time = clock()
    const budget = createBudget(DEFAULT_BUDGET, time.now)
    for (let ms = 0; ms < 3000; ms++) {
      time.pass(1)
      for (let i = 0; i < 10; i++) expect(budget.spend(contact('a'), 1024)).to.equal('ok')
    }
  })

  it('lets a stranger bring a contact request and a few tries, not a flood', () => {
    const budget = createBudget(DEFAULT_BUDGET, clock().now)
    expect([budget.open(stranger), budget.spend(stranger, 8192), budget.spend(stranger, 65_536)]).to.deep.equal([
      'ok',
      'ok',
      'ok'
    ])
    const flood = Array.from({ length: 1000 }, () => budget.spend(stranger, 1024))
    expect(flood.filter((spent) => spent === 'ok').length).to.be.below(250)
  })

  it('charges the fixed part too: small frames are not free', () => {
    const budget = createBudget(DEFAULT_BUDGET, clock().now)
    const flood = Array.from({ length: 1000 }, () => budget.spend(stranger, 1))
    expect(flood.filter((spent) => spent === 'ok').length).to.be.below(520)
  })

  it('leaves more than half of the whole to others when one contact floods', () => {
    const time = clock()
    const budget = createBudget(DEFAULT_BUDGET, time.now)
    for (let ms = 0; ms < 5000; ms++) {
      time.pass(1)
      const held = budget.spend(contact('flooder'), 100_000)
      if (held !== 'ok') time.pass(held.waitMs)
      expect(budget.spend(contact('quiet'), 1024)).to.equal('ok')
    }
  })

  it('does not let strangers who are cut anyway use up what the others share', () => {
    const budget = createBudget(DEFAULT_BUDGET, clock().now)
    for (let i = 0; i < 10_000; i++) budget.spend(stranger, 262_144)
    expect(budget.spend(contact('a'), 1024)).to.equal('ok')
  })
})
