import { explorerOf } from '../../api/words/money.js'
import { deadWords } from '../../api/words/payments.js'
import { Facts, Id } from './basics.js'

/** A payment and its transaction, the same wherever they stand. */

interface PaymentFactsProps {
  readonly payment: {
    /** Why it came to nothing. */
    readonly code?: string
    readonly payer: string
    readonly recipient?: string
    readonly reference: string
    readonly memo?: string
    readonly signature?: string
  }
  readonly cluster: string
}

/** What is known of a payment that the hirer promised: what became of it, and where it can be looked up. */
export function PaymentFacts({ payment, cluster }: PaymentFactsProps) {
  const { code, payer, recipient, reference, memo, signature } = payment
  return (
    <Facts
      rows={[
        ['What happened', code === undefined ? undefined : deadWords(code)],
        ['Paid from', <Id key="payer">{payer}</Id>],
        ['Paid to', recipient === undefined ? undefined : <Id key="recipient">{recipient}</Id>],
        ['Reference, by which it is found', <Id key="reference">{reference}</Id>],
        ['Memo, which names task and plan', memo === undefined ? undefined : <Id key="memo">{memo}</Id>],
        [
          'Transaction',
          signature === undefined ? undefined : <Transaction key="tx" signature={signature} cluster={cluster} />
        ]
      ]}
    />
  )
}

interface TransactionProps {
  readonly signature: string
  readonly cluster: string
}

/** The name of a transaction, and where anybody can look it up; nothing is loaded from there by the page itself. */
export function Transaction({ signature, cluster }: TransactionProps) {
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
