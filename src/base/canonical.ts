/**
 * Canonical JSON, RFC 8785: the one byte string of a JSON value, for hashes and signatures.
 * Source: protocols/wire.md, "Canonical bytes".
 */
import { toUtf8 } from './bytes.js'
import { type Json, type JsonObject, isPlain } from './json.js'
import { Memory } from './memory.js'

/** Far above what the strict reader lets in: deeper means a cycle or a bug of ours. */
const MAX_DEPTH = 128
/** Objects with more members than this are sorted by the engine, which allocates; messages hold few that are so large. */
const FEW = 16

/** Longer names are not remembered: a stranger chooses them. */
const SHORT_NAME = 64

/** Names of members as they are written, with the colon: messages are made of the same few. */
const writtenNames = new Memory<string, string>(1024)

/** UTF-8 of `canonicalText`. Throws TypeError like it. */
export function canonicalBytes(value: Json): Uint8Array {
  return toUtf8(canonicalText(value))
}

/**
 * RFC 8785 text of a JSON value. Throws TypeError for what has none: undefined (also as a member or a hole), functions,
 * class instances, numbers that are not finite, lone surrogates, cycles. Meeting one means that we are broken.
 */
export function canonicalText(value: Json): string {
  return write(value, 0)
}

function write(value: Json, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value)
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no canonical form')
      // ECMAScript's number to text is the one that RFC 8785 prescribes; it writes -0 as 0.
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : writeContainer(value, depth + 1)
    default:
      throw new TypeError(`a value of type ${typeof value} has no canonical form`)
  }
}

function writeString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  return JSON.stringify(text)
}

function writeContainer(value: readonly Json[] | JsonObject, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError('too deep for a canonical form')
  // What stands in order already is what the engine writes, in one go and without garbage.
  if (isContainerInOrder(value, depth)) return JSON.stringify(value)
  return Array.isArray(value) ? writeArray(value, depth) : writeObject(value as JsonObject, depth)
}

function writeArray(items: readonly Json[], depth: number): string {
  let text = '['
  // By index, so that a hole is met as undefined and refused.
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + write(items[i] as Json, depth)
  return text + ']'
}

function writeObject(object: JsonObject, depth: number): string {
  if (!isPlain(object)) throw new TypeError('only plain objects have a canonical form')
  let text = '{'
  for (const name of sortNames(Object.keys(object))) {
    if (text.length > 1) text += ','
    text += name.length > SHORT_NAME ? writeName(name) : writtenNames.recall(name, writeName)
    text += write(object[name] as Json, depth)
  }
  return text + '}'
}

function writeName(name: string): string {
  return writeString(name) + ':'
}

/** Sorts names of members in place, by UTF-16 code units, as RFC 8785 section 3.2.3 wants it: the order of `<` and of sort(). */
export function sortNames(names: string[]): string[] {
  if (names.length > FEW) return names.sort()
  for (let i = 1; i < names.length; i++) {
    const name = names[i] as string
    let at = i
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string
    names[at] = name
  }
  return names
}

/** Whether the value has a canonical form, and all its members stand in the order of that. */
function isInOrder(value: Json, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return Number.isFinite(value)
    case 'boolean':
      return true
    case 'object':
      return value === null || (depth < MAX_DEPTH && isContainerInOrder(value, depth + 1))
    default:
      return false
  }
}

function isContainerInOrder(value: readonly Json[] | JsonObject, depth: number): boolean {
  if (!Array.isArray(value)) return isPlain(value) && areMembersInOrder(value as JsonObject, depth)
  for (let i = 0; i < value.length; i++) if (!isInOrder(value[i] as Json, depth)) return false
  return true
}

function areMembersInOrder(object: JsonObject, depth: number): boolean {
  let before = ''
  // A plain object inherits no name, and a list of its own would have to be made.
  for (const name in object) {
    if (name < before || !name.isWellFormed() || !isInOrder(object[name] as Json, depth)) return false
    before = name
  }
  return true
}
