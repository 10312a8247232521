import { useState } from 'preact/hooks'
import type { Refusal } from '../../../base/refusal.js'
import { useHere } from '../../client/here.js'
import { Button, Card } from '../../parts/basics.js'
import { LastDeed } from '../../parts/last-deed.js'
import { Refused } from '../../parts/states.js'
import { NODE_PARTS, headingOf } from '../../words/settings.js'

/** Who is signed in at this page, and how that ends. */
export function Sessions() {
  const { leave, leaveOthers, say } = useHere()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [busy, setBusy] = useState(false)

  async function endOthers(): Promise<void> {
    setBusy(true)
    const answer = await leaveOthers()
    setBusy(false)
    setRefusal(answer.ok ? undefined : answer.refusal)
    if (answer.ok)
      say(answer.value === 1 ? 'One other session has ended.' : `${answer.value} other sessions have ended.`)
  }

  return (
    <Card title={NODE_PARTS.sessions.title} id={headingOf(NODE_PARTS.sessions.part)}>
      <p>
        This browser stays signed in until you sign out, until twelve hours pass without a visit, or for seven days.
        When the node stops, every session ends.
      </p>
      {refusal === undefined ? null : <Refused refusal={refusal} />}
      <div class="row deeds">
        <Button onClick={leave}>Sign out here</Button>
        <LastDeed
          text="End all other sessions"
          question="End all other sessions?"
          busy={busy}
          onYes={() => void endOthers()}
        >
          <p>Every other browser needs a new link, and links that nobody has used yet open nothing.</p>
        </LastDeed>
      </div>
    </Card>
  )
}
