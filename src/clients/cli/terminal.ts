import { createInterface } from 'node:readline/promises'

/** The person or program at the other end of a command. Tests bring their own. */
export interface Terminal {
  /** Results. One line break is added. */
  out(text: string): void
  /** Complaints, progress and hints. One line break is added. */
  err(text: string): void
  /** Everything on stdin, at most `maxBytes`; rejects when there is more. */
  readInput(maxBytes: number): Promise<string>
  /** One line that the person types, empty when they leave instead; absent when no person is at stdin. */
  ask?(question: string): Promise<string>
  /** Whether results are shown in colours and the reader is a person. */
  readonly interactive: boolean
  /** Characters that fit on a line; undefined when nobody said. */
  readonly columns?: number
  readonly environment: NodeJS.ProcessEnv
  /** Aborts when whoever read the results is gone: a command that would go on for ever ends. */
  readonly left: AbortSignal
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  // Whoever reads us through `head` and leaves is no fault, and no reason for a running node to end.
  const left = new AbortController()
  process.stdout.on('error', () => left.abort())
  process.stderr.on('error', () => undefined)
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    readInput,
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    interactive: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
    environment: process.env,
    left: left.signal
  }
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Whoever leaves with Ctrl-C or ends the input has typed nothing: that is no yes to anything.
  const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(question).catch(() => ''), left])
  } finally {
    lines.close()
  }
}

async function readInput(maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw new Error(`stdin holds more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
