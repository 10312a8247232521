import type { AgentId } from '../base/ids.js'
import { type Result, ok } from '../base/result.js'
import type { Once } from '../flows/doors.js'
import type { AnswerOf, InputOf } from './contract.js'
import type { RouteName, Routes } from './routes.js'

/** What a handler gets, and what it answers. */

export interface Reply<B> {
  readonly status: 200 | 201 | 202
  readonly body: B
  readonly replayed?: boolean
}

/** A call whose input matched the route's schemas. `agent` is set on agent routes: the token's. */
interface Call<K extends RouteName> extends InputOf<K> {
  readonly agent: Routes[K]['auth'] extends 'agent' ? AgentId : undefined
  readonly once?: Once
  /** Aborts when the caller is gone or the server stops. */
  readonly signal?: AbortSignal
}

/** Of a route that answers JSON. */
export type Handler<K extends RouteName> = (call: Call<K>) => Promise<Result<Reply<AnswerOf<K>>>>

export function reply<B>(status: Reply<B>['status'], body: B): Result<Reply<B>> {
  return ok({ status, body })
}

export function done<B>(body: B): Result<Reply<B>> {
  return reply(200, body)
}

export function shown<V, B>(result: Result<V>, show: (value: V) => B): Result<Reply<B>> {
  return result.ok ? done(show(result.value)) : result
}
