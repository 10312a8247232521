import { useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import { type AgentEntry, useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { Confirm } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'
import { type Offer, hoursWords } from '../../words/offers.js'

interface OfferCardProps {
  readonly agent: AgentEntry
  readonly offer: Offer
  readonly onEdit: () => void
  readonly onGone: () => void
}

/** One offer of ours, and what can be done with it. */
export function OfferCard({ agent, offer, onEdit, onGone }: OfferCardProps) {
  const { say } = useHere()
  const deed = useDeed()
  const [asking, setAsking] = useState(false)
  const title = visible(offer.title)

  async function withdraw(): Promise<void> {
    const input = { params: { offerId: offer.offerId }, query: { agent: agent.name } }
    if (!(await deed.run('owner.offers.withdraw', input)).ok) return
    say(`“${title}” is offered no more.`)
    setAsking(false)
    onGone()
  }

  return (
    <article class="offer">
      <div class="card-head">
        <h3>{title}</h3>
        <strong class="price">{visible(offer.price)} SOL</strong>
      </div>
      {offer.description.split('\n').map((line, at) => (
        <p key={at} class="words">
          {visible(line)}
        </p>
      ))}
      <p class="small">
        Hands over <span class="ours">{visible(offer.deliverable)}</span> within {hoursWords(offer.turnaroundHours)}.
      </p>
      <div class="row deeds">
        <Button label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button kind="danger" label={`Withdraw ${title}`} onClick={() => setAsking(true)}>
          Withdraw
        </Button>
      </div>
      {asking ? (
        <Confirm
          title={`Withdraw “${title}”?`}
          yes="Withdraw it"
          danger
          busy={deed.busy}
          onYes={() => void withdraw()}
          onClose={() => {
            deed.forget()
            setAsking(false)
          }}
        >
          <p>Your contacts are told. Jobs that name it go on.</p>
          {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        </Confirm>
      ) : null}
    </article>
  )
}
