/** Texts of people as a calendar file can hold them. Source: protocols/calendar.md, "Texts". */

/** Every way to end a line: some programs break a file's line at each of them, and what follows would be a property. */
const LINE_END = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g
/** Controls other than tab and line feed, and halves of characters: RFC 5545 (3.3.11) has no form for them. */
const UNWRITABLE = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\p{Surrogate}\ufeff\ufffe\uffff]/gu

/**
 * The text with each line end as one line feed and without controls. What `;`, `,`, `\` and line feeds need, and where
 * lines are folded, is for the writer of the file.
 */
export function calendarText(text: string): string {
  return text.replace(LINE_END, '\n').replace(UNWRITABLE, '')
}
