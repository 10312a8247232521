import { useAnswer } from '../../client/use-answer.js'
import { Badge, StateBadge, Time } from '../../parts/basics.js'
import { Listed, useExtent } from '../../parts/listed.js'
import { OfAgent } from '../../parts/of-agent.js'
import { Page } from '../../parts/page.js'
import { Empty } from '../../parts/states.js'
import { Tabs } from '../../parts/tabs.js'
import { type Envelope, directionWords, objectiveOf } from '../../words/envelopes.js'
import { addressOf } from '../../words/place.js'
import { Owned } from './owned.js'

const ROLES = ['sender', 'recipient'] as const

export function EnvelopesList({ role }: { readonly role: string | undefined }) {
  const extent = useExtent()
  const { limit } = extent
  const known = ROLES.find((one) => one === role)
  const query = known === undefined ? { limit } : { limit, role: known }
  const page = useAnswer('owner.envelopes.list', ['envelopes'], { query })
  const tabs = [
    { href: addressOf(['envelopes']), text: 'All', current: known === undefined },
    { href: addressOf(['envelopes'], { role: 'sender' }), text: 'Delegated', current: known === 'sender' },
    { href: addressOf(['envelopes'], { role: 'recipient' }), text: 'Taken on', current: known === 'recipient' }
  ]
  return (
    <Page
      title="Delegated work"
      lead="Work that your agents delegate to contacts, or take on from them. Each piece has a contract, and a check that proves it was done."
    >
      <Tabs label="Which work" tabs={tabs} />
      <div class="stack">
        <Listed
          of={page}
          extent={extent}
          keyOf={(envelope) => `${envelope.agent} ${envelope.taskUid}`}
          empty={
            <Empty title="No delegated work.">
              <p>When an agent delegates work to another with a contract, it stands here.</p>
            </Empty>
          }
        >
          {(envelope) => <EnvelopeCard envelope={envelope} />}
        </Listed>
        <Owned />
      </div>
    </Page>
  )
}

function EnvelopeCard({ envelope }: { readonly envelope: Envelope }) {
  return (
    <article class="card line-card">
      <div class="line-card-text">
        <h2 class="line-title">
          <a class="cover" href={addressOf(['envelopes', envelope.taskUid], { agent: envelope.agent })}>
            {objectiveOf(envelope)}
          </a>
        </h2>
        <p class="small">
          {directionWords(envelope)}
          <OfAgent id={envelope.agent} /> · <Time at={envelope.createdAt} />
        </p>
      </div>
      <div class="line-card-aside">
        {envelope.delivery.state === 'delivered' ? null : (
          <StateBadge list="delivery" state={envelope.delivery.state} />
        )}
        {envelope.cancelRequested === true ? <Badge tone="busy">Asked to cancel</Badge> : null}
        {envelope.proof === 'none' ? null : <StateBadge list="proof" state={envelope.proof} />}
        <StateBadge list="envelope" state={envelope.state} />
      </div>
    </article>
  )
}
