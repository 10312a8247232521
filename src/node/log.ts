import { destination, pino } from 'pino'
import { visible } from '../base/visible.js'
import type { Log } from '../flows/ports.js'

/** Member names whose value never reaches the log, at the top or one level down, whoever passes them by mistake. */
const SECRET_MEMBERS = [
  'token',
  'secret',
  'seed',
  'key',
  'authorization',
  'link',
  'invite',
  'payload',
  'proposal',
  'body',
  'bytes'
]

/** What a write that is under way gets before a crash, milliseconds. */
const UNDER_WAY_MS = 100

export interface NodeLog extends Log {
  /** Writes out what is buffered and takes nothing more. */
  close(): Promise<void>
  /** Writes out what is buffered before it returns, for a process that is about to crash. */
  flushNow(): void
}

export interface LogOptions {
  readonly level: 'info' | 'warn' | 'silent'
  readonly fd: number
  /** `eye`: a person watches; lines like `19:45:00 ready pid=1`. Otherwise JSON. */
  readonly reader?: 'eye' | 'program'
}

/**
 * The log: one line per event on `fd` (2 = stderr); for programs JSON, `{"level","time","event",…fields}`.
 * Buffered and asynchronous, so that a slow terminal never holds up the node.
 */
export function createLog(options: LogOptions): NodeLog {
  const sink = destination({ fd: options.fd, sync: false })
  const logger = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' }
    },
    options.reader === 'eye' ? { write: (line: string) => void sink.write(plainLine(line)) } : sink
  )
  let isOpen = true
  // A log whose reader has gone must not take the node with it.
  sink.on('error', () => (isOpen = false))
  return {
    info(event, fields) {
      if (isOpen) logger.info(fields ?? {}, event)
    },
    warn(event, fields) {
      if (isOpen) logger.warn(fields ?? {}, event)
    },
    close() {
      if (!isOpen) return Promise.resolve()
      isOpen = false
      return new Promise((resolve) => {
        sink.once('close', resolve)
        sink.once('error', () => resolve())
        sink.end()
      })
    },
    flushNow() {
      if (!isOpen) return
      sink.flushSync()
      // What was handed to another thread before is not among it, and nothing says when that is through.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, UNDER_WAY_MS)
    }
  }
}

/** A line of JSON as a person reads it. It is made of the JSON, so that nothing shows that was redacted there. */
function plainLine(json: string): string {
  const { level, time, event, ...fields } = JSON.parse(json) as Record<string, unknown>
  const told = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  )
  const mark = level === 'warn' ? ['warning:'] : []
  return `${visible([String(time).slice(11, 19), ...mark, String(event), ...told].join(' '))}\n`
}
