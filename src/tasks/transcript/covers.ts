/** What the receipts in a transcript say about the messages of its exporter. Source: protocols/transcripts.md, "Verification". */
import { fromBase64url } from '../../base/bytes.js'
import { badRequest } from '../../base/refusal.js'
import { type Result, ok } from '../../base/result.js'
import { type Receipt, openReceipt } from '../../wire/receipt.js'
import { type LogEntry, type LogOf, otherSide } from '../log.js'
import { faultAt } from './read.js'
import type { Transcript } from './transcript.js'

/** Each message of the exporter's that counts as covered has its receipt, and counts at least as far as that says. */
export function checkCovers(transcript: Transcript, log: LogOf<LogEntry>): Result<void> {
  const receipts = openReceipts(transcript)
  if (!receipts.ok) return receipts
  const own = log[transcript.exportedBy]
  if (transcript.covers.length > own.length) {
    return faultAt(transcript, ['covers', own.length], badRequest('malformed_transcript', 'covers no message'))
  }
  for (const [index, entry] of own.entries()) {
    const first = receipts.value.find((receipt) => receipt.upTo.seq >= entry.seq)
    const why = faultOfCover(transcript.covers[index], entry, first)
    if (why === undefined) continue
    const path = index < transcript.covers.length ? ['covers', index] : ['covers']
    return faultAt(transcript, path, badRequest('malformed_transcript', why))
  }
  return ok()
}

function faultOfCover(cover: number | undefined, entry: LogEntry, first: Receipt | undefined): string | undefined {
  if (first === undefined) return cover === undefined ? undefined : 'no receipt covers this message'
  if (cover === undefined) return 'a receipt covers more than is counted'
  if (cover < first.head) return 'counts less than the receipt says'
  return first.upTo.seq === entry.seq && first.upTo.id !== entry.id ? 'its receipt is for another message' : undefined
}

function openReceipts(transcript: Transcript): Result<Receipt[]> {
  const exporter = transcript.exportedBy
  const pair = { from: transcript[otherSide(exporter)].agent, to: transcript[exporter].agent }
  const receipts: Receipt[] = []
  for (const [index, text] of transcript.receipts.entries()) {
    const receipt = openReceipt(fromBase64url(text) as Uint8Array, pair)
    if (!receipt.ok) return faultAt(transcript, ['receipts', index], receipt.refusal)
    if (receipt.value.upTo.seq <= (receipts.at(-1)?.upTo.seq ?? 0)) {
      return faultAt(
        transcript,
        ['receipts', index],
        badRequest('malformed_transcript', 'covers no more than the one before')
      )
    }
    receipts.push(receipt.value)
  }
  return ok(receipts)
}

/** The log with what the exporter counts as covered. */
export function withCovers<E extends LogEntry>({ exportedBy, covers }: Transcript, log: LogOf<E>): LogOf<E> {
  const own = log[exportedBy].map((entry, index) => {
    const coverHead = covers[index]
    return coverHead === undefined ? entry : { ...entry, coverHead }
  })
  return { ...log, [exportedBy]: own }
}
