/**
 * Makes text of another person safe to decide by: what a person could not see, or would take for something else, is
 * written as an escape. It never changes what is stored or sent. Source: protocols/policy.md, "What the owner sees".
 */
import { isLookalike } from './lookalikes.js'

/** Letters, marks and digits that hang together as one word for the eye. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const LETTER = /\p{L}/u
const LATIN = /\p{Script=Latin}/u
const MARK = /\p{M}/u
/** Alphabets whose letters pass for Latin ones. */
const ALPHABET =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u
/** Controls, formats (bidi, zero-width, tags), surrogates, private use, unassigned, line ends, odd spaces, and what renders as nothing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u
/** Marks, and the letter parts that a Korean syllable can be spelled with. */
const JOINING = /[\p{M}\u1100-\u11ff]/u
/** Thai and Lao vowels of everyday writing that Unicode files under compatibility forms. */
const ORDINARY: ReadonlySet<string> = new Set(['\u0e33', '\u0eb3'])
/** More marks than this on one letter hide what is around them. */
const MARKS = 3

/**
 * The text on one line, everything deceptive written as `\u{hex}`, line feeds as `\n`, tabs as `\t`. One to one: a
 * backslash comes out doubled, so two texts never look the same and the original can be read back.
 */
export function visible(text: string): string {
  let shown = ''
  let from = 0
  for (const word of text.matchAll(WORD)) {
    shown += apart(text.slice(from, word.index)) + together(word[0])
    from = word.index + word[0].length
  }
  return shown + apart(text.slice(from))
}

/** What stands between words. */
function apart(text: string): string {
  let shown = ''
  for (const character of text) {
    const odd = UNSEEN.test(character) || character.normalize('NFC') !== character
    shown += odd ? escaped(character) : plain(character)
  }
  return shown
}

/** A word: letters that only pretend to belong to it are written out. */
function together(word: string): string {
  const characters = [...word]
  const deceptive = deceives(characters)
  // Two spellings of one look: only the composed one may pass as it is.
  const loose = word.normalize('NFC') !== word
  let shown = ''
  let marks = 0
  for (const [index, character] of characters.entries()) {
    marks = MARK.test(character) ? marks + 1 : 0
    const pretends = deceptive && ALPHABET.test(character)
    const hides = marks > MARKS || (marks > 0 && index === 0) || (loose && JOINING.test(character))
    shown += pretends || hides || UNSEEN.test(character) || isVariant(character) ? escaped(character) : character
  }
  return shown
}

/** Latin letters mixed with a look-alike alphabet, or a whole word of look-alikes. Words of one or two letters are too short to tell. */
function deceives(characters: readonly string[]): boolean {
  const letters = characters.filter((character) => LETTER.test(character))
  const foreign = letters.filter((letter) => ALPHABET.test(letter))
  if (foreign.length === 0) return false
  return letters.some((letter) => LATIN.test(letter)) || (letters.length > 2 && letters.every(isLookalike))
}

/** Full-width, mathematical, circled and other dressed-up forms of plain letters and digits. */
function isVariant(character: string): boolean {
  return !ORDINARY.has(character) && character.normalize('NFKC') !== character
}

function plain(character: string): string {
  return character === '\\' ? '\\\\' : character
}

function escaped(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`
}
