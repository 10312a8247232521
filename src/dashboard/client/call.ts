import type { AnswerOf, BodyOf, QueryOf } from '../../api/contract.js'
import { refusalIn } from '../../api/failure.js'
import { type ParamsOf, type RoutesFor, pathOf, routeOf } from '../../api/routes.js'
import { type Refusal, refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { NO_ANSWER } from '../words/refusals.js'

/** The one way from the page to its node: owner routes of the table, with cookie and token of the session. */

export type OwnerRoute = RoutesFor<'owner'>

export interface CallInput<K extends OwnerRoute> {
  readonly params?: ParamsOf<K>
  readonly query?: QueryOf<K>
  readonly body?: BodyOf<K>
}

/** What a session gives to the calls made under it. */
export interface Caller {
  call<K extends OwnerRoute>(name: K, input?: CallInput<K>): Promise<Result<AnswerOf<K>>>
}

/** `onEnded` is told when the node does not know the session any more. */
export function createCaller(csrf: string, onEnded: () => void): Caller {
  return {
    async call<K extends OwnerRoute>(name: K, input: CallInput<K> = {}) {
      const { method } = routeOf(name)
      const body = method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(input.body ?? {})
      const headers: Record<string, string> = { accept: 'application/json', 'x-agentlink-csrf': csrf }
      if (body !== undefined) headers['content-type'] = 'application/json'
      const path = pathOf(name, input.params) + searchOf(input.query)
      const answer = await exchange(path, { method, headers, ...(body === undefined ? {} : { body }) })
      if (!answer.ok && answer.refusal.code === 'unauthorized') onEnded()
      return answer as Result<AnswerOf<K>>
    }
  }
}

/** One request and its JSON; whatever is no answer of a node is `unavailable`. */
export async function exchange(path: string, init: RequestInit): Promise<Result<unknown>> {
  try {
    const answer = await fetch(path, { ...init, credentials: 'same-origin', redirect: 'error', cache: 'no-store' })
    const body: unknown = await answer.json()
    return answer.ok ? ok(body) : fail(refusalIn(body) ?? odd(answer.status))
  } catch {
    return fail(NO_ANSWER)
  }
}

function odd(status: number): Refusal {
  return refusal('internal', `the node answered ${status} in a form that is not ours`)
}

function searchOf(query: unknown): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
