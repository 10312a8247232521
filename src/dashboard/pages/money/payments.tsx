import { visible } from '../../../base/visible.js'
import { KEPT_WORDS } from '../../../api/words/payments.js'
import { type AgentEntry, useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Card, Note, StateBadge } from '../../parts/basics.js'
import { Empty, Show } from '../../parts/states.js'
import { handleWords, nameOf } from '../../words/contacts.js'
import { detailWords } from '../../words/jobs.js'
import { type Money, hasOdd } from '../../words/payments.js'
import { addressOf } from '../../words/place.js'
import { clusterWords } from '../../words/wallet.js'
import { ReceivedMoney, SentMoney } from './transfers.js'

/** The money of every job: what was sent, what came, and what is odd about it. */
export function Payments() {
  const { agents } = useHere()
  return (
    <>
      {agents.map((agent) => (
        <AgentPayments key={agent.agent} agent={agent} alone={agents.length === 1} />
      ))}
    </>
  )
}

function AgentPayments({ agent, alone }: { readonly agent: AgentEntry; readonly alone: boolean }) {
  const page = useAnswer('owner.payments.list', ['payments', 'tasks'], { query: { agent: agent.name } })
  const contacts = useAnswer('owner.contacts.list', ['contacts'], { query: { agent: agent.name } })
  const known = contacts.state === 'ready' ? contacts.value.items : []
  const names = new Map(known.map((contact) => [contact.agent, nameOf(contact)]))
  return (
    <>
      {alone ? null : <h2>{visible(agent.name)}</h2>}
      <Show of={page}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No payments yet.">
              <p>A payment stands here as soon as it is promised, and money as soon as it is seen.</p>
            </Empty>
          ) : (
            <ul class="stack plain-list">
              {items.map((money) => (
                <li key={money.taskUid}>
                  <MoneyCard money={money} name={names.get(money.participant) ?? handleWords()} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </>
  )
}

function MoneyCard({ money, name }: { readonly money: Money; readonly name: string }) {
  const title = money.role === 'hirer' ? `To ${name}` : `From ${name}`
  return (
    <Card
      title={`${title}: ${visible(money.price)} SOL`}
      aside={
        <span class="row">
          {hasOdd(money) ? <Badge tone="bad">Odd money</Badge> : null}
          <StateBadge list="task" state={money.status} />
        </span>
      }
    >
      <p class="small">
        {clusterWords(money.cluster)}. {detailWords(money.detail)}{' '}
        <a href={addressOf(['tasks', money.taskUid], { agent: money.agent, from: 'payments' })}>
          See the job with {name}
        </a>
      </p>
      {money.paid.length === 0 && money.received.length === 0 ? <p>Nothing was sent or seen yet.</p> : null}
      <ul class="plain-list stack transfers">
        {money.paid.map((sent) => (
          <li key={`sent ${sent.attempt}`}>
            <SentMoney sent={sent} cluster={money.cluster} />
          </li>
        ))}
        {money.received.map((received) => (
          <li key={`${received.signature} ${received.attempt}`}>
            <ReceivedMoney received={received} cluster={money.cluster} />
          </li>
        ))}
      </ul>
      {hasOdd(money) ? (
        <Note tone="wait">
          <p>{KEPT_WORDS}</p>
        </Note>
      ) : null}
    </Card>
  )
}
