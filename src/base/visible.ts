/**
 * What must never reach a person's screen as it is: control characters (C0, DEL, C1), soft hyphen, zero-width and bidi
 * marks, line and paragraph separators, fillers, variation selectors, tag characters, private use and lone surrogates.
 */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\p{Co}\p{Cs}\u{e0000}-\u{e0fff}]/gu

/** Shows text of another person on one line: hidden characters stand as `\u{…}`, line breaks as `\n`, tabs as `\t`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === '\n') return '\\n'
    if (character === '\t') return '\\t'
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

/** Whether `visible` would change anything. */
export function hidesNothing(text: string): boolean {
  return visible(text) === text
}
