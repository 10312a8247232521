import type { PageProps } from '../../parts/page.js'
import { upFrom } from '../../words/place.js'
import { ApprovalPage } from './approval-page.js'
import { ApprovalsList } from './approvals-list.js'

/** What the agents ask to be allowed. */
export function Approvals({ rest, query }: PageProps) {
  const [id] = rest
  return id === undefined ? (
    <ApprovalsList status={query['status'] ?? 'pending'} />
  ) : (
    <ApprovalPage id={id} up={upFrom(query['from'], { href: '#/approvals', text: 'Approvals' })} />
  )
}
