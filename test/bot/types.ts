/** A task type with a field of every kind in three rooms: denied to everybody, asked for, and open. */
import type { Action, Definition, Field, SimpleField } from '../../src/types/field.js'

const KINDS: ReadonlyArray<readonly [string, Omit<SimpleField, 'name' | 'label' | 'capability'>]> = [
  ['Text', { kind: 'text', maxLength: 400 }],
  ['List', { kind: 'list', maxItems: 6, maxLength: 200 }],
  ['Integer', { kind: 'integer', minimum: 0, maximum: 1_000_000_000 }],
  ['Number', { kind: 'number', minimum: 0, maximum: 10_000 }],
  ['Amount', { kind: 'amount', scale: 6, unit: 'EUR' }],
  ['Date', { kind: 'date' }],
  ['Time', { kind: 'time' }],
  ['Zone', { kind: 'timezone' }],
  ['Flag', { kind: 'boolean' }],
  ['Choice', { kind: 'choice', options: ['first', 'second', 'third'] }],
  ['Address', { kind: 'address' }]
] as unknown as ReadonlyArray<readonly [string, Omit<SimpleField, 'name' | 'label' | 'capability'>]>

function fieldsOf(room: string, capability?: string): Field[] {
  const more = capability === undefined ? {} : { capability }
  const simple = KINDS.map(([kind, bounds]) => ({
    ...bounds,
    name: `${room}${kind}`,
    label: `${room} ${kind}`,
    ...more
  }))
  const inner: SimpleField[] = [
    { kind: 'text', name: 'inner', label: 'Inner', maxLength: 200 },
    { kind: 'integer', name: 'count', label: 'Count', minimum: 0, maximum: 1_000_000_000 }
  ]
  const group: Field = { kind: 'group', name: `${room}Group`, label: `${room} Group`, fields: inner, ...more }
  return [...(simple as Field[]), group]
}

const DEED: Action = {
  name: 'x.every.kind.do',
  label: 'Do it',
  params: [
    { kind: 'text', name: 'openText', label: 'What', maxLength: 400 },
    { kind: 'text', name: 'secret', label: 'A secret', maxLength: 200 },
    { kind: 'integer', name: 'count', label: 'How many', minimum: 0, maximum: 1_000_000_000 }
  ]
}

export const EVERY_KIND: Definition = {
  format: 'ttd1',
  name: 'every.kind',
  version: 1,
  title: 'Every kind of field',
  fields: [...fieldsOf('secret', 'disclose.x.secret'), ...fieldsOf('asked', 'disclose.x.asked'), ...fieldsOf('open')],
  actions: [DEED]
}
