import type { PageProps } from '../../parts/page.js'
import { ApprovalPage } from './approval-page.js'
import { ApprovalsList } from './approvals-list.js'

/** What the agents ask to be allowed. */
export function Approvals({ rest, query }: PageProps) {
  const [id] = rest
  return id === undefined ? <ApprovalsList status={query['status'] ?? 'pending'} /> : <ApprovalPage id={id} />
}
