import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { useDeed } from '../../client/use-deed.js'
import { Button, Card, Id, Time } from '../../parts/basics.js'
import { Refused } from '../../parts/states.js'
import { shortHash, typeName } from '../../words/types.js'

/** Types that were said no to; nothing when there is none. */
export function Declines() {
  const { agent, say } = useHere()
  const deed = useDeed()
  const page = useAnswer('owner.declines.list', ['types', 'contacts'], { query: { agent: agent.name } })
  if (page.state !== 'ready' || page.value.items.length === 0) return null

  async function lift(contact: string, type: string): Promise<void> {
    const answer = await deed.run('owner.declines.lift', { query: { agent: agent.name, contact, type } })
    if (!answer.ok) return
    say('Forgotten: tasks of this type can be begun again between you and this contact.')
    void page.again()
  }

  return (
    <Card title="Declined task types">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <ul class="plain-list stack">
        {page.value.items.map(({ participant, type, by, at }) => (
          <li key={`${participant} ${type.hash} ${by}`} class="row">
            <span>
              {by === 'owner' ? 'You declined ' : 'The contact declined '}
              {typeName(type)} (<code>{shortHash(type.hash)}</code>) <Time at={at} />. Contact: <Id>{participant}</Id>
            </span>
            <Button
              busy={deed.busy}
              label={`Forget this: ${typeName(type)}`}
              onClick={() => void lift(participant, type.hash)}
            >
              Forget this
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
