/**
 * The strict JSON reader: everything that comes from outside goes through it. One pass over the text reads the value and
 * checks size, depth, duplicates, numbers, strings and whether the text is in canonical form (RFC 8785), so that nothing
 * is ever built from input that breaks a rule, and nothing is re-encoded to compare. Source: protocols/wire.md, "Strict JSON".
 */
import { fromUtf8 } from './bytes.js'
import { sortNames } from './canonical.js'
import { JsonScan, isDigit } from './json-scan.js'
import { Bare, type Json, type JsonObject, isPlain } from './json.js'
import { badRequest, refusal } from './refusal.js'
import { type Result, fail, ok } from './result.js'

/** Bounds of one read. `maxDepth` counts containers: `[]` has depth 1, `[[]]` has depth 2. */
export interface JsonLimits {
  readonly maxBytes: number
  readonly maxDepth: number
}

/**
 * Reads strict JSON (RFC 8259 and the profile of protocols/wire.md). Objects of the result inherit nothing.
 * Refuses with `too_large`, `malformed_json`, `duplicate_key`, `too_deep`.
 */
export function readJson(bytes: Uint8Array, limits: JsonLimits): Result<Json> {
  const read = readAll(bytes, limits)
  return read.ok ? ok(read.value.value) : read
}

/** Like `readJson`, and the bytes must be the canonical bytes of the value: else `not_canonical`. */
export function readCanonicalJson(bytes: Uint8Array, limits: JsonLimits): Result<Json> {
  const read = readAll(bytes, limits)
  if (!read.ok) return read
  return read.value.canonical
    ? ok(read.value.value)
    : fail(badRequest('not_canonical', 'not in canonical form (RFC 8785)'))
}

/**
 * What `readCanonicalJson` reads in the canonical bytes of a value, of whatever size; undefined where it refuses. Quicker
 * than to read them, for what we write ourselves. What has no canonical form is undefined as well, or still has none:
 * `canonicalText` throws for it.
 */
export function asRead(value: Json, maxDepth: number): Json | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? exactInteger(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (maxDepth === 0) return undefined
  return Array.isArray(value) ? itemsAsRead(value, maxDepth - 1) : membersAsRead(value as JsonObject, maxDepth - 1)
}

/** Undefined for what other readers might round. */
function exactInteger(value: number): number | undefined {
  // The zero below zero is written as 0.
  return Number.isSafeInteger(value) ? value + 0 : undefined
}

function itemsAsRead(items: readonly Json[], maxDepth: number): Json | undefined {
  const read: Json[] = []
  for (const item of items) {
    const one = asRead(item, maxDepth)
    if (one === undefined) return undefined
    read.push(one)
  }
  return read
}

function membersAsRead(object: JsonObject, maxDepth: number): Json | undefined {
  if (!isPlain(object)) return undefined
  const read = new Bare()
  for (const name of sortNames(Object.keys(object))) {
    const one = PROTOTYPE_KEYS.has(name) ? undefined : asRead(object[name] as Json, maxDepth)
    if (one === undefined) return undefined
    read[name] = one
  }
  return read
}

function readAll(bytes: Uint8Array, limits: JsonLimits): Result<{ value: Json; canonical: boolean }> {
  if (bytes.length > limits.maxBytes) {
    return fail(refusal('too_large', `${bytes.length} bytes, at most ${limits.maxBytes} are taken`))
  }
  const text = fromUtf8(bytes)
  if (text === undefined) return fail(badRequest('malformed_json', 'not valid UTF-8'))
  const reader = new Reader(text, limits.maxDepth)
  const value = reader.read()
  return value === undefined ? fail(reader.refusal()) : ok({ value, canonical: reader.canonical })
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Member names that mean something to the language itself in careless code. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

class Reader extends JsonScan {
  constructor(
    text: string,
    private readonly maxDepth: number
  ) {
    super(text)
  }

  read(): Json | undefined {
    this.skipBlanks()
    const value = this.readValue(1)
    if (value === undefined) return undefined
    this.skipBlanks()
    return this.at === this.text.length ? value : this.malformed('text after the value')
  }

  /** `depth` is the depth of a container that would begin here. */
  private readValue(depth: number): Json | undefined {
    const code = this.code()
    if (code === QUOTE) return this.readString()
    if (code === MINUS || isDigit(code)) return this.readNumber()
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) return this.readContainer(code, depth)
    if (this.takeWord('true')) return true
    if (this.takeWord('false')) return false
    if (this.takeWord('null')) return null
    return this.malformed('no value')
  }

  private takeWord(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  private readContainer(code: number, depth: number): Json | undefined {
    if (depth > this.maxDepth) {
      this.fault = badRequest('too_deep', `more than ${this.maxDepth} levels`)
      return undefined
    }
    this.at++
    this.skipBlanks()
    return code === OPEN_OBJECT ? this.readObject(depth) : this.readArray(depth)
  }

  private readArray(depth: number): Json | undefined {
    const items: Json[] = []
    if (this.takeEnd(CLOSE_ARRAY)) return items
    for (;;) {
      const item = this.readValue(depth + 1)
      if (item === undefined) return undefined
      items.push(item)
      this.skipBlanks()
      if (this.takeEnd(CLOSE_ARRAY)) return items
      if (!this.takeComma()) return undefined
    }
  }

  private takeEnd(end: number): boolean {
    if (this.code() !== end) return false
    this.at++
    return true
  }

  private takeComma(): boolean {
    if (this.code() !== COMMA) {
      this.malformed('no comma')
      return false
    }
    this.at++
    this.skipBlanks()
    return true
  }

  private readObject(depth: number): Json | undefined {
    const object = new Bare()
    if (this.takeEnd(CLOSE_OBJECT)) return object
    let last: string | undefined
    let ordered = true
    for (;;) {
      const key = this.readKey()
      if (key === undefined) return undefined
      // While the keys ascend, a key above the last one is new: only others need the look-up.
      if (last !== undefined && (!ordered || key <= last)) {
        ordered = this.canonical = false
        if (key in object) return this.duplicate(key)
      }
      last = key
      const value = this.readValue(depth + 1)
      if (value === undefined) return undefined
      object[key] = value
      this.skipBlanks()
      if (this.takeEnd(CLOSE_OBJECT)) return object
      if (!this.takeComma()) return undefined
    }
  }

  private duplicate(key: string): undefined {
    this.fault = badRequest('duplicate_key', `member ${JSON.stringify(key.slice(0, 40))} stands twice`)
    return undefined
  }

  /** Reads a member name and its colon. */
  private readKey(): string | undefined {
    if (this.code() !== QUOTE) return this.malformed('no member name')
    const key = this.readString()
    if (key === undefined) return undefined
    if (PROTOTYPE_KEYS.has(key)) return this.malformed('a forbidden member name')
    this.skipBlanks()
    if (this.code() !== COLON) return this.malformed('no colon')
    this.at++
    this.skipBlanks()
    return key
  }
}
