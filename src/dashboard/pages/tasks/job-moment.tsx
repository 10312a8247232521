import { Facts, StateBadge, When } from '../../parts/basics.js'
import { PaymentFacts, Transaction } from '../../parts/payment.js'
import { Plan } from '../../parts/plan.js'
import { type Agreed, agreedIn, receiptWords } from '../../words/jobs.js'
import type { Moment, Task } from '../../words/timeline.js'

type JobMomentOf = Exclude<Moment, { readonly kind: 'proposal' | 'confirm' }>

interface JobMomentProps {
  readonly moment: JobMomentOf
  readonly task: Task
}

/** A step of a paid job. */
export function JobMoment({ moment, task }: JobMomentProps) {
  const agreed = agreedIn(task)
  switch (moment.kind) {
    case 'attempt':
      return <Attempt attempt={moment.attempt} agreed={agreed} />
    case 'receipt':
      return (
        <details>
          <summary class="moment-head">
            {receiptWords(task, agreed)} <When at={moment.at} />
          </summary>
          <Facts
            rows={[
              ['Transaction', <Transaction key="tx" signature={moment.receipt.signature} cluster={agreed.cluster} />],
              ['Block of the chain (slot)', String(moment.receipt.slot)]
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
            known
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

interface AttemptProps {
  readonly attempt: Extract<Moment, { readonly kind: 'attempt' }>['attempt']
  readonly agreed: Agreed
}

function Attempt({ attempt, agreed: { price, payTo, cluster } }: AttemptProps) {
  const recipient = payTo === undefined ? {} : { recipient: payTo }
  return (
    <details>
      <summary class="moment-head">
        {price ?? 'A payment'} promised, attempt {attempt.attempt} <StateBadge list="attempt" state={attempt.state} />{' '}
        <When at={attempt.at} />
      </summary>
      <PaymentFacts payment={{ ...attempt, ...recipient }} cluster={cluster} />
    </details>
  )
}
