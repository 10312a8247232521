/**
 * The single values of strict JSON: blanks, texts and numbers, read from a text at a place that moves on. What is wrong is
 * kept as a refusal; whether everything so far was in canonical form (RFC 8785) is kept as a flag.
 * Source: protocols/wire.md, "Strict JSON".
 */
import { type Refusal, badRequest, refusal } from './refusal.js'

const QUOTE = 0x22
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const LETTER_U = 0x75

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

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Every reading step answers undefined after it has set the fault: undefined is no JSON value. */
export class JsonScan {
  canonical = true
  protected at = 0
  protected fault: Refusal | undefined

  constructor(protected readonly text: string) {}

  refusal(): Refusal {
    return this.fault ?? badRequest('malformed_json', 'not JSON')
  }

  protected malformed(what: string): undefined {
    this.fault = refusal('bad_request', `${what} at character ${this.at}`, { code: 'malformed_json', at: this.at })
    return undefined
  }

  protected code(): number {
    return this.text.charCodeAt(this.at)
  }

  protected skipBlanks(): void {
    let code = this.code()
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.canonical = false
      this.at++
      code = this.code()
    }
  }

  protected readString(): string | undefined {
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

  protected readNumber(): number | undefined {
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
