import { expect } from 'chai'
import fc from 'fast-check'
import { bind, stillGranted } from '../../src/policy/bind.js'
import { parseLedger } from '../../src/policy/ledger.js'
import { CONTRACT } from '../tasks/envelope/lines.js'

const tool = fc.constantFrom<string>('shell', 'git', 'http', 'fs:read', 'fs:write', 'Shell')
const tools = fc.array(tool, { maxLength: 6 })

describe('binding a contract to a ledger', () => {
  it('grants what was asked for and is in the ledger, and never more than either', () => {
    fc.assert(
      fc.property(tools, tools, (asked, ledger) => {
        const { toolsGranted } = bind({ ...CONTRACT, toolsAllowed: asked }, ledger)
        for (const one of toolsGranted) expect(asked.includes(one) && ledger.includes(one)).to.equal(true)
        for (const one of asked) expect(toolsGranted.includes(one)).to.equal(ledger.includes(one))
        expect([...toolsGranted]).to.deep.equal([...new Set(toolsGranted)].sort())
      })
    )
  })

  it('acquires nothing for an empty or a missing request', () => {
    expect(bind(CONTRACT, ['shell']).toolsGranted).to.deep.equal([])
    expect(bind({ ...CONTRACT, toolsAllowed: [] }, ['shell']).toolsGranted).to.deep.equal([])
  })

  it('answers a frozen copy without the request, and leaves the contract as it came', () => {
    const contract = { ...CONTRACT, toolsAllowed: ['shell'] }
    const before = structuredClone(contract)
    const bound = bind(contract, ['shell'])
    expect(bound).not.to.have.property('toolsAllowed')
    expect(contract).to.deep.equal(before)
    for (const value of [bound, bound.toolsGranted, bound.acceptanceCheck, bound.filesAndInterfaces]) {
      expect(Object.isFrozen(value)).to.equal(true)
    }
    expect(Object.isFrozen(contract.filesAndInterfaces)).to.equal(false)
    expect(() => (bound.toolsGranted as string[]).push('git')).to.throw(TypeError)
  })

  it('loses what any later ledger lacks, and gets nothing back', () => {
    fc.assert(
      fc.property(tools, tools, fc.array(tools, { maxLength: 4 }), (asked, ledger, days) => {
        const bound = bind({ ...CONTRACT, toolsAllowed: asked }, ledger).toolsGranted
        const left = days.reduce(stillGranted, bound)
        expect(left).to.deep.equal(bound.filter((one) => days.every((day) => day.includes(one))))
      })
    )
  })
})

describe('a ledger', () => {
  it('holds each tool once, in order', () => {
    expect(parseLedger(['git', 'shell', 'git'])).to.deep.equal({ ok: true, value: ['git', 'shell'] })
  })

  for (const [name, bad, field] of [
    ['a wild card', ['git', '*'], 'tools[1]'],
    ['an empty name', [''], 'tools[0]'],
    ['a name with a space', ['rm -rf'], 'tools[0]'],
    ['a name too long', ['x'.repeat(129)], 'tools[0]'],
    ['more tools than any agent has', Array.from({ length: 501 }, (_, at) => `t${at}`), 'tools']
  ] as const) {
    it(`refuses ${name}`, () => {
      const read = parseLedger(bad)
      expect(!read.ok && read.refusal.details).to.include({ code: 'invalid_field', field })
    })
  }
})
