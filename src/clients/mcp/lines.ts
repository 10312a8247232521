import { Transform, type TransformCallback } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse
} from '@modelcontextprotocol/server'

/**
 * What stands between stdin and the protocol: lines that are messages of JSON-RPC 2.0 go through, and every other one is
 * answered as JSON-RPC says, because the SDK drops it without a word and its sender would wait for ever. Source:
 * JSON-RPC 2.0, section 5.1: `id` is null where none could be read.
 */

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const LINE_FEED = 0x0a

/** The answer to a line that is no message. */
export interface WrongLine {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/** `most`: bytes of a line; a longer one, or one that never ends, is an error of the stream. */
export function createLines(most: number, answer: (wrong: WrongLine) => void): Transform {
  let parts: Buffer[] = []
  let held = 0

  function take(stream: Transform, part: Buffer): void {
    held += part.length
    if (held > most) throw new Error(`a message is larger than ${most} bytes`)
    parts.push(part)
    if (part.at(-1) !== LINE_FEED) return
    const line = Buffer.concat(parts)
    parts = []
    held = 0
    const wrong = wrongIn(line.toString('utf8'))
    if (wrong === 'nothing') return
    if (wrong === undefined) stream.push(line)
    else answer(wrong)
  }

  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      try {
        for (let from = 0; from < chunk.length;) {
          const at = chunk.indexOf(LINE_FEED, from)
          const end = at === -1 ? chunk.length : at + 1
          take(this, chunk.subarray(from, end))
          from = end
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    }
  })
}

/** Why a line is no message; undefined when it is one, `nothing` for an empty line. */
function wrongIn(line: string): WrongLine | 'nothing' | undefined {
  if (line.trim() === '') return 'nothing'
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return wrong(null, PARSE_ERROR, 'Parse error: each line must be one message in JSON')
  }
  if (isMessage(message)) return undefined
  const hint = Array.isArray(message)
    ? 'a batch is not taken; send one message a line'
    : 'not a message of JSON-RPC 2.0'
  return wrong(idOf(message), INVALID_REQUEST, `Invalid Request: ${hint}`)
}

function isMessage(value: unknown): boolean {
  return [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse].some((is) =>
    is(value)
  )
}

function idOf(message: unknown): WrongLine['id'] {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}

function wrong(id: WrongLine['id'], code: number, message: string): WrongLine {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
