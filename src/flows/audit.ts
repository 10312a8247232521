import { type AuditDraft, type AuditHead, EMPTY_AUDIT, writeEntry } from '../policy/audit.js'
import { META, countPart } from './keys.js'
import type { Tx } from './ports.js'

/**
 * The audit log: each effect stages its entry in its own step, so that neither is ever on disk without the other. Entries
 * are added and nothing else: no step can delete one (`Tx.del` doesn't take the table), and none is ever written again,
 * because the place is always the one above the head. Source: protocols/audit.md.
 */

/** How many entries there are, and what the next one must name. */
export function auditHead(tx: Pick<Tx, 'get'>): AuditHead {
  return (tx.get('meta', META.audit) as AuditHead | undefined) ?? EMPTY_AUDIT
}

/** Stages one entry. Its members are references and codes: never a plan, a text that somebody wrote, or a secret. */
export function record(tx: Pick<Tx, 'get' | 'put'>, draft: AuditDraft): void {
  const { bytes, head } = writeEntry(auditHead(tx), draft)
  tx.put('audit', countPart(head.seq), bytes)
  tx.put('meta', META.audit, { seq: head.seq, hash: head.hash })
}
