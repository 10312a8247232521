import { expect } from 'chai'
import type { TypeHash } from '../../src/base/ids.js'
import { type InstalledType, resolveType } from '../../src/types/catalog.js'
import { parseDefinition } from '../../src/types/definition.js'

const field = { name: 'a', kind: 'boolean', label: 'A' }
const parsed = parseDefinition({ format: 'ttd1', name: 'a.b', version: 1, title: 'A', fields: [field] })
if (!parsed.ok) throw new Error(parsed.refusal.message)
const definition = parsed.value

function installed(name: string, version: number, digit: string, retired?: 'retired'): InstalledType {
  const hash = digit.repeat(64) as TypeHash
  return { name, version, hash, definition, builtin: false, retired: retired !== undefined }
}

const dinner = installed('dinner.coordination', 1, 'a')
const quote1 = installed('quote.request', 1, 'b')
const quote2 = installed('quote.request', 2, 'c')
const otherQuote2 = installed('quote.request', 2, 'd')
const old = installed('job.request', 1, 'e', 'retired')
const catalog = [dinner, otherQuote2, quote1, quote2, old]

function meaning(ref: string): string | undefined {
  const resolved = resolveType(catalog, ref)
  return resolved.ok ? resolved.value.hash : resolved.refusal.details.code
}

describe('a reference to a task type', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['a bare name that one type has', 'dinner.coordination', dinner.hash],
    ['a name and version that one type has', 'quote.request@1', quote1.hash],
    ['a hash, where the name is ambiguous', otherQuote2.hash, otherQuote2.hash],
    ['a bare name of several types', 'quote.request', 'type_ambiguous'],
    ['a name and version of two definitions', 'quote.request@2', 'type_ambiguous'],
    ['an unknown name', 'lunch.coordination', 'unknown_task_type'],
    ['an unknown version', 'dinner.coordination@2', 'unknown_task_type'],
    ['an unknown hash', 'f'.repeat(64), 'unknown_task_type'],
    ['a hash in capitals', 'A'.repeat(64), 'unknown_task_type'],
    ['a retired type by name', 'job.request', 'unknown_task_type'],
    ['a retired type by hash', old.hash, 'unknown_task_type'],
    ['a version with a zero in front', 'dinner.coordination@01', 'unknown_task_type'],
    ['a name in another case', 'Dinner.coordination', 'unknown_task_type'],
    ['nothing', '', 'unknown_task_type']
  ]
  for (const [what, ref, wanted] of cases) {
    it(`means ${wanted?.length === 64 ? 'that type' : wanted} for ${what}`, () => {
      expect(meaning(ref)).to.equal(wanted)
    })
  }

  it('lists the hashes to choose from when it is ambiguous', () => {
    const resolved = resolveType(catalog, 'quote.request@2')
    expect(resolved.ok ? [] : resolved.refusal).to.include({ code: 'conflict' })
    expect(resolved.ok ? [] : resolved.refusal.details.hashes).to.deep.equal([quote2.hash, otherQuote2.hash])
    for (const { hash } of [quote2, otherQuote2]) {
      expect(resolved.ok ? '' : resolved.refusal.message).to.include(`quote.request@2 ${hash}`)
    }
  })

  it('is no longer ambiguous once all but one are retired', () => {
    const left = catalog.map((type) => (type.hash === quote2.hash ? { ...type, retired: true } : type))
    const resolved = resolveType(left, 'quote.request@2')
    expect(resolved.ok && resolved.value.hash).to.equal(otherQuote2.hash)
  })
})
