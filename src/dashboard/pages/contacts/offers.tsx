import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Theirs, Time } from '../../parts/basics.js'
import { Show } from '../../parts/states.js'
import type { Contact } from '../../words/contacts.js'

/** What a contact offers, in its own words. */
export function ContactOffers({ contact }: { readonly contact: Contact }) {
  const { agent } = useHere()
  const offers = useAnswer('owner.contacts.offers', ['contacts', 'offers'], {
    params: { contact: contact.agent },
    query: { agent: agent.name }
  })
  return (
    <Card title="What it offers">
      <Show of={offers}>
        {({ items, receivedAt }) =>
          items.length === 0 ? (
            <p class="small">It offers nothing.</p>
          ) : (
            <>
              <ul class="plain-list stack">
                {items.map((offer) => (
                  <li key={offer.offerId}>
                    <p>
                      <strong>{offer.price} SOL</strong> <Theirs>{offer.title}</Theirs>
                    </p>
                    <p>
                      <Theirs>{offer.description}</Theirs>
                    </p>
                    <p class="small">
                      You get <Theirs>{offer.deliverable}</Theirs> within {offer.turnaroundHours} hours.
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
    </Card>
  )
}
