import { visible } from '../../../base/visible.js'
import { useAgent } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Card, Facts, Id, Note, StateBadge, Theirs, Time } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { type Approval, deedOf, outcomeOf, placeOfSubject } from '../../words/approvals.js'
import { capabilityWords } from '../../words/capabilities.js'
import { headOf } from '../../words/job-plans.js'
import type { Up } from '../../words/place.js'
import { Answers } from './answers.js'
import { Leaves } from './leaves.js'

interface ApprovalPageProps {
  readonly id: string
  readonly up: Up
}

/** One question: everything that its yes is bound to, and the answers. */
export function ApprovalPage({ id, up }: ApprovalPageProps) {
  const answer = useAnswer('owner.approvals.read', ['approvals'], { params: { approvalId: id } })
  const title = answer.state === 'ready' ? deedOf(answer.value.approval) : 'Approval'
  return (
    <Page title={title} up={up}>
      <Show of={answer}>
        {({ approval }) => (
          <div class="stack">
            <Opening approval={approval} />
            <Leaves approval={approval} />
            {approval.status === 'pending' ? (
              <Answers approval={approval} up={up} />
            ) : (
              <Note tone="quiet">
                <p>{outcomeOf(approval)}</p>
              </Note>
            )}
          </div>
        )}
      </Show>
    </Page>
  )
}

function Opening({ approval }: { readonly approval: Approval }) {
  const own = useAgent(approval.agent)
  const place = placeOfSubject(approval)
  return (
    <Card title="Who, and until when" aside={<StateBadge list="approval" state={approval.status} />}>
      <Facts
        rows={[
          [
            approval.kind === 'type' ? 'Sent by' : 'To',
            <Party key="to" handle={approval.participantHandle} id={approval.participant} />
          ],
          [
            approval.kind === 'type' ? 'For' : 'Asked by',
            own === undefined ? <Id>{approval.agent}</Id> : `your agent ${own.name}`
          ],
          [
            'About',
            place === undefined ? undefined : <a href={place}>{headOf(approval.title ?? '') ?? subjectOf(approval)}</a>
          ],
          [
            'Needs your yes for',
            approval.capabilities.length === 0 ? undefined : <Needs names={approval.capabilities} />
          ],
          ['Asked', <Time key="asked" at={approval.createdAt} />],
          [approval.status === 'pending' ? 'Ends by itself' : 'Ended', <Time key="ends" at={approval.expiresAt} />]
        ]}
      />
    </Card>
  )
}

/** What has no title is at least called what it is. */
function subjectOf(approval: Approval): string {
  return approval.kind === 'envelope' ? 'the delegated work' : 'the task'
}

function Party({ handle, id }: { readonly handle: string; readonly id: string }) {
  return (
    <>
      <Theirs>{handle}</Theirs> <Id>{id}</Id>
    </>
  )
}

function Needs({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="plain-list">
      {names.map((name) => (
        <li key={name}>
          {capabilityWords(name)} <Badge tone="quiet">{visible(name)}</Badge>
        </li>
      ))}
    </ul>
  )
}
