import { randomUUID } from 'node:crypto'
import type { CallInput } from '../../api/client.js'
import { type Tool, type ToolRoute, TOOL_WAIT_MAX } from '../../api/tools.js'
import type { Json } from '../../base/json.js'
import { badRequest } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { NODE_DOWN, WRONG_ARGUMENT, afterAnswer, afterRefusal, outcomeUnknown } from './advice.js'
import type { NodeLine } from './node-line.js'
import { type ToolResult, localFailure, ownResult, refusedResult, remoteResult } from './result.js'

/**
 * One call of a tool: arguments to their places in a request, the node's answer to a result. What the arguments must
 * be is the node's to check; here only what could not be sent at all is refused.
 */

type Arguments = Readonly<Record<string, unknown>>
/** A call of some route; the table keeps their types apart, here they are one. */
type AnyInput = CallInput<ToolRoute>

const LONE_SURROGATE = /\p{Surrogate}/u
const KEY = /^[!-~]{1,128}$/

/** Calls the route of a tool. Never rejects, never waits for a person. */
export async function callTool(tool: Tool, given: Arguments, line: NodeLine, signal: AbortSignal): Promise<ToolResult> {
  const input = inputOf(tool, given)
  if (!input.ok) return localFailure(input.refusal, WRONG_ARGUMENT)
  const client = line.open()
  if (!client.ok) return localFailure(client.refusal, NODE_DOWN)
  const answer = await client.value.call(tool.route, { ...input.value, signal })
  if (answer.ok) {
    const advice = afterAnswer(tool.route, answer.body)
    const body = answer.body as unknown as Json
    return tool.remote ? remoteResult(body, advice) : ownResult(body, advice)
  }
  if (answer.status !== 0) return refusedResult(answer.refusal, afterRefusal(answer.refusal))
  const key = input.value.idempotencyKey
  return localFailure(answer.refusal, answer.unsure === true ? outcomeUnknown(key) : NODE_DOWN)
}

function inputOf(tool: Tool, given: Arguments): Result<AnyInput> {
  const parts = { params: {}, query: {}, body: {}, key: {} } as Record<string, Record<string, unknown>>
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(tool.places, name)) return refuse('unknown_member', name, 'this tool does not take it')
    if (value === undefined) continue
    const place = tool.places[name] as string
    const wrong = place === 'body' ? undefined : wrongInPlace(place, name, value)
    if (wrong !== undefined) return refuse('invalid_field', name, wrong)
    ;(parts[place] as Record<string, unknown>)[name] = value
  }
  const missing = Object.keys(tool.places).find((name) => tool.places[name] === 'params' && !(name in given))
  if (missing !== undefined) return refuse('missing_field', missing, 'it is needed')
  return ok(requestOf(tool, parts))
}

/** What a path or a query can't carry. */
function wrongInPlace(place: string, name: string, value: unknown): string | undefined {
  if (place === 'query') {
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (!plain) return 'expected a text or a number'
    return name === 'wait' && Number(value) > TOOL_WAIT_MAX ? `expected at most ${TOOL_WAIT_MAX} seconds` : undefined
  }
  if (typeof value !== 'string' || value === '' || LONE_SURROGATE.test(value)) return 'expected a text'
  return place === 'key' && !KEY.test(value) ? 'expected 1 to 128 visible ASCII characters' : undefined
}

function requestOf(tool: Tool, { params, query, body, key }: Record<string, Record<string, unknown>>): AnyInput {
  const takesKey = Object.values(tool.places).includes('key')
  const takesBody = Object.values(tool.places).includes('body')
  // Without a key of its own a call whose answer was lost could not be repeated safely.
  const chosen = (key?.['idempotencyKey'] as string | undefined) ?? randomUUID()
  return {
    params,
    query,
    ...(takesBody ? { body } : {}),
    ...(takesKey ? { idempotencyKey: chosen } : {})
  } as unknown as AnyInput
}

function refuse(code: 'unknown_member' | 'invalid_field' | 'missing_field', field: string, why: string): Result<never> {
  return fail(badRequest(code, `argument ${field.slice(0, 64)}: ${why}`, field.slice(0, 64)))
}
