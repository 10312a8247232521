import type { AgentId } from '../base/ids.js'
import type { Json } from '../base/json.js'
import { badRequest, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { isoOf } from '../base/time.js'
import { isTerminal } from '../tasks/envelope/lifecycle.js'
import { type Artifact, type Evidence, artifact, evidence } from '../wire/envelope-bodies.js'
import { LIMITS } from '../wire/limits.js'
import type { AgentDoor } from './doors.js'
import type { EnvelopeBook } from './envelope-book.js'
import type { EnvelopeDesk } from './envelope-desk.js'
import { liveOf, ownedOf } from './envelope-owned.js'
import type { EnvelopePlanner } from './envelope-plan.js'
import type { EnvelopeSubmit } from './envelope-submit.js'
import type { EnvelopeViews } from './envelope-view.js'
import { agentPrefix, taskKey } from './keys.js'
import type { Clock, Store, Tx } from './ports.js'
import type { EnvelopeRecord, StagedRecord } from './records/envelopes.js'
import type { StepTx, Steps } from './steps.js'
import type { EnvelopeView, OwnedView } from './views/envelopes.js'
import type { Page } from './views/pages.js'

/** What an agent may do with delegated tasks: writes go through `envelope-submit`, reads and staging are here. */
export type EnvelopeDoor = Pick<
  AgentDoor,
  'envelope' | 'listEnvelopes' | 'getEnvelope' | 'ownedEnvelopes' | 'stageArtifacts' | 'stageEvidence'
>

const EMPTY: StagedRecord = { artifacts: [] }

export function createEnvelopeDoor(components: {
  readonly store: Store
  readonly steps: Steps
  readonly book: EnvelopeBook
  readonly desk: EnvelopeDesk
  readonly planner: EnvelopePlanner
  readonly submit: EnvelopeSubmit
  readonly views: EnvelopeViews
  readonly clock: Clock
}): EnvelopeDoor {
  const { store, steps, book, desk, planner, submit, views, clock } = components

  /** A view that shows an end for the first time stores that; any other only reads. */
  async function show(agent: AgentId, taskId: string): Promise<Result<EnvelopeView>> {
    const seen = await steps.read((tx) => {
      const found = planner.find(tx, agent, taskId)
      if (!found.ok) return found
      const now = clock.now()
      return book.mustLatch(tx, found.value, now) ? undefined : ok(views.envelope(tx, found.value, now))
    })
    return (
      seen ??
      steps.run((tx) => {
        const found = planner.find(tx, agent, taskId)
        const now = clock.now()
        return found.ok ? ok(views.envelope(tx, desk.settle(tx, found.value, now), now)) : found
      })
    )
  }

  async function list(
    agent: AgentId,
    options: { readonly limit: number; readonly after?: string; readonly state?: string; readonly role?: string }
  ): Promise<Result<Page<EnvelopeView>>> {
    const prefix = agentPrefix(agent)
    const items: EnvelopeView[] = []
    let before = options.after
    if (before !== undefined && !/^\d{15}\/[0-9a-f]{32}$/.test(before)) {
      return fail(badRequest('invalid_field', 'after must be the `next` of an earlier page', 'after'))
    }
    const isWanted = (one: EnvelopeView): boolean =>
      (options.state === undefined || one.state === options.state) &&
      (options.role === undefined || one.role === options.role)
    for (;;) {
      const place = before === undefined ? {} : { before }
      const chunk = await store.range('envelopeOrder', { prefix, reverse: true, limit: options.limit + 1, ...place })
      for (const [key, uid] of chunk) {
        if (items.length === options.limit) return ok({ items, next: before ?? '' })
        before = key.slice(prefix.length)
        const view = await show(agent, uid)
        if (view.ok && isWanted(view.value)) items.push(view.value)
      }
      if (chunk.length <= options.limit) return ok({ items })
    }
  }

  function owned(agent: AgentId): Promise<Page<OwnedView>> {
    return steps.read((tx) => ({
      items: liveOf(tx, agent).flatMap(({ uid, contextID }) => {
        const record = book.find(tx, agent, uid)
        if (record === undefined || record.expiresAt < clock.now()) return []
        const { taskId, peer: participant, expiresAt } = record
        return [{ taskId, participant, contextID, paths: ownedOf(tx, record, contextID), until: isoOf(expiresAt) }]
      })
    }))
  }

  /** Staging is for the recipient, while the task lives. */
  function stage(
    agent: AgentId,
    taskId: string,
    change: (before: StagedRecord) => StagedRecord
  ): Promise<Result<EnvelopeView>> {
    return steps.run((tx) => {
      const now = clock.now()
      const record = stageable(tx, agent, taskId)
      if (!record.ok) return record
      const key = taskKey(agent, record.value.uid)
      tx.put('staged', key, change(tx.get('staged', key) ?? EMPTY))
      return ok(views.envelope(tx, record.value, now))
    })
  }

  function stageable(tx: StepTx, agent: AgentId, taskId: string): Result<EnvelopeRecord> {
    const found = planner.find(tx, agent, taskId)
    if (!found.ok) return found
    const record = desk.settle(tx, found.value, clock.now())
    const { state } = book.report(tx as Pick<Tx, 'get'>, record, clock.now())
    if (record.role === 'inviter') return illegal('You sent this task: its recipient records what proves it.')
    if (isTerminal(state)) return illegal(`The task is ${state}: it takes nothing more.`)
    return state === 'submitted' ? illegal('Claim the task before you record work on it.') : ok(record)
  }

  return {
    envelope: submit.submit,
    listEnvelopes: list,
    getEnvelope: show,
    ownedEnvelopes: owned,
    async stageArtifacts(agent, taskId, artifacts) {
      if (artifacts.length > LIMITS.artifacts) {
        return fail(badRequest('invalid_field', `artifacts takes at most ${LIMITS.artifacts}`, 'artifacts'))
      }
      for (const [at, one] of artifacts.entries()) {
        const fault = artifact.fault(one as Json)
        if (fault !== undefined) return misshapen(`artifacts[${at}]`, fault)
      }
      return stage(agent, taskId, (before) => ({ ...before, artifacts: artifacts as unknown as Artifact[] }))
    },
    async stageEvidence(agent, taskId, proof) {
      const fault = evidence.fault(proof as Json)
      if (fault !== undefined) return misshapen('evidence', fault)
      return stage(agent, taskId, (before) => ({ ...before, evidence: proof as unknown as Evidence }))
    }
  }
}

function misshapen(
  under: string,
  fault: {
    readonly code: 'unknown_member' | 'missing_field' | 'invalid_field'
    readonly path: string
    readonly want: string
  }
): ReturnType<typeof fail> {
  const field = fault.path === '' ? under : `${under}.${fault.path}`
  return fail(badRequest(fault.code, `${field} ${fault.want}`, field))
}

function illegal(message: string): ReturnType<typeof fail> {
  return fail(conflict('illegal_transition', message))
}
