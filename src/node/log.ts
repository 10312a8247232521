import { destination, pino } from 'pino'
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

export interface NodeLog extends Log {
  /** Writes out what is buffered and takes nothing more. */
  close(): Promise<void>
  /** Writes out what is buffered before it returns, for a process that is about to crash. */
  flushNow(): void
}

/**
 * The log: one JSON line per event on `fd` (2 = stderr), `{"level","time","event",…fields}`.
 * Buffered and asynchronous, so that a slow terminal never holds up the node.
 */
export function createLog(options: { readonly level: 'info' | 'warn' | 'silent'; readonly fd: number }): NodeLog {
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
    sink
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
      if (isOpen) sink.flushSync()
    }
  }
}
