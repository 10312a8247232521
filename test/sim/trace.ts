/** What happened, line by line: its hash says whether two runs of a seed were the same, its tail explains a failure. */
import { createHash } from 'node:crypto'

/** Lines kept for a failure's report. */
const TAIL = 400

export interface Trace {
  line(text: string): void
  readonly lines: number
  /** The last lines, oldest first. */
  tail(): readonly string[]
  /** SHA-256 over all lines so far, hex. */
  hash(): string
}

export function createTrace(print?: (line: string) => void): Trace {
  const hash = createHash('sha256')
  const ring: string[] = []
  let lines = 0
  return {
    line(text) {
      hash.update(text).update('\n')
      ring[lines++ % TAIL] = text
      print?.(text)
    },
    get lines() {
      return lines
    },
    tail: () => [...ring.slice(lines % TAIL), ...ring.slice(0, lines % TAIL)].filter((text) => text !== undefined),
    hash: () => hash.copy().digest('hex')
  }
}
