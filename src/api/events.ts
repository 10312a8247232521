import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { AgentId } from '../base/ids.js'
import { type Refusal, badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { SECOND } from '../base/time.js'
import type { AgentDoor } from '../flows/doors.js'
import type { Clock, Log } from '../flows/ports.js'
import type { InboxItem } from '../flows/views/pages.js'
import { refuse } from './answer.js'
import type { InputOf } from './contract.js'
import { failed } from './fault.js'
import { type Perform, readCall } from './perform.js'
import { HEARTBEAT_SECONDS, openStream, pause, sent } from './stream.js'
import type { Wait, Waits } from './waits.js'

/**
 * The inbox as server-sent events. A stream reads the same door as the long poll, page after page, and an event's id is
 * the item's cursor: so whoever comes back with the last id that it saw misses nothing and sees nothing twice. Spec:
 * protocols/socket-api.md, "Events".
 */

/** Items read at once; with the largest items this is what a stream may hold in memory. */
const PAGE = 8
/** Milliseconds between two looks when a look comes back early with nothing: something is about to be stored. */
const LOOK_MS = 50
const CURSOR = /^(0|[1-9][0-9]{0,15})$/

interface InboxPage {
  readonly items: readonly InboxItem[]
  readonly next: number
}

export interface EventsComponents {
  readonly agent: AgentDoor
  readonly clock: Clock
  readonly log: Log
  readonly waits: Waits
}

export function createEvents({ agent: door, clock, log, waits }: EventsComponents): Perform {
  return async (name, request, reply) => {
    const call = readCall(name, request)
    if (!call.ok) return refuse(reply, call.refusal)
    const from = startOf(request, call.value.query as InputOf<'events.read'>['query'])
    if (!from.ok) return refuse(reply, from.refusal)
    const agent = call.value.agent as AgentId
    const first = await door.inbox(agent, { ...startingAt(from.value), waitSeconds: 0, limit: PAGE })
    if (!first.ok) return refuse(reply, namedAsSaid(first.refusal, request))
    const wait = waits.signalFor(reply.raw, agent)
    if (!wait.ok) return refuse(reply, wait.refusal)
    try {
      await stream(agent, first.value, reply, wait.value)
    } catch (error) {
      failed(log, error, request)
    } finally {
      wait.value.release()
      reply.raw.end()
    }
    return reply
  }

  async function stream(agent: AgentId, first: InboxPage, reply: FastifyReply, { signal }: Wait): Promise<void> {
    const { raw } = reply.hijack()
    openStream(raw)
    let after = (await sentAll(first, raw, signal)) ? first.next : undefined
    while (after !== undefined && !signal.aborted) after = await sendPage(agent, after, raw, signal)
  }

  /** Sends what comes after the cursor, or a comment when nothing comes. Answers the new cursor; undefined: give up. */
  async function sendPage(
    agent: AgentId,
    after: number,
    raw: ServerResponse,
    signal: AbortSignal
  ): Promise<number | undefined> {
    const began = clock.now()
    const page = await door.inbox(agent, { after, waitSeconds: HEARTBEAT_SECONDS, limit: PAGE }, signal)
    if (!page.ok || !(await sentAll(page.value, raw, signal))) return undefined
    const { items, next } = page.value
    if (items.length > 0) return next
    if (clock.now() - began < HEARTBEAT_SECONDS * SECOND) await pause(LOOK_MS, signal, clock)
    else if (!(await sent(raw, ': nothing new\n\n', signal, clock))) return undefined
    return next
  }

  async function sentAll({ items }: InboxPage, raw: ServerResponse, signal: AbortSignal): Promise<boolean> {
    for (const item of items) if (!(await sent(raw, eventOf(item), signal, clock))) return false
    return true
  }
}

/** The last event that the caller saw, as browsers and libraries say it when they come back; else `after`. */
function startOf(request: FastifyRequest, query: InputOf<'events.read'>['query']): Result<number | undefined> {
  const said = request.raw.headersDistinct['last-event-id']
  if (said === undefined) return ok(query.after)
  const [id = ''] = said
  const cursor = Number(id)
  if (said.length === 1 && CURSOR.test(id) && Number.isSafeInteger(cursor)) return ok(cursor)
  return fail(badRequest('invalid_field', 'Last-Event-ID must be the id of an event, once', 'Last-Event-ID'))
}

/** The inbox knows a cursor as `after`; the caller may have said it in the header. */
function namedAsSaid(refused: Refusal, request: FastifyRequest): Refusal {
  const inHeader = request.raw.headersDistinct['last-event-id'] !== undefined && refused.details.field === 'after'
  return inHeader ? { ...refused, details: { ...refused.details, field: 'Last-Event-ID' } } : refused
}

function startingAt(after: number | undefined): { readonly after?: number } {
  return after === undefined ? {} : { after }
}

/** JSON text has no line breaks, so one `data` line holds it whatever the item says. */
function eventOf(item: InboxItem): string {
  return `id: ${item.cursor}\ndata: ${JSON.stringify(item)}\n\n`
}
