/**
 * The rule for what a definition says to people: titles, labels, descriptions, options. Labels are shown to owners who
 * decide by them, so nothing invisible, nothing that reorders the line, and no look-alike letters inside a word.
 * Source: protocols/types.md, "Labels".
 */
import { lengthOf } from './formats.js'
import { REPERTOIRE } from './repertoire.js'

interface Range {
  readonly first: number
  readonly last: number
  readonly script: string
}

const COMMON = 'Common'
const LATIN = 'Latin'
/** Alphabets whose letters pass for Latin ones: never within one word with Latin. */
const LOOKALIKES = new Set(['Cyrillic', 'Greek', 'Armenian'])
/** Scripts that one writing system uses together. */
const TOGETHER = [new Set(['Han', 'Hiragana', 'Katakana']), new Set(['Han', 'Hangul']), new Set(['Han', 'Bopomofo'])]

const RANGES: readonly Range[] = Object.entries(REPERTOIRE)
  .flatMap(([script, ranges]) =>
    ranges
      .trim()
      .split(/\s+/)
      .map((range) => rangeOf(script, range))
  )
  .sort((a, b) => a.first - b.first)

function rangeOf(script: string, range: string): Range {
  const [first = '', last = first] = range.split('-')
  return { first: parseInt(first, 16), last: parseInt(last, 16), script }
}

/** The script of a character of the repertoire; undefined for every other character. */
export function scriptOf(codePoint: number): string | undefined {
  let [low, high] = [0, RANGES.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = RANGES[middle] as Range
    if (codePoint < range.first) high = middle - 1
    else if (codePoint > range.last) low = middle + 1
    else return range.script
  }
  return undefined
}

/** What is wrong with a label of at most `maxLength` code points; undefined when nothing is. */
export function labelFault(text: string, maxLength: number): string | undefined {
  const length = lengthOf(text, maxLength)
  if (length === 0 || length > maxLength) return `must have 1 to ${maxLength} characters`
  if (text !== text.trim() || text.includes('  ')) return 'must not start, end or be padded with spaces'
  const scripts = [...text].map((character) => scriptOf(character.codePointAt(0) as number))
  if (scripts.includes(undefined)) return 'holds a character that labels may not hold'
  if (text.normalize('NFC') !== text) return 'must be in Unicode normalisation form C'
  const mixed = mixes(new Set(scripts)) || wordsOf(scripts).some(deceives)
  return mixed ? 'mixes alphabets that look alike' : undefined
}

function mixes(scripts: ReadonlySet<string | undefined>): boolean {
  const foreign = [...scripts].filter((script) => script !== COMMON && script !== LATIN) as string[]
  return foreign.length > 1 && !TOGETHER.some((set) => foreign.every((script) => set.has(script)))
}

function deceives(word: ReadonlySet<string>): boolean {
  return word.has(LATIN) && [...word].some((script) => LOOKALIKES.has(script))
}

/** The scripts of each run without a common character in between. */
function wordsOf(scripts: readonly (string | undefined)[]): Set<string>[] {
  const words = [new Set<string>()]
  for (const script of scripts) {
    if (script === COMMON || script === undefined) words.push(new Set())
    else words[words.length - 1]?.add(script)
  }
  return words
}
