import type { AgentId } from '../base/ids.js'

/** The listener that a request came in by. */
export interface Place {
  readonly name: string
  /** Set on an agent's own socket: only that agent, and no owner routes. */
  readonly only?: AgentId
  /** Web browsers reach it: the owner's page and its sessions are there. */
  readonly page?: true
}
