import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { canonicalBytes } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import {
  type Definition,
  type Field,
  type SimpleField,
  parseDefinition,
  worstCaseBytes
} from '../../src/types/definition.js'
import { capabilitiesIn, checkParams, checkProposal } from '../../src/types/proposal.js'
import { TIMEZONES } from '../../src/types/timezones.js'
import { validDefinition } from './definitions.js'

const { types } = JSON.parse(readFileSync('protocols/vectors/proposals.json', 'utf8')) as { types: { every: Json } }
const everyKind = definitionOf(types.every)

function definitionOf(value: Json): Definition {
  const parsed = parseDefinition(value)
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  return parsed.value
}

/** Texts whose canonical form is as long as it gets. */
function textOf(maxLength: number, minLength = 0): fc.Arbitrary<string> {
  const unit = fc.constantFrom('a', '"', '\\', '\n', 'é', '価', '\u2028', '\u{1f35d}', '\u{10fffd}')
  return fc.array(unit, { minLength, maxLength, size: 'max' }).map((units) => units.join(''))
}

function simpleValue(field: SimpleField): fc.Arbitrary<Json> {
  switch (field.kind) {
    case 'text':
      return textOf(field.maxLength, field.minLength)
    case 'list':
      return fc.array(textOf(field.maxLength, field.minLength), {
        minLength: field.minItems ?? 0,
        maxLength: field.maxItems
      })
    case 'integer':
      return fc.maxSafeInteger().filter((n) => n >= (field.minimum ?? n) && n <= (field.maximum ?? n) && n !== 0)
    case 'number':
      return fc.constant(field.maximum ?? (field.exclusiveMinimum ?? field.minimum ?? 0) + 1)
    case 'amount':
      return fc.constant(field.maximum ?? field.minimum ?? '0.75')
    case 'boolean':
      return fc.boolean()
    case 'choice':
      return fc.constantFrom(...field.options)
    case 'date':
      return fc.constantFrom('0001-01-01', '9999-12-31')
    case 'time':
      return fc.constantFrom('00:00', '23:59')
    case 'timezone':
      return fc.constantFrom(...TIMEZONES)
    case 'address':
      return fc.constantFrom('1'.repeat(32), 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  }
}

function planOf(fields: readonly Field[]): fc.Arbitrary<JsonObject> {
  const members = fields.map((field) => [field.name, valueOf(field)] as const)
  return fc.record(Object.fromEntries(members), {
    requiredKeys: fields.filter((field) => field.required).map((field) => field.name)
  })
}

function valueOf(field: Field): fc.Arbitrary<Json> {
  return field.kind === 'group' ? planOf(field.fields) : simpleValue(field)
}

/** Integers of a narrow range are drawn from that range. */
const smallKinds = everyKind.fields.filter((field) => field.name !== 'count' && field.name !== 'shift')
const everyPlan = planOf(smallKinds)

describe('a proposal', () => {
  it('is accepted when every field is within its bounds, and comes back as it was', () => {
    fc.assert(
      fc.property(everyPlan, (plan) => {
        const checked = checkProposal(everyKind, plan)
        expect(checked.ok ? checked.value : checked.refusal).to.equal(plan)
      })
    )
  })

  it('never takes more bytes than the worst case of its type', () => {
    fc.assert(fc.property(everyPlan, (plan) => canonicalBytes(plan).length <= worstCaseBytes(everyKind)))
  })

  it('discloses exactly the fields that it holds, under the capabilities of its type', () => {
    fc.assert(
      fc.property(everyPlan, (plan) => {
        const disclosed = [...capabilitiesIn(everyKind, plan)].flatMap(([capability, names]) =>
          names.map((name) => `${capability} ${name}`)
        )
        const held = everyKind.fields.filter((field) => field.capability !== undefined && field.name in plan)
        expect(disclosed.sort()).to.deep.equal(held.map((field) => `${field.capability} ${field.name}`).sort())
      })
    )
  })

  it('is refused with one more field, whatever it is called', () => {
    fc.assert(
      fc.property(everyPlan, fc.string({ unit: 'binary' }), (plan, name) => {
        fc.pre(everyKind.fields.every((field) => field.name !== name))
        const more = Object.assign(Object.create(null), plan) as Record<string, Json>
        more[name] = 1
        const checked = checkProposal(everyKind, more)
        expect(checked.ok ? '' : checked.refusal.details.code).to.equal('undeclared_field')
        expect(checked.ok ? '' : (checked.refusal.details.field ?? '').length).to.be.below(60)
      })
    )
  })

  it('never throws, whatever stands in it, and says one of three codes', () => {
    const anything = fc.jsonValue() as fc.Arbitrary<Json>
    const cases = fc.tuple(
      validDefinition,
      anything,
      fc.dictionary(fc.constantFrom('date', 'price', 'place', 'notes'), anything)
    )
    fc.assert(
      fc.property(cases, ([definition, value, plan]) => {
        const type = definitionOf(definition)
        for (const proposal of [value, plan as JsonObject]) {
          const checked = checkProposal(type, proposal)
          if (checked.ok) continue
          expect(['undeclared_field', 'missing_field', 'invalid_field']).to.include(checked.refusal.details.code)
          expect(checked.refusal.details.field).to.match(/^proposal/)
        }
      }),
      { numRuns: 1000 }
    )
  })

  it('has the params of an action checked by the same rules', () => {
    const action = {
      name: 'x.quote.request.send',
      label: 'Send',
      params: [{ name: 'sum', kind: 'boolean', label: 'Sum' }]
    }
    const type = definitionOf({ ...(types.every as JsonObject), actions: [action] })
    const [send] = type.actions ?? []
    if (!send) throw new Error('the type has an action')
    expect(checkParams(send, { sum: true }).ok).to.equal(true)
    const refused = checkParams(send, { sum: 1 })
    expect(refused.ok ? '' : refused.refusal.details.field).to.equal('params.sum')
  })
})
