import type { JsonObject } from '../base/json.js'
import { type Instant, isoOf } from '../base/time.js'
import { bind } from '../policy/bind.js'
import type { EnvelopeReport } from '../tasks/envelope/report.js'
import type { ReducedEnvelope } from '../tasks/envelope/fold.js'
import { entriesMeeting } from '../tasks/envelope/ownership.js'
import { proofOf } from '../tasks/envelope/proof.js'
import { envelopeUid } from '../tasks/envelope/uid.js'
import { type Pair, chainOf } from './chain.js'
import type { EnvelopeBook } from './envelope-book.js'
import { taskKey } from './keys.js'
import type { Tx } from './ports.js'
import type { EnvelopeRecord } from './records/envelopes.js'
import type { EnvelopeView } from './views/envelopes.js'
import type { DeliveryView } from './views/tasks.js'

/** Delegated tasks as the API shows them (protocols/socket-api.md, "Task envelopes"). */
export interface EnvelopeViews {
  envelope(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): EnvelopeView
  /** The contract as this agent may read it: a recipient's agent sees the bound copy alone. */
  contract(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): Pick<EnvelopeView, 'contract' | 'toolsGranted'>
}

export function createEnvelopeViews(components: {
  readonly book: EnvelopeBook
  readonly obstacle: (pair: Pair) => string | undefined
}): EnvelopeViews {
  const { book, obstacle } = components

  function contract(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): Pick<EnvelopeView, 'contract' | 'toolsGranted'> {
    const came = book.contract(tx, record)
    if (record.role === 'inviter') return { contract: came as unknown as JsonObject }
    const { toolsGranted, ...rest } = bind(came, record.toolsGranted ?? [])
    return { contract: rest as unknown as JsonObject, toolsGranted }
  }

  function envelope(tx: Pick<Tx, 'get'>, record: EnvelopeRecord, now: Instant): EnvelopeView {
    const report = book.report(tx, record, now)
    const { reduced } = report
    const staged = tx.get('staged', taskKey(record.agent, record.uid))
    return {
      taskId: record.taskId,
      taskUid: record.uid,
      participant: record.peer,
      role: record.role === 'inviter' ? 'sender' : 'recipient',
      ...stateOf(report),
      ...conflictOf(tx, record, reduced),
      createdAt: isoOf(record.createdAt),
      expiresAt: isoOf(record.expiresAt),
      ...contract(tx, record),
      dependencies: report.dependencies,
      questions: questionsOf(reduced),
      ...(staged === undefined ? {} : { staged: staged as unknown as JsonObject }),
      ...resultOf(reduced),
      verdicts: reduced.verdicts.map(
        ({ at, body: { of: _of, ...rest } }) => ({ at, ...rest }) as unknown as JsonObject
      ),
      proof: proofOf(reduced),
      delivery: delivery(tx, record)
    }
  }

  /** The task that owns something of this one's, and which entries of this one it meets, where it is here. */
  function conflictOf(
    tx: Pick<Tx, 'get'>,
    record: EnvelopeRecord,
    { conflictsWith }: ReducedEnvelope
  ): Pick<EnvelopeView, 'conflictsWith' | 'conflictingFiles'> {
    if (conflictsWith === undefined) return {}
    const [sender, recipient] = record.role === 'inviter' ? [record.agent, record.peer] : [record.peer, record.agent]
    const owner = book.find(tx, record.agent, envelopeUid(sender, recipient, conflictsWith))
    if (owner === undefined) return { conflictsWith }
    const [refused, owning] = [book.contract(tx, record), book.contract(tx, owner)]
    const isOneContext = refused.contextID === owning.contextID
    const files = isOneContext ? entriesMeeting(refused.filesAndInterfaces, owning.filesAndInterfaces) : []
    return { conflictsWith, ...(files.length === 0 ? {} : { conflictingFiles: files }) }
  }

  function delivery(tx: Pick<Tx, 'get'>, record: EnvelopeRecord): DeliveryView {
    const { acked } = chainOf(tx, record)
    const pending = record.mine.filter((seq) => seq > acked).length
    if (pending === 0) return { state: 'delivered', pending }
    const reason = obstacle(record)
    return { state: 'queued', pending, ...(reason === undefined ? {} : { reason }) }
  }

  return { envelope, contract }
}

function stateOf(
  report: EnvelopeReport
): Pick<EnvelopeView, 'state' | 'code' | 'reason' | 'cancelRequested' | 'claimable'> {
  const { state, code, reason, cancelRequested, claimable } = report
  return {
    state,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(cancelRequested ? { cancelRequested: true } : {}),
    claimable
  }
}

function questionsOf({ questions }: ReducedEnvelope): EnvelopeView['questions'] {
  return questions.map(({ id, at, body, answer }) => ({
    questionId: id,
    at,
    state: body.state,
    ...(body.code === undefined ? {} : { code: body.code }),
    ...(body.reason === undefined ? {} : { reason: body.reason }),
    ...(answer === undefined ? {} : { answer: { at: answer.at, text: answer.body.text } })
  }))
}

function resultOf({ result }: ReducedEnvelope): Pick<EnvelopeView, 'result'> {
  if (result === undefined) return {}
  return { result: { resultId: result.id, at: result.at, ...result.body } as unknown as JsonObject }
}
