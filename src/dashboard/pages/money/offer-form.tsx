import { useState } from 'preact/hooks'
import type { Refusal } from '../../../base/refusal.js'
import { type AgentEntry, useHere } from '../../client/here.js'
import { type Deed, useDeed } from '../../client/use-deed.js'
import { Dialog, FormEnd } from '../../parts/dialog.js'
import { Form, LongTextField, TextField } from '../../parts/form.js'
import { Refused } from '../../parts/states.js'
import {
  MOST_WORDS,
  NO_OFFER,
  type Offer,
  type OfferDraft,
  type OfferText,
  changesTo,
  draftOf,
  offerIn
} from '../../words/offers.js'
import { faultsAt } from '../../words/faults.js'

interface OfferFormProps {
  readonly agent: AgentEntry
  /** The offer to change; absent: a new one. */
  readonly offer?: Offer
  readonly onClose: () => void
}

/** A new offer, or one that changes. What is wrong with it is said at the field that it is about. */
export function OfferForm({ agent, offer, onClose }: OfferFormProps) {
  const { say } = useHere()
  const deed = useDeed()
  const [draft, setDraft] = useState<OfferDraft>(offer === undefined ? NO_OFFER : draftOf(offer))
  const [unsent, setUnsent] = useState<Refusal | undefined>()
  const { fault, rest } = faultsAt(unsent ?? deed.refusal, Object.keys(NO_OFFER))
  const set = (name: keyof OfferDraft) => (value: string) => setDraft((before) => ({ ...before, [name]: value }))

  async function send(): Promise<void> {
    const read = offerIn(draft)
    setUnsent(read.ok ? undefined : read.refusal)
    if (!read.ok) return
    const text = read.value
    if (!(await sent(deed, { agent, offer, text }))) return
    say(offer === undefined ? `“${text.title}” is offered to all active contacts.` : `“${text.title}” is changed.`)
    onClose()
  }

  return (
    <Dialog title={offer === undefined ? 'New offer' : 'Edit the offer'} onClose={onClose}>
      <Form onSubmit={() => void send()}>
        {rest === undefined ? null : <Refused refusal={rest} />}
        <TextField
          label="Title"
          hint="At most 80 characters."
          required
          value={draft.title}
          onInput={set('title')}
          fault={fault('title')}
        />
        <LongTextField
          label="What you do"
          hint="At most 600 characters."
          rows={3}
          required
          value={draft.description}
          onInput={set('description')}
          fault={fault('description')}
        />
        <LongTextField
          label="What is handed over"
          hint="What the other side has in the end; at most 600 characters."
          rows={2}
          required
          value={draft.deliverable}
          onInput={set('deliverable')}
          fault={fault('deliverable')}
        />
        <div class="fields">
          <TextField
            label="Price in SOL"
            hint={`With a point, such as 0.25: above 0, at most ${MOST_WORDS}, and 9 places after the point. Play money.`}
            required
            value={draft.price}
            onInput={set('price')}
            fault={fault('price')}
          />
          <TextField
            label="Hours that it takes"
            hint="A whole number, 1 to 720."
            required
            value={draft.turnaroundHours}
            onInput={set('turnaroundHours')}
            fault={fault('turnaroundHours')}
          />
        </div>
        <FormEnd yes={offer === undefined ? 'Offer it' : 'Save'} busy={deed.busy} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

interface Sending {
  readonly agent: AgentEntry
  readonly offer: Offer | undefined
  readonly text: OfferText
}

/** Whether the node took it. An edit that changes nothing is done without asking. */
async function sent(deed: Deed, { agent, offer, text }: Sending): Promise<boolean> {
  if (offer === undefined) {
    return (await deed.run('owner.offers.create', { body: { agent: agent.name, ...text } })).ok
  }
  const changes = changesTo(offer, text)
  if (Object.keys(changes).length === 0) return true
  const { offerId } = offer
  return (await deed.run('owner.offers.change', { params: { offerId }, body: { agent: agent.name, ...changes } })).ok
}
