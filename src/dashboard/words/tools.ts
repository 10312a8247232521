/** The names in a text with one a line: each once, in their order. */
export function toolsIn(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}
