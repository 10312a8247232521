import type { FastifyRequest } from 'fastify'
import { type Refusal, refusal } from '../base/refusal.js'
import type { Log } from '../flows/ports.js'

/** A throw means that we are broken: what the log gets, and what little the caller hears. */

/** A door answered what the contract does not know. `members` are paths in the answer, never values. */
export class AnswerMismatch extends Error {
  override readonly name = 'AnswerMismatch'
  constructor(readonly members: readonly string[]) {
    super("a door's answer does not match the contract")
  }
}

/** A frame of a stack: function and place. */
const FRAME = /^ {4}at .*:\d+:\d+\)?$/
const FRAMES = 8

/** Logs a thrown error by name and place. Its text may hold anything, so neither the log nor the caller gets that. */
export function failed(log: Log, error: unknown, request: FastifyRequest): Refusal {
  const { name, stack = '' } = error instanceof Error ? error : new Error()
  log.warn('api.failed', {
    requestId: request.id,
    route: request.routeOptions.url,
    error: name,
    at: stack
      .split('\n')
      .filter((line) => FRAME.test(line))
      .slice(0, FRAMES),
    ...(error instanceof AnswerMismatch ? { members: error.members } : {})
  })
  return refusal('internal', 'the node failed on this call; its log has the details', { requestId: request.id })
}
