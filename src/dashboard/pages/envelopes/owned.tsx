import { visible } from '../../../base/visible.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Time } from '../../parts/basics.js'
import { OfAgent } from '../../parts/of-agent.js'
import { pathWords } from '../../words/envelopes.js'

/** Which parts of a context running work has for itself: no two at once. Nothing when there is none. */
export function Owned() {
  const page = useAnswer('owner.owned.list', ['envelopes'])
  if (page.state !== 'ready' || page.value.items.length === 0) return null
  return (
    <Card title="What running work keeps for itself">
      <p class="small">While the work of a row runs, your node takes no other work on the same paths.</p>
      <table class="table">
        <caption class="hidden">What running work keeps for itself</caption>
        <thead>
          <tr>
            <th scope="col">Context</th>
            <th scope="col">Paths</th>
            <th scope="col">Work of</th>
            <th scope="col">Until</th>
          </tr>
        </thead>
        <tbody>
          {page.value.items.map((owned) => (
            <tr key={`${owned.agent} ${owned.participant} ${owned.taskId}`}>
              <th scope="row">{visible(owned.contextID)}</th>
              <td data-head="Paths">{owned.paths.map(pathWords).join(', ')}</td>
              <td data-head="Work of">
                {visible(owned.participantHandle)}
                <OfAgent id={owned.agent} />
              </td>
              <td data-head="Until">
                <Time at={owned.until} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
