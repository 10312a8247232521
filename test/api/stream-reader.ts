import { type IncomingMessage, type RequestOptions, request } from 'node:http'

/** A reader of server-sent events, by the WHATWG rules as far as our events use them. */

interface StreamEvent {
  readonly id: string
  readonly data: string
}

export interface StreamReader {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The next event; undefined when the stream has ended. */
  next(): Promise<StreamEvent | undefined>
  /** Events that have come and were not taken. */
  pending(): number
  /** Comments so far. */
  readonly comments: readonly string[]
  /** Everything that is left when the answer is no stream. */
  text(): Promise<string>
  /** Stops taking bytes, or goes on. */
  hold(): void
  resume(): void
  /** Drops the connection, as a killed program does. */
  drop(): void
}

/** Without a token when it is undefined. */
export function openStream(to: RequestOptions, token: string | undefined, headers: Record<string, string> = {}) {
  return new Promise<StreamReader>((resolve, reject) => {
    const shown = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const call = request({ path: '/v1/agent/events', ...to, headers: { ...shown, ...headers } })
    call.on('error', reject)
    call.on('response', (answer) => resolve(readerOf(answer)))
    call.end()
  })
}

function readerOf(answer: IncomingMessage): StreamReader {
  const events: StreamEvent[] = []
  const comments: string[] = []
  const waiting: Array<() => void> = []
  let rest = ''
  let ended = false
  answer.setEncoding('utf8')
  answer.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() as string
    for (const block of blocks) take(block)
    wake()
  })
  const end = (): void => {
    ended = true
    wake()
  }
  answer.on('end', end).on('close', end).on('error', end)

  function take(block: string): void {
    const lines = block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.replace(/^[^:]*: ?/, '')])
    const fields = new Map(lines as [string, string][])
    if (fields.has('')) comments.push(fields.get('') as string)
    if (fields.has('data')) events.push({ id: fields.get('id') ?? '', data: fields.get('data') as string })
  }
  function wake(): void {
    for (const go of waiting.splice(0)) go()
  }
  const more = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve))

  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    pending: () => events.length,
    comments,
    async next() {
      while (events.length === 0 && !ended) await more()
      return events.shift()
    },
    async text() {
      while (!ended) await more()
      return rest
    },
    hold: () => void answer.pause(),
    resume: () => void answer.resume(),
    drop: () => void answer.destroy()
  }
}
