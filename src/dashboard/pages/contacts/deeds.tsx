import { useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { Confirm } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'
import { type Contact, type ContactDeed, DEEDS, deedsWith, nameOf } from '../../words/contacts.js'

/** What the owner may do with a contact; what ends something is asked for once more. */
export function ContactDeeds({ contact }: { readonly contact: Contact }) {
  const { agent, say } = useHere()
  const deed = useDeed()
  const [asked, setAsked] = useState<ContactDeed | undefined>()
  const name = nameOf(contact)

  async function run(which: ContactDeed): Promise<void> {
    setAsked(undefined)
    const input = { params: { contact: contact.agent }, body: { agent: agent.name } }
    const answer = await deed.run(`owner.contacts.${which}`, input)
    if (answer.ok) say(DEEDS[which].done(name))
  }

  return (
    <>
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <div class="row">
        {deedsWith(contact).map((which) => (
          <Button
            key={which}
            kind={DEEDS[which].kind}
            busy={deed.busy}
            label={`${DEEDS[which].text}: ${name}`}
            onClick={() => (DEEDS[which].asks === undefined ? void run(which) : setAsked(which))}
          >
            {DEEDS[which].text}
          </Button>
        ))}
      </div>
      {asked === undefined ? null : (
        <Confirm
          title={`${DEEDS[asked].text}: ${name}?`}
          yes={DEEDS[asked].text}
          danger={DEEDS[asked].kind === 'danger'}
          onYes={() => void run(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{DEEDS[asked].asks}</p>
        </Confirm>
      )}
    </>
  )
}
