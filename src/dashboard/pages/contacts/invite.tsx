import { useEffect, useState } from 'preact/hooks'
import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Button, Time } from '../../parts/basics.js'
import { Copy } from '../../parts/copy.js'
import { Dialog } from '../../parts/dialog.js'
import { CheckField } from '../../parts/form.js'
import { Qr } from '../../parts/qr.js'
import { Loading, Refused } from '../../parts/states.js'

/** A link to give to somebody, as text and as a code for a camera. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const { agent } = useHere()
  const deed = useDeed()
  const [byHand, setByHand] = useState(false)
  const [invite, setInvite] = useState<{ readonly link: string; readonly expiresAt?: string } | undefined>()

  useEffect(() => {
    setInvite(undefined)
    void deed.run('owner.invites.create', { body: { agent: agent.name, secret: !byHand } }).then((answer) => {
      if (answer.ok) setInvite(answer.value)
    })
  }, [agent.name, byHand])

  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <div class="stack">
        <p>
          {byHand
            ? 'Anybody with this link may ask to become your contact. You say yes or no to each.'
            : 'Whoever adds this link first becomes your contact at once. Send it only to the person you mean.'}
        </p>
        {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
        {invite === undefined ? deed.refusal === undefined ? <Loading /> : null : <Link invite={invite} />}
        <CheckField label="Let me accept each request by hand" checked={byHand} onChange={setByHand} />
        <div class="row row-end">
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  )
}

function Link({ invite }: { readonly invite: { readonly link: string; readonly expiresAt?: string } }) {
  return (
    <>
      <Qr text={invite.link} label="The link as a QR code" />
      <Copy label="Link" text={invite.link} />
      {invite.expiresAt === undefined ? null : (
        <p class="small">
          It works once, and ends <Time at={invite.expiresAt} />.
        </p>
      )}
    </>
  )
}
