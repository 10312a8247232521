import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256Hex } from '../base/digest.js'
import type { AgentId } from '../base/ids.js'
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Once } from '../flows/doors.js'
import type { Log } from '../flows/ports.js'
import type { CallRefused } from './admission.js'
import { refuse } from './answer.js'
import { readBody } from './body.js'
import { checkInput } from './check-input.js'
import { CONTRACT, PARAMS } from './contract.js'
import { AnswerMismatch, failed } from './fault.js'
import type { Reply } from './handler.js'
import type { Handlers } from './handlers.js'
import type { Identify } from './identify.js'
import { type RouteName, pathOf, routeOf } from './routes.js'
import type { Waits } from './waits.js'

/** One admitted call: input against the schemas -> door -> answer against its schema -> HTTP. */

export type Perform = (name: RouteName, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** A call whose input matched; the table keeps its types apart, here they are one. */
interface AnyCall {
  readonly agent: AgentId | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly once?: Once
  readonly signal?: AbortSignal
}
type Outcome = Result<Reply<unknown>>
type AnyHandler = (call: AnyCall) => Promise<Outcome>

/** 1 to 128 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,128}$/
const EMPTY = new Uint8Array()

export interface PerformComponents {
  readonly waits: Waits
  readonly identify: Identify
  readonly callRefused: CallRefused
  readonly log: Log
}

export function createPerform(handlers: Handlers, components: PerformComponents): Perform {
  const { waits, log, identify, callRefused } = components

  return async (name, request, reply) => {
    const outcome = await outcomeOf(name, request, reply)
    if (waits.ended) reply.header('connection', 'close')
    if (!outcome.ok) return refuse(reply, outcome.refusal)
    const { status, body, replayed } = outcome.value
    if (replayed === true) reply.header('idempotent-replayed', 'true')
    return reply.code(status).send(body)
  }

  async function outcomeOf(name: RouteName, request: FastifyRequest, reply: FastifyReply): Promise<Outcome> {
    // Its body may have come in slowly, and the token may be good for nothing by now.
    const caller = identify.caller(name, request.raw)
    if (!caller.ok) {
      await callRefused({ who: identify.who(request.raw), route: name })
      return caller
    }
    const call = readCall(name, request)
    if (!call.ok) return call
    try {
      const outcome = await run(name, call.value, reply)
      if (outcome.ok) checkAnswer(name, outcome.value.body)
      return outcome
    } catch (error) {
      return fail(failed(log, error, request))
    }
  }

  async function run(name: RouteName, call: AnyCall, reply: FastifyReply): Promise<Outcome> {
    const handler = handlers[name as keyof Handlers] as unknown as AnyHandler
    if (call.agent === undefined || !mayWait(name, call)) return handler(call)
    const wait = waits.signalFor(reply.raw, call.agent)
    if (!wait.ok) return wait
    const { signal, release } = wait.value
    try {
      return await handler({ ...call, signal })
    } finally {
      release()
    }
  }
}

/** A poll that asks for no wait takes nobody's place. */
function mayWait(name: RouteName, { query }: AnyCall): boolean {
  return routeOf(name).waits !== undefined && (query as { readonly wait?: number }).wait !== 0
}

/** The parts of a request, each against its schema. Refuses with `bad_request` and the member at fault. */
export function readCall(name: RouteName, request: FastifyRequest): Result<AnyCall> {
  const { query, body } = CONTRACT[name]
  const bytes = request.body as Uint8Array | undefined
  const json = readBody(bytes)
  if (!json.ok) return json
  const params = checkInput(PARAMS[name], request.params, 'path')
  if (!params.ok) return params
  const asked = checkInput<unknown>(query, request.query, 'query')
  if (!asked.ok) return asked
  const said = checkInput<unknown>(body, json.value, 'body')
  if (!said.ok) return said
  const once = readOnce(name, request, params.value, bytes)
  if (!once.ok) return once
  const call = { agent: request.agent, params: params.value, query: asked.value, body: said.value }
  return ok(once.value === undefined ? call : { ...call, once: once.value })
}

/** The stored answer belongs to caller, route with its path parameters, key, and the exact bytes of the body. */
function readOnce(
  name: RouteName,
  request: FastifyRequest,
  params: Readonly<Record<string, string>>,
  bytes: Uint8Array = EMPTY
): Result<Once | undefined> {
  const { method, once } = routeOf(name)
  const keys = method === 'POST' ? request.raw.headersDistinct['idempotency-key'] : undefined
  if (keys === undefined) return ok(undefined)
  const [key] = keys
  if (keys.length !== 1 || key === undefined || !KEY.test(key)) {
    return fail(badRequest('bad_idempotency_key', 'Idempotency-Key must be 1 to 128 visible ASCII characters, once'))
  }
  if (once === undefined) return ok(undefined)
  const caller = request.agent ?? 'owner'
  return ok({ key: `${caller}|${method} ${pathOf(name, params)}|${key}`, bodyHash: sha256Hex(bytes) })
}

/** Throws when the door answered what the contract does not know: nothing undeclared leaves. */
function checkAnswer(name: RouteName, body: unknown): void {
  const checked = CONTRACT[name].answer.safeParse(body)
  if (!checked.success) throw new AnswerMismatch(checked.error.issues.map((issue) => issue.path.join('.')))
}
