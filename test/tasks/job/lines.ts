import type { TypeHash } from '../../../src/base/ids.js'
import { isoOf } from '../../../src/base/time.js'
import { type Content, EXPIRES, idOf, say } from '../entries.js'

/** Words of a paid job for tests, beside those of a negotiation. */

export const JOB_PLAN = {
  brief: 'Draw a logo',
  deliverable: 'One SVG file',
  deadline: '2026-12-01',
  price: '0.25',
  payTo: '7'.repeat(44),
  cluster: 'solana:localnet'
}

const PAYER = '4'.repeat(44)
const ARTIFACT = { name: 'logo', location: 'logo.svg', mediaType: 'image/svg+xml', size: 1, sha256: 'a'.repeat(64) }

export const job = {
  ...say,
  invite: (expiresAt = EXPIRES): Content => ({
    kind: 'task.invite',
    body: {
      type: { name: 'job.request', version: 1, hash: 'b'.repeat(64) as TypeHash, definition: {} },
      expiresAt: isoOf(expiresAt),
      proposal: JOB_PLAN
    }
  }),
  /** Attempts differ in their reference. */
  pay: (of: string, attempt = 1, reference = attempt): Content => ({
    kind: 'job.pay',
    body: { proposalId: idOf(of), attempt, reference: String(reference).repeat(32), payer: PAYER }
  }),
  unpaid: (attempt = 1): Content => ({ kind: 'job.unpaid', body: { attempt } }),
  paid: (attempt = 1, signature = attempt): Content => ({
    kind: 'job.paid',
    body: { attempt, signature: String(signature).repeat(64), slot: 7 }
  }),
  deliver: (): Content => ({ kind: 'job.deliver', body: { artifacts: [ARTIFACT] } }),
  complete: (): Content => ({ kind: 'job.complete', body: {} })
}
