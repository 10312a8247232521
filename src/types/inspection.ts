/**
 * What a definition asks for, laid out for the owner who decides on it: each field with its capability, and what can carry
 * any text without one. Labels and descriptions are text of whoever wrote the definition. Source: protocols/types.md,
 * "What an owner sees before installing".
 */
import { canonicalBytes } from '../base/canonical.js'
import type { Json } from '../base/json.js'
import { isCustomDisclosure } from './names.js'
import { type Definition, type Field, uncoveredText, worstCaseBytes } from './definition.js'

/** One field, sub-field or parameter. */
interface InspectedField {
  /** `venue.name` for a sub-field. */
  readonly path: string
  readonly kind: string
  /** In words, e.g. `1 to 200 characters`; empty for kinds without bounds. Options are the author's words, as JSON text. */
  readonly bounds: string
  readonly required: boolean
  /** What disclosing it needs; absent = nothing. A sub-field stands under its group. */
  readonly capability?: string
  readonly label: string
  readonly description?: string
}

interface InspectedAction {
  readonly name: string
  readonly label: string
  readonly params: readonly InspectedField[]
}

export interface Inspection {
  readonly title: string
  readonly description?: string
  readonly fields: readonly InspectedField[]
  readonly actions: readonly InspectedAction[]
  /** Paths of fields that take any text and need no capability. */
  readonly uncoveredText: readonly string[]
  /** Disclosures that the definition made up, sorted: each starts on ask and is granted by name only. */
  readonly customCapabilities: readonly string[]
  /** Size of the definition, and of its largest proposal, in bytes. */
  readonly bytes: number
  readonly worstProposalBytes: number
}

export function inspect(definition: Definition): Inspection {
  const { title, description, fields, actions = [] } = definition
  const capabilities = fields.flatMap((field) => field.capability ?? [])
  return {
    title,
    ...(description === undefined ? {} : { description }),
    fields: fields.flatMap((field) => rowsOf(field, field.capability, '')),
    actions: actions.map(({ name, label, params }) => ({
      name,
      label,
      params: params.flatMap((param) => rowsOf(param, undefined, ''))
    })),
    uncoveredText: uncoveredText(definition),
    customCapabilities: [...new Set(capabilities.filter(isCustomDisclosure))].sort(),
    bytes: canonicalBytes(definition as unknown as Json).length,
    worstProposalBytes: worstCaseBytes(definition)
  }
}

function rowsOf(field: Field, capability: string | undefined, above: string): InspectedField[] {
  const path = above === '' ? field.name : `${above}.${field.name}`
  const row: InspectedField = {
    path,
    kind: field.kind,
    bounds: boundsOf(field),
    required: field.required === true,
    ...(capability === undefined ? {} : { capability }),
    label: field.label,
    ...(field.description === undefined ? {} : { description: field.description })
  }
  return field.kind === 'group' ? [row, ...field.fields.flatMap((sub) => rowsOf(sub, capability, path))] : [row]
}

function boundsOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `${field.minLength ?? 0} to ${field.maxLength} characters`
    case 'list':
      return `${field.minItems ?? 0} to ${field.maxItems} texts of ${field.minLength ?? 0} to ${field.maxLength} characters`
    case 'choice':
      return `one of: ${field.options.map((option) => JSON.stringify(option)).join(', ')}`
    case 'integer':
      return range(field)
    case 'number':
      return `${range(field)}${field.decimals === undefined ? '' : `, ${field.decimals} decimals`}`
    case 'amount':
      return `${range(field)} ${field.unit}, ${field.scale} decimals`.trim()
    case 'boolean':
    case 'date':
    case 'time':
    case 'timezone':
    case 'address':
    case 'group':
      return ''
  }
}

interface Bounds {
  readonly minimum?: number | string
  readonly exclusiveMinimum?: number | string
  readonly maximum?: number | string
  readonly exclusiveMaximum?: number | string
}

function range({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Bounds): string {
  const low =
    minimum === undefined ? (exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`) : `from ${minimum}`
  const high =
    maximum === undefined ? (exclusiveMaximum === undefined ? '' : `below ${exclusiveMaximum}`) : `at most ${maximum}`
  return [low, high].filter((part) => part !== '').join(', ')
}
