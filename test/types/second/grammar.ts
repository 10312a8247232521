/**
 * The format ttd1 as a table, written from protocols/types.md alone: what `reader.ts` interprets. Each row is a member and
 * its rule; `?` after a name marks what may be absent. It shares nothing with `src/types`, so where both agree, the page is
 * clear.
 */

/** `rule arguments…`; the rules are in `rules.ts`. */
export type Rows = Readonly<Record<string, string>>

export const DEFINITION: Rows = {
  format: 'exactly ttd1',
  name: 'typeName',
  version: 'integer 1 999999',
  title: 'label 80',
  'description?': 'label 500',
  fields: 'fields plan',
  'actions?': 'actions'
}

export const ACTION: Rows = { name: 'string', label: 'label 80', params: 'fields simple' }

export const FIELD_HEAD: Rows = {
  name: 'fieldName',
  kind: 'string',
  label: 'label 80',
  'description?': 'label 500',
  'required?': 'boolean'
}

const LENGTH: Rows = { maxLength: 'integer 1 10000', 'minLength?': 'integer 0 10000' }
const SAFE = 'integer -9007199254740991 9007199254740991'
const four = (rule: string): Rows => ({
  'minimum?': rule,
  'exclusiveMinimum?': rule,
  'maximum?': rule,
  'exclusiveMaximum?': rule
})

export const BOUNDS: Readonly<Record<string, Rows>> = {
  text: LENGTH,
  integer: { 'minimum?': SAFE, 'maximum?': SAFE },
  number: { ...four('number 6'), 'decimals?': 'integer 0 6' },
  boolean: {},
  date: {},
  time: {},
  timezone: {},
  choice: { options: 'options' },
  list: { ...LENGTH, maxItems: 'integer 1 100', 'minItems?': 'integer 0 100' },
  amount: { ...four('amount 18'), scale: 'integer 0 18', unit: 'unit' },
  address: {},
  group: { fields: 'fields simple' }
}

export const LIMIT = { bytes: 32768, levels: 6, fields: 64, actions: 3, options: 64, together: 61440 } as const

export const RESERVED = {
  segments: 'x action agentlink calendar delegate disclose pay reservation'.split(' '),
  fields:
    'constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf toJSON then'.split(
      ' '
    ),
  disclosures: 'availability preferences dietary budget notes job'.split(' ')
} as const

/** Pairs of scripts, besides Common and Latin, that one label may use together. */
export const COMPANIONS = ['Han Hiragana Katakana', 'Han Hangul', 'Han Bopomofo'].map((names) => names.split(' '))
export const LOOKALIKES = ['Cyrillic', 'Greek', 'Armenian']
