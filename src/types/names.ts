/** The names that types, actions, fields and disclosures may bear: ASCII, matched exactly. Source: protocols/types.md, "Names". */
import { TTD1 } from './limits.js'

const TYPE_NAME = /^[a-z][a-z0-9-]{0,29}(\.[a-z][a-z0-9-]{0,29}){1,3}$/
const SLUG = /^[a-z][a-z0-9-]{0,39}$/
const FIELD_NAME = /^[a-z][a-zA-Z0-9]{0,39}$/

/** First segments that would let a type dress up as something of the node's own. */
const RESERVED_SEGMENTS = new Set([
  'x',
  'action',
  'agentlink',
  'calendar',
  'delegate',
  'disclose',
  'pay',
  'reservation'
])

/** Names that every JavaScript object inherits, and two that change what serialising or awaiting it does. */
const RESERVED_FIELDS = new Set([
  'constructor',
  'prototype',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
  'toJSON',
  'then'
])

/** The disclosure capabilities that every node knows. */
export const DISCLOSURES = [
  'disclose.availability',
  'disclose.preferences',
  'disclose.dietary',
  'disclose.budget',
  'disclose.notes',
  'disclose.job'
] as const

const CUSTOM = 'disclose.x.'

/** Whether this is a type name: two to four dotted segments, 60 characters at most, first segment not reserved. */
export function isTypeName(text: string): boolean {
  if (text.length > TTD1.nameLength || !TYPE_NAME.test(text)) return false
  return !RESERVED_SEGMENTS.has(text.slice(0, text.indexOf('.')))
}

/** Whether this names an action of that type: `x.<type name>.<slug>`. */
export function isActionNameOf(typeName: string, text: string): boolean {
  const prefix = `x.${typeName}.`
  return text.startsWith(prefix) && SLUG.test(text.slice(prefix.length))
}

/** Whether this could be an action of some custom type. */
export function isCustomActionName(text: string): boolean {
  const cut = text.lastIndexOf('.')
  if (!text.startsWith('x.') || cut < 2) return false
  const typeName = text.slice(2, cut)
  return isTypeName(typeName) && isActionNameOf(typeName, text)
}

/** Whether a field may be called so. */
export function isFieldName(text: string): boolean {
  return FIELD_NAME.test(text) && !RESERVED_FIELDS.has(text)
}

/** Whether this is the custom disclosure `disclose.x.<slug>`. */
export function isCustomDisclosure(text: string): boolean {
  return text.startsWith(CUSTOM) && SLUG.test(text.slice(CUSTOM.length))
}

/** Whether a field may ask for this capability: a known disclosure or a custom one, never the wildcard. */
export function isDisclosure(text: string): boolean {
  return (DISCLOSURES as readonly string[]).includes(text) || isCustomDisclosure(text)
}
