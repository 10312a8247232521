import { Card, Note, StateBadge } from '../../parts/basics.js'
import { Plan } from '../../parts/plan.js'
import type { Envelope } from '../../words/envelopes.js'

/** What was handed in and what proves it, and every second opinion. */
export function Evidence({ envelope }: { readonly envelope: Envelope }) {
  const { result, staged, verdicts, proof } = envelope
  return (
    <>
      {staged === undefined || result !== undefined ? null : (
        <Card title="Prepared, not handed in yet">
          <Plan caption="What would be handed in" plan={staged} known />
        </Card>
      )}
      {result === undefined ? null : (
        <Card title="What was handed in" aside={<StateBadge list="proof" state={proof} />}>
          {proof === 'claimed' ? (
            <Note tone="wait">
              <p>Its maker says that the check passed. Nobody else has run it yet.</p>
            </Note>
          ) : null}
          <Plan caption="Result and evidence" plan={result} known />
        </Card>
      )}
      {verdicts.map((verdict, at) => (
        <Card key={at} title="A second opinion">
          <Plan caption={`Second opinion ${at + 1}`} plan={verdict} known />
        </Card>
      ))}
    </>
  )
}
