/**
 * Values that can be told from all others wherever they turn up, of every kind that can be told apart at all. A `never`
 * stands where its owner denies it, or where nothing ever leaves from; an `other` belongs to another agent of the node;
 * a `plain` may leave when the rules let it.
 */
import type { Json } from '../../src/base/json.js'
import type { FieldKind } from '../../src/types/field.js'
import { toBase58 } from '../../src/wire/base58.js'
import type { Prng } from '../sim/prng.js'

export type Fate = 'never' | 'other' | 'plain'

interface Mark {
  readonly letter: string
  /** First two digits of numbers, of amounts and of whole numbers; a year. */
  readonly digits: string
  readonly year: number
  /** What all addresses of this fate start with, as bytes. */
  readonly byte: number
}

const MARKS: Readonly<Record<Fate, Mark>> = {
  never: { letter: 'n', digits: '81', year: 2091, byte: 0x41 },
  other: { letter: 'o', digits: '82', year: 2092, byte: 0x62 },
  plain: { letter: 'p', digits: '83', year: 2093, byte: 0x83 }
}
/** Equal first bytes of an address: long enough that its first letters are the same for all of a fate. */
const ADDRESS_HEAD = 12
const ADDRESS_LETTERS = 12

/** A value of that kind and fate; undefined where the kind has too few values to tell them apart. */
export function canary(fate: Fate, kind: FieldKind, prng: Prng): Json | undefined {
  const mark = MARKS[fate]
  switch (kind) {
    case 'text':
      return word(fate, prng)
    case 'list':
      return [word(fate, prng), word(fate, prng)]
    case 'integer':
      return Number(`${mark.digits}1${digits(prng, 6)}`)
    case 'number':
      return Number(`${mark.digits}${digits(prng, 2)}.${digits(prng, 5)}7`)
    case 'amount':
      return `${mark.digits}${digits(prng, 2)}.${digits(prng, 5)}7`
    case 'date':
      return `${mark.year}-0${prng.whole(1, 9)}-1${prng.whole(0, 9)}`
    case 'address':
      return addressWith(mark.byte, prng.bytes(32 - ADDRESS_HEAD))
    default:
      return undefined
  }
}

/** A word of that fate. Digits only within: letters could by chance spell how a word of another fate begins. */
export function word(fate: Fate, prng: Prng): string {
  return `zq${MARKS[fate].letter}${prng.whole(0, 1e9)}qz`
}

/** Matches every canary of a fate, in bytes read as Latin-1 or in text. */
export function patternOf(fate: Fate): RegExp {
  const { letter, digits: head, year, byte } = MARKS[fate]
  const address = addressWith(byte, new Uint8Array(32 - ADDRESS_HEAD)).slice(0, ADDRESS_LETTERS)
  const forms = [
    `zq${letter}\\d+qz`,
    `(?<![\\w.])${head}1\\d{6}(?![\\w.])`,
    `(?<![\\w.])${head}\\d\\d\\.\\d{5}7(?!\\d)`,
    `${year}-0\\d-1\\d`,
    address
  ]
  return new RegExp(forms.join('|'))
}

function addressWith(byte: number, rest: Uint8Array): string {
  return toBase58(Uint8Array.from([...new Array<number>(ADDRESS_HEAD).fill(byte), ...rest]))
}

function digits(prng: Prng, count: number): string {
  return Array.from({ length: count }, () => prng.whole(0, 9)).join('')
}
