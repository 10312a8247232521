import { visible } from '../../../base/visible.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Button, Card, Facts, Note } from '../../parts/basics.js'
import { CopyId } from '../../parts/copy.js'
import { Empty, Show } from '../../parts/states.js'
import { solOf } from '../../../api/words/money.js'
import { type Wallet, clusterWords } from '../../words/wallet.js'
import { LimitsView } from './limits.js'

/** The one wallet of the node. */
export function WalletCard() {
  const answer = useAnswer('owner.wallet.read', ['payments'])
  return <Show of={answer}>{({ wallet }) => <Opened wallet={wallet} again={() => void answer.again()} />}</Show>
}

function Opened({ wallet, again }: { readonly wallet: Wallet; readonly again: () => void }) {
  if (wallet.cluster === 'off') {
    return (
      <Empty title="This node is on no chain.">
        <p>
          It makes and takes no payments. To try paid jobs with play money, set <code>chain.cluster</code> in{' '}
          <code>config.toml</code> to <code>"devnet"</code> or <code>"localnet"</code>, and start the node again.
        </p>
      </Empty>
    )
  }
  return (
    <Card title="Wallet" aside={<Badge tone="quiet">{clusterWords(wallet.cluster)}</Badge>}>
      {wallet.address === undefined ? <NoWallet /> : <Balance wallet={wallet} again={again} />}
      {wallet.limits === undefined ? null : <LimitsView limits={wallet.limits} />}
    </Card>
  )
}

function NoWallet() {
  return (
    <Note tone="wait">
      <p>
        There is no wallet yet. Make one with <code>agentlink wallet create</code>, and start the node again.
      </p>
    </Note>
  )
}

function Balance({ wallet: { balance, address }, again }: { readonly wallet: Wallet; readonly again: () => void }) {
  return (
    <>
      {balance === undefined ? null : 'lamports' in balance ? (
        <p class="amount">
          <span class="hidden">Balance: </span>
          {solOf(balance.lamports)}
        </p>
      ) : (
        <Note tone="bad">
          <p>
            <strong>The balance is not known.</strong> Payments wait until the chain answers.
          </p>
          <p class="small">The node says: {visible(balance.unknown.message)}</p>
          <Button onClick={again}>Ask again</Button>
        </Note>
      )}
      {balance !== undefined && 'lamports' in balance && balance.lamports === '0' ? (
        <p class="small">
          It is empty. Ask for play money with <code>agentlink wallet airdrop</code>.
        </p>
      ) : null}
      <Facts
        rows={[
          [
            'Address of the wallet',
            address === undefined ? undefined : <CopyId key="address" label="address" text={address} />
          ]
        ]}
      />
    </>
  )
}
