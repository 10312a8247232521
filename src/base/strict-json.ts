/**
 * The strict JSON reader: everything that comes from outside goes through it. One pass over the text reads the value and
 * checks size, depth, duplicates, numbers, strings and whether the text is in canonical form (RFC 8785), so that nothing
 * is ever built from input that breaks a rule, and nothing is re-encoded to compare. Source: protocols/wire.md, "Strict JSON".
 */
import { fromUtf8 } from './bytes.js'
import type { Json } from './json.js'
import { type Refusal, badRequest, refusal } from './refusal.js'
import { type Result, fail, ok } from './result.js'

/** Bounds of one read. `maxDepth` counts containers: `[]` has depth 1, `[[]]` has depth 2. */
export interface JsonLimits {
  readonly maxBytes: number
  readonly maxDepth: number
}

/**
 * Reads strict JSON (RFC 8259 and the profile of protocols/wire.md). Objects of the result have no prototype.
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
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const LETTER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A run of at most this many digits is an exact integer below 2^53. */
const EXACT_DIGITS = 15
const FOUR_HEX = /^[0-9a-fA-F]{4}$/
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t']
])
const HAS_SHORT_ESCAPE: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])
/** Member names that mean something to the language itself in careless code. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Every reading step answers undefined after it has set the fault: undefined is no JSON value. */
class Reader {
  canonical = true
  private at = 0
  private fault: Refusal | undefined

  constructor(
    private readonly text: string,
    private readonly maxDepth: number
  ) {}

  read(): Json | undefined {
    this.skipBlanks()
    const value = this.readValue(1)
    if (value === undefined) return undefined
    this.skipBlanks()
    return this.at === this.text.length ? value : this.malformed('text after the value')
  }

  refusal(): Refusal {
    return this.fault ?? badRequest('malformed_json', 'not JSON')
  }

  private malformed(what: string): undefined {
    this.fault = badRequest('malformed_json', `${what} at character ${this.at}`)
    return undefined
  }

  private code(): number {
    return this.text.charCodeAt(this.at)
  }

  private skipBlanks(): void {
    let code = this.code()
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.canonical = false
      this.at++
      code = this.code()
    }
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
    const object: Record<string, Json> = Object.create(null)
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

  private readString(): string | undefined {
    const start = ++this.at
    for (let i = start; i < this.text.length; i++) {
      const code = this.text.charCodeAt(i)
      if (code === QUOTE) {
        this.at = i + 1
        return this.text.slice(start, i)
      }
      if (code === BACKSLASH) return this.readEscaped(start, i)
      if (code < 0x20) return this.malformed('a control character')
    }
    return this.malformed('a string without end')
  }

  /** The rest of a string that began at `start` and has its first backslash at `from`. */
  private readEscaped(start: number, from: number): string | undefined {
    let made = this.text.slice(start, from)
    this.at = from
    while (this.at < this.text.length) {
      const code = this.code()
      if (code === QUOTE) {
        this.at++
        return made
      }
      if (code < 0x20) return this.malformed('a control character')
      const piece = code === BACKSLASH ? this.readEscape() : this.readPlain()
      if (piece === undefined) return undefined
      made += piece
    }
    return this.malformed('a string without end')
  }

  private readPlain(): string {
    const start = this.at
    let code = this.code()
    while (code !== QUOTE && code !== BACKSLASH && code >= 0x20) code = this.text.charCodeAt(++this.at)
    return this.text.slice(start, this.at)
  }

  private readEscape(): string | undefined {
    const letter = this.text.charAt(this.at + 1)
    if (letter === 'u') return this.readUnicodeEscape()
    const made = SHORT_ESCAPES.get(letter)
    if (made === undefined) return this.malformed('an unknown escape')
    if (letter === '/') this.canonical = false
    this.at += 2
    return made
  }

  private readUnicodeEscape(): string | undefined {
    const unit = this.hexUnit(this.at)
    if (unit === undefined) return this.malformed('a broken escape')
    this.noteEscapeForm(unit)
    if (unit < 0xd800 || unit > 0xdfff) {
      this.at += 6
      return String.fromCharCode(unit)
    }
    // The input is valid UTF-8, so only an escape can be the other half of an escaped surrogate.
    const low = unit < 0xdc00 ? this.hexUnit(this.at + 6) : undefined
    if (low === undefined || low < 0xdc00 || low > 0xdfff) return this.malformed('a lone surrogate')
    this.at += 12
    return String.fromCharCode(unit, low)
  }

  /** The canonical form escapes only controls without a short escape, in lower case. */
  private noteEscapeForm(unit: number): void {
    const digits = this.text.slice(this.at + 2, this.at + 6)
    if (unit >= 0x20 || HAS_SHORT_ESCAPE.has(unit) || digits !== digits.toLowerCase()) this.canonical = false
  }

  private hexUnit(at: number): number | undefined {
    if (this.text.charCodeAt(at) !== BACKSLASH || this.text.charCodeAt(at + 1) !== LETTER_U) return undefined
    const digits = this.text.slice(at + 2, at + 6)
    return FOUR_HEX.test(digits) ? parseInt(digits, 16) : undefined
  }

  private readNumber(): number | undefined {
    const start = this.at
    let i = start
    let value = 0
    let code = this.code()
    while (isDigit(code)) {
      value = value * 10 + (code - ZERO)
      code = this.text.charCodeAt(++i)
    }
    const plain = i > start && i - start <= EXACT_DIGITS && (this.text.charCodeAt(start) !== ZERO || i === start + 1)
    if (!plain || code === 0x2e || code === 0x65 || code === 0x45) return this.readAnyNumber()
    this.at = i
    return value
  }

  private readAnyNumber(): number | undefined {
    NUMBER.lastIndex = this.at
    const digits = NUMBER.exec(this.text)?.[0]
    if (digits === undefined) return this.malformed('a broken number')
    const value = Number(digits)
    if (!Number.isFinite(value) || Object.is(value, -0)) return this.malformed('a number that is out of range')
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return this.malformed('an unsafe integer')
    if (String(value) !== digits) this.canonical = false
    this.at += digits.length
    return value
  }
}
