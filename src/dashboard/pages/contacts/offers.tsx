import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Theirs, Time } from '../../parts/basics.js'
import { Show } from '../../parts/states.js'
import type { Contact } from '../../words/contacts.js'
import { hoursWords } from '../../words/offers.js'

interface OffersProps {
  readonly contact: Contact
}

export function ContactOffers({ contact }: OffersProps) {
  return (
    <Card title="What it offers">
      <OffersOf contact={contact} />
    </Card>
  )
}

/** What a contact of the agent that is shown offers, in its own words. */
export function OffersOf({ contact }: OffersProps) {
  const { agent } = useHere()
  const offers = useAnswer('owner.contacts.offers', ['contacts', 'offers'], {
    params: { contact: contact.agent },
    query: { agent: agent.name }
  })
  return (
    <Show of={offers}>
      {({ items, receivedAt }) =>
        items.length === 0 ? (
          <p class="small">It offers nothing.</p>
        ) : (
          <>
            <ul class="plain-list offers">
              {items.map((offer) => (
                <li key={offer.offerId}>
                  <p>
                    <strong class="price">{offer.price} SOL</strong> <Theirs>{offer.title}</Theirs>
                  </p>
                  <p>
                    <Theirs>{offer.description}</Theirs>
                  </p>
                  <p class="small">
                    You get <Theirs>{offer.deliverable}</Theirs> within {hoursWords(offer.turnaroundHours)}.
                  </p>
                </li>
              ))}
            </ul>
            {receivedAt === undefined ? null : (
              <p class="small">
                Its list came <Time at={receivedAt} />.
              </p>
            )}
          </>
        )
      }
    </Show>
  )
}
