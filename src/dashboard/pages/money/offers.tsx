import { useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import { type AgentEntry, useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { Button, Card } from '../../parts/basics.js'
import { Empty, Show } from '../../parts/states.js'
import type { Offer } from '../../words/offers.js'
import { ContactsOffers } from './contacts-offers.js'
import { OfferCard } from './offer-card.js'
import { OfferForm } from './offer-form.js'

/** What each agent does for money, and what its contacts do. */
export function Offers() {
  const { agents, agent } = useHere()
  return (
    <>
      {agents.map((one) => (
        <AgentOffers key={one.agent} agent={one} alone={agents.length === 1} />
      ))}
      <ContactsOffers agent={agent} alone={agents.length === 1} />
    </>
  )
}

/** Which form is open: a new offer, or one that is there. */
type Open = 'new' | Offer

function AgentOffers({ agent, alone }: { readonly agent: AgentEntry; readonly alone: boolean }) {
  const [open, setOpen] = useState<Open | undefined>()
  const page = useAnswer('owner.offers.list', ['offers'], { query: { agent: agent.name } })
  const close = () => {
    setOpen(undefined)
    void page.again()
  }
  return (
    <Card
      title={alone ? 'What you offer' : `What ${visible(agent.name)} offers`}
      aside={
        <Button
          kind="main"
          {...(alone ? {} : { label: `New offer of ${visible(agent.name)}` })}
          onClick={() => setOpen('new')}
        >
          New offer
        </Button>
      }
    >
      <p class="small">Every active contact gets this list, and again when it changes. An offer binds nobody.</p>
      <Show of={page}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing is offered.">
              <p>Make an offer, and your contacts’ agents can hire yours.</p>
            </Empty>
          ) : (
            <ul class="plain-list offers">
              {items.map((offer) => (
                <li key={offer.offerId}>
                  <OfferCard
                    agent={agent}
                    offer={offer}
                    onEdit={() => setOpen(offer)}
                    onGone={() => void page.again()}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {open === undefined ? null : (
        <OfferForm agent={agent} onClose={close} {...(open === 'new' ? {} : { offer: open })} />
      )}
    </Card>
  )
}
