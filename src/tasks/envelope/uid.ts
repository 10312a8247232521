import { toUtf8 } from '../../base/bytes.js'
import { canonicalText } from '../../base/canonical.js'
import { sha256Hex } from '../../base/digest.js'
import type { AgentId, TaskUid } from '../../base/ids.js'

/**
 * The uid under which the messages of a delegated task travel: it follows from who asks whom and the id that the caller
 * chose, so that one id names one task for good and no contact can take an id of another's.
 * Source: protocols/envelopes.md, "Task id".
 */
export function envelopeUid(sender: AgentId, recipient: AgentId, taskId: string): TaskUid {
  const text = canonicalText(['agentlink/envelope-uid/1', sender, recipient, taskId])
  return sha256Hex(toUtf8(text)).slice(0, 32) as TaskUid
}
