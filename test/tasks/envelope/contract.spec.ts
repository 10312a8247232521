import { expect } from 'chai'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/base/json.js'
import { DETAIL_CODES } from '../../../src/base/refusal.js'
import { faultsAmongTasks, leadsTo } from '../../../src/tasks/envelope/dependencies.js'
import { faultsOf, parseContract } from '../../../src/tasks/envelope/contract.js'
import { type NormalPath, anyOverlap, normalPath, overlap, ownedBy } from '../../../src/tasks/envelope/ownership.js'
import { KINDS } from '../../../src/wire/kinds.js'
import { CONTRACT } from './lines.js'

const MEMBERS = Object.keys(CONTRACT)
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>('', ' ', 'x'.repeat(8001), ['a', 'a'], ['*'], [null], { passFailCommand: 1 })
)

describe('a contract', () => {
  it('with any junk in any members is told its faults by known codes, or can be read by every node', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...MEMBERS, 'dependsOn', 'toolsAllowed', 'other'), junk, { maxKeys: 5 }),
        fc.boolean(),
        (over, bare) => {
          const contract = (bare ? over : { ...CONTRACT, ...over }) as JsonObject
          const faults = faultsOf(contract, 'parser')
          for (const fault of faults) expect(DETAIL_CODES).to.include(fault.code)
          const body = { taskId: 'parser', contract, expiresAt: '2026-11-14T00:00:00.000Z' }
          if (faults.length === 0) expect(KINDS['envelope.submit'].body.fault(body)).to.equal(undefined)
        }
      ),
      { numRuns: 1000 }
    )
  })

  it('that is no object lacks everything', () => {
    for (const value of [undefined, null, 7, 'text', []] as (Json | undefined)[]) {
      const read = parseContract(value, 'parser')
      expect(!read.ok && read.refusal.details['errors']).to.have.length(8)
    }
  })

  it('names each member that is taken away, alone and together', () => {
    fc.assert(
      fc.property(fc.subarray(MEMBERS), (gone) => {
        const contract = Object.fromEntries(Object.entries(CONTRACT).filter(([name]) => !gone.includes(name)))
        const faults = faultsOf(contract as JsonObject, 'parser')
        expect(faults.length).to.equal(gone.length + Number(gone.includes('acceptanceCheck')))
        for (const fault of faults) expect(fault.code).to.match(/_required$/)
      })
    )
  })

  it('does not repeat a flood of strange members back', () => {
    const strange = Object.fromEntries(Array.from({ length: 500 }, (_, at) => ['x'.repeat(90) + at, 1]))
    const faults = faultsOf({ ...CONTRACT, ...strange } as unknown as JsonObject, 'parser')
    expect(faults.length).to.equal(10)
    for (const fault of faults) expect(fault.field.length).to.be.at.most(40)
  })
})

describe('ownership', () => {
  const segment = fc.constantFrom('a', 'B', 'b', '.', '..', '', 'long-name')
  const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))
  const forms = path.map(normalPath).filter((form): form is NormalPath => typeof form !== 'string')

  it('has one normal form: it is its own', () => {
    fc.assert(fc.property(forms, (form) => void expect(normalPath(form.join('/') || '.')).to.deep.equal(form)))
  })

  it('overlaps both ways or not at all, and everything overlaps itself and the whole', () => {
    fc.assert(
      fc.property(forms, forms, (a, b) => {
        expect(overlap(a, b)).to.equal(overlap(b, a))
        expect(overlap(a, a)).to.equal(true)
        expect(overlap(a, [])).to.equal(true)
        const [x, y] = [`${a.join('/')}/`, `${b.join('/')}/`]
        const literally = a.length === 0 || b.length === 0 || x.startsWith(y) || y.startsWith(x)
        expect(overlap(a, b)).to.equal(literally)
      })
    )
  })

  it('lists each thing once, and meets lists by their parts', () => {
    expect(ownedBy(['src', './SRC/', 'lib/x'])).to.deep.equal([['src'], ['lib', 'x']])
    expect(anyOverlap(ownedBy(['docs', 'src/a.ts']), ownedBy(['src']))).to.equal(true)
    expect(anyOverlap(ownedBy(['docs']), ownedBy(['src']))).to.equal(false)
    expect(() => ownedBy(['*'])).to.throw('has a normal form')
  })
})

describe('dependencies', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', []],
    ['x', ['y']],
    ['y', ['x', 'new']]
  ])
  const known = (id: string): readonly string[] | undefined => graph.get(id)

  it('name what is unknown and what closes a circle, each at its place', () => {
    expect(faultsAmongTasks('new', ['a', 'nowhere', 'x'], known)).to.deep.equal([
      { at: 1, code: 'unknown_dependency' },
      { at: 2, code: 'dependency_cycle' }
    ])
    expect(faultsAmongTasks('c', ['a'], known)).to.deep.equal([{ at: 0, code: 'dependency_cycle' }])
    expect(faultsAmongTasks('fresh', ['a', 'b', 'c'], known)).to.deep.equal([])
  })

  it('find every way round in any graph, and always end', () => {
    const ids = ['0', '1', '2', '3', '4']
    const edges = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 12 })
    fc.assert(
      fc.property(edges, (list) => {
        const next = (id: string): string[] => list.filter(([from]) => from === id).map(([, to]) => to)
        // Reachable in at most as many steps as there are ids: matrix powers, read literally.
        let reach = next('0')
        for (let at = 0; at < ids.length; at++) reach = [...new Set([...reach, ...reach.flatMap(next)])]
        for (const id of ids) expect(leadsTo('0', id, next)).to.equal(reach.includes(id))
      })
    )
  })
})
