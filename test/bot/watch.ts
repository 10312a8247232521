/**
 * What must hold at every frame that leaves the attacked node and at every answer that the bot gets, judged apart from
 * the code under test.
 */
import type { Json, JsonObject } from '../../src/base/json.js'
import { DETAIL_CODES, REFUSAL_CODES } from '../../src/base/refusal.js'
import { routeOf } from '../../src/api/routes.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import { decodeFrame } from '../../src/wire/frames.js'
import { peekEnvelope } from '../../src/wire/signed-envelope.js'
import type { Call } from './calls.js'
import { patternOf } from './canaries.js'
import type { Household } from './household.js'
import { contentOf } from './people.js'
import { FREE_KINDS, type Peer, effectOf, guardedIn } from './rules.js'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** HTTP status by code, from protocols/refusal-codes.md; what is 500 and above is a fault here, whatever its code. */
const STATUS: Readonly<Record<string, readonly number[]>> = {
  bad_request: [400, 405],
  unauthorized: [401],
  policy_denied: [403],
  not_found: [404],
  conflict: [409],
  too_large: [413],
  unsupported_media_type: [415],
  rate_limited: [429]
}

const NEVER = patternOf('never')
const OTHER = patternOf('other')

/** A yes of the owner, as the owner saw what it was for. */
interface Yes {
  readonly kind: OwnerApprovalView['kind']
  readonly to: string
  readonly taskUid: string | undefined
  readonly action: string
  readonly content: string
  /** Whether a message has left under it. */
  spent: boolean
}

export interface Watch {
  /** What went wrong first. */
  readonly fault: () => string | undefined
  /** How often each outcome came about. */
  readonly counts: Map<string, number>
  /** The owner is about to say yes. */
  allow(asked: OwnerApprovalView): void
  /** Takes in every frame since the last time. */
  frames(): Promise<void>
  answer(call: Call, answer: Answer): void
}

/** `foreign`: ids of another agent of the node. */
export function createWatch(house: Household, foreign: readonly string[]): Watch {
  const { home, away, wires, tokens } = house
  const counts = new Map<string, number>()
  const yeses: Yes[] = []
  const judged = new Set<string>()
  const peerOf = new Map<string, Peer>([
    [away.agents['bob'] ?? '', 'bob'],
    [away.agents['carol'] ?? '', 'carol']
  ])
  let fault: string | undefined

  const broken = (what: string): void => void (fault ??= what)
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

  async function frames(): Promise<void> {
    const { said } = wires
    wires.forget()
    for (const { from, bytes } of said) {
      if (from !== home.peerId) continue
      const leak = NEVER.exec(Buffer.from(bytes).toString('latin1'))
      if (leak !== null) broken(`${leak[0]} left the node`)
      const frame = decodeFrame(bytes)
      if (frame.ok && frame.value.type === 'message') await message(frame.value.bytes)
    }
  }

  async function message(bytes: Uint8Array): Promise<void> {
    const opened = peekEnvelope(bytes)
    if (!opened.ok) return broken('a message left that can not be read')
    const text = Buffer.from(opened.value.payload).toString('utf8')
    if (judged.has(text)) return
    judged.add(text)
    const { from, to, kind, body, task } = JSON.parse(text) as Message
    if (from !== home.agents['alice']) return
    const peer = peerOf.get(to)
    if (peer === undefined) return broken(`${kind} left for ${to}, who is no contact`)
    count(`${kind} to ${peer}`)
    const guarded = guardedIn(kind, body)
    if (guarded === undefined) return FREE_KINDS.includes(kind) ? undefined : broken(`${kind} left, which has no rule`)
    const { capabilities, content } = guarded
    const effects = capabilities.map((capability) => effectOf(peer, capability))
    if (effects.includes('deny')) return broken(`${kind} left for ${peer} although ${capabilities.join()} is denied`)
    const isAction = kind === 'task.confirm'
    const bound = isAction ? await recorded(from, task?.uid ?? '', body) : canonical(content)
    if (effects.includes('ask')) spend(text, { kind, to, taskUid: isAction ? task?.uid : undefined, body, bound })
  }

  /** The params as they were recorded, whole: a confirm may tell of nothing else, and of no other value. */
  async function recorded(agent: string, taskUid: string, body: JsonObject): Promise<string> {
    const records = await home.store.range('actions', { prefix: `${agent}/${taskUid}/` })
    const record = records.map(([, one]) => one).find((one) => one.recordId === body['recordId'])
    if (record === undefined) return ''
    const told = Object.entries(body['params'] as JsonObject)
    const isWithin = told.every(([name, value]) => canonical(record.params[name] ?? null) === canonical(value))
    if (!isWithin) broken(`a confirm of ${record.recordId} tells what was not recorded`)
    return canonical(record.params)
  }

  /** Finds the yes that a message left under, and uses it up. */
  function spend(text: string, { kind, to, taskUid, body, bound }: Spent): void {
    const yes = yeses.find((one) => {
      if (one.to !== to || one.spent || !isOf(one, kind) || one.content !== bound) return false
      return kind !== 'task.confirm' || (one.taskUid === taskUid && one.action === body['action'])
    })
    if (yes === undefined) return broken(`${kind} left without a yes to its bytes: ${text.slice(0, 600)}`)
    yes.spent = true
    count(`${kind} under a yes`)
  }

  function answer(call: Call, { status, text }: Answer): void {
    const { route } = call
    const { auth } = routeOf(route)
    count(`${route} ${status}`)
    if (status === 0) return
    for (const [what, secret] of Object.entries(tokens)) {
      if (what !== 'alice' && text.includes(secret)) broken(`${route} answered with the secret of ${what}`)
    }
    const leak = OTHER.exec(text)
    if (leak !== null) broken(`${route} showed ${leak[0]} of another agent`)
    if (status >= 500) return broken(`${route} answered ${status}: ${text.slice(0, 300)}`)
    if (status < 300 && foreign.some((id) => names(call, id))) broken(`${route} took the id of another agent`)
    if (status < 300) return auth === 'owner' ? broken(`${route} let an agent in`) : undefined
    const code = refusalIn(status, text)
    if (code === undefined)
      return broken(`${route} refused outside of the closed list: ${status} ${text.slice(0, 300)}`)
    count(`refused ${code}`)
  }

  return {
    fault: () => fault ?? house.broken[0],
    counts,
    allow: (asked) =>
      void yeses.push({
        kind: asked.kind,
        to: asked.participant,
        taskUid: asked.taskUid,
        action: 'action' in asked ? asked.action : '',
        content: canonical(contentOf(asked)),
        spent: false
      }),
    frames,
    answer
  }
}

interface Message {
  readonly from: string
  readonly to: string
  readonly kind: string
  readonly body: JsonObject
  readonly task?: { readonly uid: string } | undefined
}

/** Whether a call is about the thing of that id. */
function names({ target, body }: Call, id: string): boolean {
  return target.split('?')[0]?.includes(id) === true || body?.includes(id) === true
}

type Spent = Pick<Message, 'kind' | 'to' | 'body'> & { readonly taskUid: string | undefined; readonly bound: string }

function isOf(yes: Yes, kind: string): boolean {
  if (kind === 'task.confirm') return yes.kind === 'action'
  if (kind.startsWith('envelope.')) return yes.kind === 'envelope' && yes.action === kind
  return yes.kind === 'disclosure' && yes.action === (kind === 'task.invite' ? 'create' : 'propose')
}

/** Members sorted, no spaces: enough to compare what came out of canonical JSON. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one
  )
}

/** The codes of a refusal in the one shape that all have; undefined for anything else. */
function refusalIn(status: number, text: string): string | undefined {
  try {
    const { error, ...rest } = JSON.parse(text) as { error: JsonObject }
    const { code, message, details } = error
    const inner = (details as JsonObject)['code']
    const known = (REFUSAL_CODES as readonly unknown[]).includes(code)
    const innerKnown = inner === undefined || (DETAIL_CODES as readonly unknown[]).includes(inner)
    const fits = STATUS[String(code)]?.includes(status) === true
    const whole = Object.keys(rest).length === 0 && typeof message === 'string' && message !== ''
    return known && innerKnown && fits && whole ? `${String(code)} ${String(inner ?? '')}`.trim() : undefined
  } catch {
    return undefined
  }
}
