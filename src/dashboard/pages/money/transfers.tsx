import { solOf } from '../../../api/words/money.js'
import { isOdd, receivedWords } from '../../../api/words/payments.js'
import { Badge, Facts, StateBadge, When } from '../../parts/basics.js'
import { PaymentFacts, Transaction } from '../../parts/payment.js'
import type { Money, Received } from '../../words/payments.js'

/** One payment of ours, with every parameter that was promised, and how far it came. */
export function SentMoney({ sent, cluster }: { readonly sent: Money['paid'][number]; readonly cluster: string }) {
  const { terms, ...known } = sent
  return (
    <details>
      <summary class="moment-head">
        {solOf(terms.lamports)} sent, attempt {sent.attempt} <StateBadge list="payment" state={sent.state} />{' '}
        <When at={sent.at} />
      </summary>
      <PaymentFacts payment={{ ...terms, ...known }} cluster={cluster} />
    </details>
  )
}

/** Money that came for a job; what did not pay for it is marked. */
export function ReceivedMoney({ received, cluster }: { readonly received: Received; readonly cluster: string }) {
  const odd = isOdd(received)
  return (
    <details open={odd}>
      <summary class="moment-head">
        {solOf(received.lamports)} seen{' '}
        {odd ? <Badge tone="bad">Does not pay for the job</Badge> : <Badge tone="good">Pays for the job</Badge>}{' '}
        <When at={received.at} />
      </summary>
      <Facts
        rows={[
          ['What it is', receivedWords(received.code)],
          ['For which attempt to pay', String(received.attempt)],
          ['Transaction', <Transaction key="tx" signature={received.signature} cluster={cluster} />]
        ]}
      />
    </details>
  )
}
