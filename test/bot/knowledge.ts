/** What the bot has learned from answers: ids and the state of its tasks, the newest of each. */
import type { JsonObject } from '../../src/base/json.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { Prng } from '../sim/prng.js'

/** Things remembered of each kind: enough to mix old and new. */
const MOST = 40

export interface Question {
  readonly approvalId: string
  /** The call that was answered with it, to make it again. */
  readonly route: string
  readonly body: JsonObject
  readonly taskUid?: string
}

export class Knowledge {
  readonly tasks = new Map<string, TaskView>()
  readonly envelopes = new Map<string, EnvelopeView>()
  readonly approvals = new Map<string, Question>()
  readonly pages = new Map<string, true>()
  cursor = 0

  /** `foreign`: ids of another agent of the same node, never the bot's to use. */
  constructor(readonly foreign: readonly string[]) {}

  /** Takes in whatever an answer shows. */
  learn(answer: unknown, asked: Omit<Question, 'approvalId' | 'taskUid'>): void {
    if (typeof answer !== 'object' || answer === null) return
    const said = answer as JsonObject
    if (typeof said['approvalId'] === 'string') this.#noteQuestion(said, asked)
    if (typeof said['next'] === 'string') remember(this.pages, said['next'], true)
    if (typeof said['next'] === 'number') this.cursor = said['next']
    for (const one of [said['task'], said['envelope'], ...listIn(said)]) this.#note(one)
  }

  #noteQuestion(said: JsonObject, { route, body }: Omit<Question, 'approvalId' | 'taskUid'>): void {
    const approvalId = String(said['approvalId'])
    const taskUid = typeof said['taskUid'] === 'string' ? { taskUid: said['taskUid'] } : {}
    remember(this.approvals, approvalId, { approvalId, route, body, ...taskUid })
  }

  #note(one: unknown): void {
    if (typeof one !== 'object' || one === null) return
    if ('proposals' in one) remember(this.tasks, (one as TaskView).taskUid, one as TaskView)
    if ('contract' in one) remember(this.envelopes, (one as EnvelopeView).taskId, one as EnvelopeView)
  }
}

function listIn(said: JsonObject): readonly unknown[] {
  return Array.isArray(said['items']) ? said['items'] : []
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > MOST && oldest !== undefined) map.delete(oldest)
}

/** As a rule a value for which `wanted` holds, if there is one. */
export function pickFrom<V>(
  map: ReadonlyMap<string, V>,
  prng: Prng,
  wanted: (value: V) => boolean = () => true
): V | undefined {
  const all = [...map.values()]
  const fit = all.filter(wanted)
  const from = fit.length > 0 && prng.chance(0.85) ? fit : all
  return from.length === 0 ? undefined : prng.pick(from)
}
