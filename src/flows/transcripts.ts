import { toBase64url } from '../base/bytes.js'
import type { AgentId } from '../base/ids.js'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { isoOf } from '../base/time.js'
import { type Transcript, sealTranscript } from '../tasks/transcript/transcript.js'
import { LIMITS } from '../wire/limits.js'
import { openReceipt } from '../wire/receipt.js'
import { receivedMessage, sentMessage } from './chain.js'
import { countPart, pairPrefix } from './keys.js'
import type { EnvelopePlanner } from './envelope-plan.js'
import type { Clock, Keyring, Store, Tx } from './ports.js'
import type { TaskRecord } from './records/tasks.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import { findVisible } from './task-view.js'

/** Tasks as files that prove themselves: what this node holds of one, sealed by the agent (protocols/transcripts.md). */
export interface Transcripts {
  /** Refuses with `not_found`, or `too_large` when no reader would take the file. */
  of(agent: AgentId, taskUid: string): Promise<Result<Transcript>>
  /** The same of a delegated task; refuses with `task_id_ambiguous` too. */
  ofEnvelope(agent: AgentId, taskId: string): Promise<Result<Transcript>>
}

/** What a negotiation and a delegated task have in common here. */
type Held = Pick<TaskRecord, 'agent' | 'peer' | 'uid' | 'role' | 'mine' | 'covers' | 'theirs'>

export function createTranscripts(components: {
  readonly store: Store
  readonly steps: Steps
  readonly book: TaskBook
  readonly envelopes: Pick<EnvelopePlanner, 'find'>
  readonly keyring: Keyring
  readonly clock: Clock
}): Transcripts {
  const { store, steps, book, envelopes, keyring, clock } = components

  async function written(find: (tx: Pick<Tx, 'get'>) => Result<Held>): Promise<Result<Transcript>> {
    const found = await steps.read(find)
    if (!found.ok) return found
    const record = found.value
    const receipts = await receiptsOf(record)
    const transcript = await steps.read((tx) => {
      const { agent, role } = record
      const mine = { agent, messages: record.mine.map((seq) => toBase64url(sentMessage(tx, record, seq).bytes)) }
      const theirs = record.theirs.map((seq) => toBase64url(receivedMessage(tx, record, seq).bytes))
      const peers = { agent: record.peer, messages: theirs }
      const parts = role === 'inviter' ? { inviter: mine, invitee: peers } : { inviter: peers, invitee: mine }
      const covers = record.covers.slice(0, receipts.covered)
      const about = { task: record.uid, exportedBy: role, exportedAt: isoOf(clock.now()) }
      return sealTranscript({ ...about, ...parts, receipts: receipts.texts, covers }, keyring.signer(agent))
    })
    return JSON.stringify(transcript).length <= LIMITS.transcriptBytes ? ok(transcript) : fail(tooLarge())
  }

  /** The receipts that were the first to cover each of our messages, and how many messages they cover. */
  async function receiptsOf(record: Held): Promise<{ texts: string[]; covered: number }> {
    const texts: string[] = []
    let upTo = 0
    for (const [index, seq] of record.mine.slice(0, record.covers.length).entries()) {
      if (seq <= upTo) continue
      const bytes = await firstReceipt(record, seq)
      const opened = bytes === undefined ? undefined : openReceipt(bytes, { from: record.peer, to: record.agent })
      // Without its receipt a cover is our word alone.
      if (bytes === undefined || opened?.ok !== true) return { texts, covered: index }
      texts.push(toBase64url(bytes))
      upTo = opened.value.upTo.seq
    }
    return { texts, covered: record.covers.length }
  }

  async function firstReceipt(record: Held, seq: number): Promise<Uint8Array | undefined> {
    const prefix = pairPrefix(record.agent, record.peer)
    const [found] = await store.range('receipts', { prefix, after: countPart(seq - 1), limit: 1 })
    return found?.[1]
  }

  return {
    of: (agent, taskUid) => written((tx) => findVisible(tx, book, agent, taskUid)),
    ofEnvelope: (agent, taskId) => written((tx) => envelopes.find(tx, agent, taskId))
  }
}

function tooLarge(): ReturnType<typeof refusal> {
  return refusal('too_large', `This task is too long for a transcript of ${LIMITS.transcriptBytes} bytes.`)
}
