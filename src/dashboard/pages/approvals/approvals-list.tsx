import { APPROVAL_STATUSES } from '../../../api/words.js'
import type { CallInput } from '../../client/call.js'
import { useAnswer } from '../../client/use-answer.js'
import { Listed, useExtent } from '../../parts/listed.js'
import { Page } from '../../parts/page.js'
import { Empty } from '../../parts/states.js'
import { Tabs } from '../../parts/tabs.js'
import { addressOf } from '../../words/place.js'
import { ApprovalCard } from './approval-card.js'

type Query = NonNullable<CallInput<'owner.approvals.list'>['query']>

/** The questions, those that wait first. */
export function ApprovalsList({ status }: { readonly status: string }) {
  const extent = useExtent()
  const { limit } = extent
  const known = APPROVAL_STATUSES.find((one) => one === status)
  const query: Query = known === undefined ? { limit } : { limit, status: known }
  const page = useAnswer('owner.approvals.list', ['approvals'], { query })
  const tabs = [
    { href: addressOf(['approvals']), text: 'Waiting', current: status === 'pending' },
    { href: addressOf(['approvals'], { status: 'all' }), text: 'All', current: status !== 'pending' }
  ]
  return (
    <Page
      title="Approvals"
      lead="What your agents may not do without your yes. Each question is about exact bytes, and takes one answer."
    >
      <Tabs label="Which approvals" tabs={tabs} />
      <Listed
        of={page}
        extent={extent}
        keyOf={(approval) => approval.approvalId}
        empty={
          <Empty title={status === 'pending' ? 'Nothing waits for you.' : 'No questions yet.'}>
            <p>When an agent wants to say or do something that your rules leave to you, it stands here.</p>
          </Empty>
        }
      >
        {(approval) => <ApprovalCard approval={approval} />}
      </Listed>
    </Page>
  )
}
