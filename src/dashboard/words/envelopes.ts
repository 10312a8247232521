import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { handleWords } from './contacts.js'

/** Delegated work in the words of an owner. */

export type Envelope = AnswerOf<'owner.envelopes.list'>['items'][number]

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected'])

/** What it is for, in one line. */
export function objectiveOf({ contract, taskId }: Envelope): string {
  const { objective } = contract
  return visible(typeof objective === 'string' ? objective : taskId)
}

/** Only its sender may cancel it, and only while it lives. */
export function canCancel(envelope: Envelope): boolean {
  return envelope.role === 'sender' && !ENDED.has(envelope.state) && envelope.cancelRequested !== true
}

/** Whether time alone can end it. */
export function endsByTime(envelope: Pick<Envelope, 'state'>): boolean {
  return !ENDED.has(envelope.state)
}

/** `Delegated to @bob`, `Delegated by @bob`. */
export function directionWords({ role, participantHandle }: Envelope): string {
  const other = handleWords(participantHandle)
  return role === 'sender' ? `Delegated to ${other}` : `Delegated by ${other}`
}

/** A path of a context; the empty one is all of it. */
export function pathWords(path: string): string {
  return path === '' ? 'everything in it' : visible(path)
}
