import { expect } from 'chai'
import fc from 'fast-check'
import { visible } from '../../src/base/visible.js'

/** The inverse, written from the spec page. */
function original(shown: string): string {
  return shown.replace(/\\([\\nt])|\\u\{([0-9a-f]+)\}/g, (_, short: string | undefined, hex: string) =>
    short === undefined ? String.fromCodePoint(parseInt(hex, 16)) : ({ n: '\n', t: '\t' }[short] ?? short)
  )
}

const TRICKY = [
  ...[
    'e',
    'a',
    'p',
    '\u0430',
    '\u0440',
    '\u03bf',
    '\u0301',
    '\u0333',
    '\u0338',
    '\u1112',
    '\u1161',
    '\u11ab',
    '\uac00'
  ],
  ...[
    '\u212b',
    '\u0f71',
    '\u0f72',
    '\u0958',
    '\u093c',
    '\\',
    'u',
    '{',
    '}',
    '202e',
    '\u202e',
    '\u200b',
    '\ufe0f',
    '=',
    ' '
  ],
  ...['\u{e0041}', '\ud800', '\u3164', '\u{1f35d}', '\uff21', '\u0e33', '\n', '\0']
]
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...TRICKY)).map((parts) => parts.join(''))
)

describe('visible', () => {
  const untouched = [
    'Trattoria Nonna, Little Italy',
    'café naïve Ångström',
    'Привет, мир',
    'Καλημέρα κόσμε',
    '日本語、テスト Tシャツ',
    '한국 음식',
    'नमस्ते',
    'ทำอาหาร',
    'مرحبا',
    'dinner \u{1f35d} at 8',
    'и я'
  ]
  for (const text of untouched) {
    it(`shows "${text}" as it is`, () => {
      expect(visible(text)).to.equal(text)
    })
  }

  const written: readonly (readonly [string, string, string])[] = [
    ['a line feed', 'a\nb', 'a\\nb'],
    ['a terminal escape', '\x1b[2J', '\\u{1b}[2J'],
    ['a bidi override', 'pay\u202ebob', 'pay\\u{202e}bob'],
    ['a zero-width joiner', 'a\u200db', 'a\\u{200d}b'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['tag characters', 'hi\u{e0041}\u{e007f}', 'hi\\u{e0041}\\u{e007f}'],
    ['a variation selector', '\u2764\ufe0f', '\u2764\\u{fe0f}'],
    ['a Hangul filler', 'a\u3164b', 'a\\u{3164}b'],
    ['a no-break space', 'a\u00a0b', 'a\\u{a0}b'],
    ['a Braille blank', '\u2800', '\\u{2800}'],
    ['a lone surrogate', '\ud800x', '\\u{d800}x'],
    ['a private-use character', '\ue000', '\\u{e000}'],
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal', 'p\\u{430}ypal'],
    ['a word of look-alikes alone', '\u0440\u0430\u0443', '\\u{440}\\u{430}\\u{443}'],
    ['a Greek letter in a Latin word', 'g\u03bfld', 'g\\u{3bf}ld'],
    ['full-width letters', '\uff21bc', '\\u{ff21}bc'],
    ['mathematical letters', '\u{1d41a}bc', '\\u{1d41a}bc'],
    ['a mark that could be composed', 'cafe\u0301', 'cafe\\u{301}'],
    ['a mark with nothing to stand on', '\u0301a', '\\u{301}a'],
    ['a pile of marks', 'x\u0333\u0333\u0333\u0333', 'x\u0333\u0333\u0333\\u{333}'],
    ['its own escapes', '\\u{202e}', '\\\\u{202e}']
  ]
  for (const [what, text, shown] of written) {
    it(`writes out ${what}`, () => {
      expect(visible(text)).to.equal(shown)
    })
  }

  it('is one to one: the original can be read back from what is shown', () => {
    fc.assert(fc.property(anyText, (text) => original(visible(text)) === text))
  })

  it('never shows two texts that Unicode calls equal: what it shows is in normal form', () => {
    fc.assert(fc.property(anyText, (text) => visible(text).normalize('NFC') === visible(text)))
  })

  it('shows nothing that is invisible or reorders the line', () => {
    const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}]/u
    fc.assert(fc.property(anyText, (text) => !unseen.test(visible(text))))
  })

  it('takes time in proportion to the text', () => {
    const started = process.cpuUsage().user
    visible('\u0430a\u0301'.repeat(20_000))
    expect(process.cpuUsage().user - started).to.be.below(2_000_000)
  })
})
