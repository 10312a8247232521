import { useAnswer } from '../../client/use-answer.js'
import { Card } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Empty, Show } from '../../parts/states.js'
import { ApprovalCard } from '../approvals/approval-card.js'
import { Health } from './health.js'
import { Asking } from './asking.js'

/** What needs the owner now, and how the node is. */
export function Home() {
  const approvals = useAnswer('owner.approvals.list', ['approvals'], { query: { status: 'pending', limit: 5 } })
  const waiting = approvals.state === 'ready' ? approvals.value.items.length : 0
  return (
    <Page title={titleOf(approvals.state === 'ready', waiting)}>
      <div class="stack">
        <Show of={approvals}>
          {({ items, next }) =>
            items.length === 0 ? (
              <Empty title="All is decided.">
                <p>Your agents work within your rules. What they may not decide stands here.</p>
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
                {next === undefined ? null : <a href="#/approvals">All that waits for you</a>}
              </>
            )
          }
        </Show>
        <Asking />
        <Card title="Your node">
          <Health />
        </Card>
      </div>
    </Page>
  )
}

function titleOf(known: boolean, waiting: number): string {
  if (!known || waiting === 0) return 'Home'
  return waiting === 1 ? 'One thing needs you' : `${waiting === 5 ? 'Some' : waiting} things need you`
}
