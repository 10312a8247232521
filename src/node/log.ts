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
  /** Writes out what is still buffered; for the last moments of the process. */
  flush(): void
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
  return {
    info: (event, fields) => logger.info(fields ?? {}, event),
    warn: (event, fields) => logger.warn(fields ?? {}, event),
    flush: () => sink.flushSync()
  }
}
