import { Card } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Empty, Show } from '../../parts/states.js'
import { needsWords } from '../../words/needs.js'
import { ApprovalCard } from '../approvals/approval-card.js'
import { Health } from './health.js'
import { NeedCard } from './need-card.js'
import { Undelivered } from './undelivered.js'
import { useNeeds } from './use-needs.js'

/** What needs the owner now, what has not arrived, and how the node is. */
export function Home() {
  const needs = useNeeds()
  return (
    <Page title={titleOf(needs)}>
      <div class="stack">
        <Show of={needs}>
          {({ approvals, others }) =>
            approvals.items.length + others.length === 0 ? (
              <Empty title="Your agents work within your rules.">
                <p>What they may not decide alone comes here and waits for your answer.</p>
              </Empty>
            ) : (
              <>
                <ul class="stack plain-list">
                  {approvals.items.map((approval) => (
                    <li key={approval.approvalId}>
                      <ApprovalCard approval={approval} from="home" />
                    </li>
                  ))}
                  {others.map((need) => (
                    <li key={need.key}>
                      <NeedCard need={need} />
                    </li>
                  ))}
                </ul>
                {approvals.next === undefined ? null : <a href="#/approvals">All questions that wait for you</a>}
              </>
            )
          }
        </Show>
        <Undelivered />
        <Card title="Your node">
          <Health />
        </Card>
      </div>
    </Page>
  )
}

/** Until it is known, the page is called by its place in the menu. */
function titleOf(needs: ReturnType<typeof useNeeds>): string {
  if (needs.state !== 'ready') return 'Home'
  const { approvals, others } = needs.value
  return needsWords(approvals.items.length + others.length, approvals.next === undefined ? 'all' : 'more')
}
