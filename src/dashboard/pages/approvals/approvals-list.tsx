import { useState } from 'preact/hooks'
import { APPROVAL_STATUSES } from './statuses.js'
import type { CallInput } from '../../client/call.js'
import { useAnswer } from '../../client/use-answer.js'
import { Button } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Empty, Show } from '../../parts/states.js'
import { Tabs } from '../../parts/tabs.js'
import { addressOf } from '../../words/place.js'
import { ApprovalCard } from './approval-card.js'

type Query = NonNullable<CallInput<'owner.approvals.list'>['query']>

/** Questions on one page. */
const PAGE = 25

/** The questions, those that wait first. */
export function ApprovalsList({ status }: { readonly status: string }) {
  const [limit, setLimit] = useState(PAGE)
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
      <Show of={page}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty title={status === 'pending' ? 'Nothing waits for you.' : 'No questions yet.'}>
              <p>When an agent wants to say or do something that your rules leave to you, it stands here.</p>
            </Empty>
          ) : (
            <>
              <ul class="stack plain-list">
                {items.map((approval) => (
                  <li key={approval.approvalId}>
                    <ApprovalCard approval={approval} />
                  </li>
                ))}
              </ul>
              {next === undefined || limit >= 200 ? null : (
                <Button onClick={() => setLimit(limit + PAGE)}>Show more</Button>
              )}
            </>
          )
        }
      </Show>
    </Page>
  )
}
