import { visible } from '../../../base/visible.js'
import { Facts, Id, StateBadge, Time } from '../../parts/basics.js'
import { Plan } from '../../parts/plan.js'
import type { Moment } from '../../words/timeline.js'

type JobMomentOf = Exclude<Moment, { readonly kind: 'proposal' | 'confirm' }>

/** A step of a paid job. */
export function JobMoment({ moment }: { readonly moment: JobMomentOf }) {
  switch (moment.kind) {
    case 'attempt':
      return (
        <details>
          <summary class="moment-head">
            Payment {moment.attempt.attempt} promised <StateBadge list="attempt" state={moment.attempt.state} />{' '}
            <When at={moment.at} />
          </summary>
          <Facts
            rows={[
              ['Paid from', <Id key="payer">{moment.attempt.payer}</Id>],
              ['Reference', <Id key="reference">{moment.attempt.reference}</Id>],
              ['Transaction', signature(moment.attempt.signature)],
              ['Code', moment.attempt.code === undefined ? undefined : visible(moment.attempt.code)]
            ]}
          />
        </details>
      )
    case 'receipt':
      return (
        <details>
          <summary class="moment-head">
            The provider says that it has the money <When at={moment.at} />
          </summary>
          <Facts
            rows={[
              ['Transaction', signature(moment.receipt.signature)],
              ['Slot', String(moment.receipt.slot)]
            ]}
          />
        </details>
      )
    case 'delivery':
      return (
        <details open>
          <summary class="moment-head">
            Work delivered <When at={moment.at} />
          </summary>
          <Plan
            caption="What was delivered"
            plan={{
              artifacts: moment.delivery.artifacts,
              ...(moment.delivery.evidence === undefined ? {} : { evidence: moment.delivery.evidence }),
              ...(moment.delivery.summary === undefined ? {} : { summary: moment.delivery.summary })
            }}
          />
        </details>
      )
    case 'completed':
      return (
        <p class="moment-head">
          The hirer took the work <When at={moment.at} />
        </p>
      )
  }
}

function When({ at }: { readonly at: string }) {
  return (
    <span class="small">
      <Time at={at} />
    </span>
  )
}

function signature(text: string | undefined) {
  return text === undefined ? undefined : <Id>{text}</Id>
}
