import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Id, Time } from '../../parts/basics.js'
import { Show } from '../../parts/states.js'
import { REACHES, connectedWords } from '../../words/health.js'
import { placeOfSetting } from '../../words/settings.js'

/** Who is connected is in no commit, so that no event tells of it: it is asked for. Milliseconds. */
const ASK_EVERY = 15_000

/** How the node is, in plain words: from how far it is reached, what that means, and what can be done about it. */
export function Health() {
  const answer = useAnswer('owner.health.read', ['contacts', 'status'])
  const { again } = answer
  useEffect(() => {
    const timer = window.setInterval(() => void again(), ASK_EVERY)
    return () => window.clearInterval(timer)
  }, [again])
  return (
    <Show of={answer}>
      {({ health }) => {
        const { badge, means, todo, setting } = REACHES[health.reach]
        return (
          <>
            <p class="big">
              <Badge tone={badge.tone}>{badge.text}</Badge> {connectedWords(health.contacts)}
            </p>
            <p>{means}</p>
            <p class="small">
              {todo}
              {setting === undefined ? null : (
                <>
                  {' '}
                  <a href={placeOfSetting(setting)}>
                    <code>{setting}</code> under Settings
                  </a>
                  .
                </>
              )}
            </p>
            <p class="small">
              {health.undelivered === 0 ? 'Everything that was sent has arrived. ' : null}
              Started <Time at={health.startedAt} />.
            </p>
            <details>
              <summary>Addresses that contacts are told</summary>
              {health.addrs.length === 0 ? <p class="small">None.</p> : null}
              <ul>
                {health.addrs.map((addr) => (
                  <li key={addr}>
                    <Id>{addr}</Id>
                  </li>
                ))}
              </ul>
            </details>
          </>
        )
      }}
    </Show>
  )
}
