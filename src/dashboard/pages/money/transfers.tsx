import { Badge, Facts, Id, StateBadge, Time } from '../../parts/basics.js'
import { explorerOf, solOf } from '../../words/money.js'
import { type Money, type Received, deadWords, isOdd, receivedWords } from '../../words/payments.js'

/** One payment of ours, with every parameter that was promised, and how far it came. */
export function SentMoney({ sent, cluster }: { readonly sent: Money['paid'][number]; readonly cluster: string }) {
  const { terms } = sent
  return (
    <details>
      <summary class="moment-head">
        {solOf(terms.lamports)} sent, attempt {sent.attempt} <StateBadge list="payment" state={sent.state} />{' '}
        <span class="small">
          <Time at={sent.at} />
        </span>
      </summary>
      <Facts
        rows={[
          ['What happened', sent.code === undefined ? undefined : deadWords(sent.code)],
          ['From', <Id key="payer">{terms.payer}</Id>],
          ['To', <Id key="recipient">{terms.recipient}</Id>],
          ['Reference', <Id key="reference">{terms.reference}</Id>],
          ['Memo', <Id key="memo">{terms.memo}</Id>],
          ['Transaction', transaction(sent.signature, cluster)]
        ]}
      />
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
        {odd ? <Badge tone="bad">Odd</Badge> : <Badge tone="good">Pays for the job</Badge>}{' '}
        <span class="small">
          <Time at={received.at} />
        </span>
      </summary>
      <Facts
        rows={[
          ['What it is', receivedWords(received.code)],
          ['For attempt', String(received.attempt)],
          ['Transaction', transaction(received.signature, cluster)]
        ]}
      />
    </details>
  )
}

function transaction(signature: string | undefined, cluster: string) {
  return signature === undefined ? undefined : <Transaction signature={signature} cluster={cluster} />
}

/** The name of a transaction, and where anybody can look it up; nothing is loaded from there by the page itself. */
function Transaction({ signature, cluster }: { readonly signature: string; readonly cluster: string }) {
  const explorer = explorerOf(cluster, signature)
  return (
    <>
      <Id>{signature}</Id>{' '}
      {explorer === undefined ? (
        <span class="small">{whyNoLink(cluster)}</span>
      ) : (
        <a href={explorer} rel="noreferrer noopener" target="_blank">
          Look at it in the Solana explorer<span class="hidden"> (another site, in a new window)</span>
        </a>
      )}
    </>
  )
}

function whyNoLink(cluster: string): string {
  return cluster === 'solana:localnet'
    ? 'No explorer shows it: only this machine knows its local chain.'
    : 'No link: that is not the name of a transaction on devnet.'
}
