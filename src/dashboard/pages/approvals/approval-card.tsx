import { StateBadge, Theirs, Time } from '../../parts/basics.js'
import { type Approval, deedOf, planTypeOf } from '../../words/approvals.js'
import { capabilityWords } from '../../words/capabilities.js'
import { addressOf } from '../../words/place.js'

interface ApprovalCardProps {
  readonly approval: Approval
  /** Where it stands among the headings of the page. */
  readonly heading?: 'h2' | 'h3'
  /** The page that it stands on, where that is not the list of all questions. */
  readonly from?: string
}

/** A question in short, and the way to it. */
export function ApprovalCard({ approval, heading: Heading = 'h2', from }: ApprovalCardProps) {
  const open = approval.status === 'pending'
  const about = planTypeOf(approval)
  return (
    <article class={`card line-card${open ? ' card-wait' : ''}`}>
      <div class="line-card-text">
        <Heading class="line-title">
          <a class="cover" href={addressOf(['approvals', approval.approvalId], { from })}>
            {deedOf(approval)}
          </a>
        </Heading>
        <p class="small">
          {approval.kind === 'type' ? 'From' : 'With'} <Theirs>{approval.participantHandle}</Theirs>
          {about === undefined ? null : ` · ${about}`}
          {approval.capabilities.length === 0 ? null : ` · ${approval.capabilities.map(capabilityWords).join(', ')}`}
          {open ? (
            <>
              {' · asked '}
              <Time at={approval.createdAt} />
            </>
          ) : null}
        </p>
      </div>
      <div class="line-card-aside">
        <StateBadge list="approval" state={approval.status} />
        <span class="small">
          {open ? 'ends ' : 'asked '}
          <Time at={open ? approval.expiresAt : approval.createdAt} />
        </span>
      </div>
    </article>
  )
}
