import type { TypeHash } from '../base/ids.js'

/** The plain values of the format ttd1. Source: protocols/types.md, "Fields". Definitions are frozen when parsed. */

interface FieldHead {
  /** `^[a-z][a-zA-Z0-9]{0,39}$`, none of the reserved names. */
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly required?: boolean
  /** A `disclose.…` capability; on top-level fields only. Absent = none needed. */
  readonly capability?: string
}

/** Lengths are in Unicode code points. */
export interface TextField extends FieldHead {
  readonly kind: 'text'
  readonly maxLength: number
  readonly minLength?: number
}

export interface IntegerField extends FieldHead {
  readonly kind: 'integer'
  readonly minimum?: number
  readonly maximum?: number
}

/** At most one lower and one upper bound; `decimals` is 0 to 6, and 6 where absent. */
export interface NumberField extends FieldHead {
  readonly kind: 'number'
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly decimals?: number
}

/** Kinds without bounds: `true`/`false`, YYYY-MM-DD, HH:MM, a name of the closed list, a Solana address. */
interface PlainField extends FieldHead {
  readonly kind: 'boolean' | 'date' | 'time' | 'timezone' | 'address'
}

interface ChoiceField extends FieldHead {
  readonly kind: 'choice'
  readonly options: readonly string[]
}

/** A list of texts. `maxLength` and `minLength` bound each item. */
export interface ListField extends FieldHead {
  readonly kind: 'list'
  readonly maxItems: number
  readonly minItems?: number
  readonly maxLength: number
  readonly minLength?: number
}

/** A decimal string, e.g. `"0.25"`, with at most `scale` digits after the point. Bounds are such strings too. */
export interface AmountField extends FieldHead {
  readonly kind: 'amount'
  readonly scale: number
  readonly unit: string
  readonly minimum?: string
  readonly exclusiveMinimum?: string
  readonly maximum?: string
  readonly exclusiveMaximum?: string
}

/** Everything but a group: what may stand inside a group. */
export type SimpleField = TextField | IntegerField | NumberField | PlainField | ChoiceField | ListField | AmountField

/** Named sub-fields, one level. */
interface GroupField extends FieldHead {
  readonly kind: 'group'
  readonly fields: readonly SimpleField[]
}

export type Field = SimpleField | GroupField
export type FieldKind = Field['kind']

/** A record-only action. `name` is `x.<type name>.<slug>`; parameters are simple fields. */
export interface Action {
  readonly name: string
  readonly label: string
  readonly params: readonly SimpleField[]
}

export interface Definition {
  readonly format: 'ttd1'
  readonly name: string
  readonly version: number
  readonly title: string
  readonly description?: string
  readonly fields: readonly Field[]
  readonly actions?: readonly Action[]
}

/** A definition with the hash of its canonical bytes. */
export interface HashedDefinition {
  readonly definition: Definition
  readonly hash: TypeHash
}
