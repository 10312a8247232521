import { linesOf } from '../../../api/plan-lines.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card, Facts, Id, Note } from '../../parts/basics.js'
import { Inspection } from '../../parts/inspection.js'
import { Plan } from '../../parts/plan.js'
import { type Approval, priceOf } from '../../words/approvals.js'
import { isJob } from '../../../types/job-type.js'
import { typeName } from '../../words/types.js'
import { compare, countWords } from '../../words/values.js'
import { type LeftWords, leftWords } from '../../words/wallet.js'

type OfKind<K extends Approval['kind']> = Extract<Approval, { readonly kind: K }>

/** Exactly what leaves, is recorded, is paid or is installed. */
export function Leaves({ approval }: { readonly approval: Approval }) {
  switch (approval.kind) {
    case 'disclosure':
      return <Disclosure approval={approval} />
    case 'action':
      return <Action approval={approval} />
    case 'payment':
      return <Payment approval={approval} />
    case 'type':
      return <TypeQuestion approval={approval} />
    case 'envelope':
    case 'delivery':
      return (
        <Card title="Exactly this leaves">
          <Plan caption="What leaves" plan={approval.content} known />
        </Card>
      )
  }
}

/** The plan with the capability of each field, marked against the plan that it replaces. */
function Disclosure({ approval }: { readonly approval: OfKind<'disclosure'> }) {
  const type = useAnswer('owner.types.read', ['types'], { params: { type: approval.type.hash } })
  const fields = type.state === 'ready' ? type.value.inspection.fields : []
  const under = new Map(fields.map((field) => [field.path, field.capability ?? 'no capability']))
  const { replaces } = approval
  return (
    <Card title="Exactly this leaves">
      {isJob(approval.type) ? (
        <p>
          It is the plan of a paid job. A yes here pays nothing: paying comes after both sides have agreed, under a rule
          of its own.
        </p>
      ) : null}
      <p class="small">
        {replaces === undefined
          ? 'It replaces no earlier plan.'
          : `Marked against the plan that it replaces. ${countWords(compare(replaces, approval.proposal))}`}
      </p>
      <Plan
        caption="The plan that leaves"
        plan={approval.proposal}
        against={replaces}
        known={isJob(approval.type)}
        beside={{ head: 'Under', of: (row) => <code>{under.get(row.field) ?? 'not known'}</code> }}
      />
      <Facts
        rows={[
          ['Task type', typeName(approval.type)],
          ['Its hash', <Id key="hash">{approval.type.hash}</Id>]
        ]}
      />
    </Card>
  )
}

/** The exact params, and of each whether it leaves: only what the agreed plan says already does. */
function Action({ approval }: { readonly approval: OfKind<'action'> }) {
  const leaving = new Set(linesOf(approval.leaves).map((line) => line.path))
  return (
    <>
      <Card title="Exactly this is recorded">
        <p class="small">It is a record, and the other side is told. Nothing is done in the outside world.</p>
        <Plan
          caption="What is recorded"
          plan={approval.params}
          beside={{
            head: 'Leaves',
            of: (row) => (leaving.has(row.path) ? 'yes, the plan says it already' : 'no, it stays in your record')
          }}
        />
      </Card>
      <Card title="On the agreed plan">
        <Plan caption="The agreed plan" plan={approval.proposal} />
      </Card>
    </>
  )
}

function Payment({ approval }: { readonly approval: OfKind<'payment'> }) {
  return (
    <>
      <Card title={`Exactly this payment: ${priceOf(approval)} SOL`}>
        <Note tone="wait">
          <p>There are no refunds: what is paid can’t be called back.</p>
        </Note>
        {approval.limits === undefined ? null : (
          <Left words={leftWords(approval.limits, String(approval.terms['lamports']))} />
        )}
        <Plan caption="The payment" plan={approval.terms} known />
        {approval.attempt < 2 ? null : (
          <p class="small">This is attempt {approval.attempt}; the earlier ones are provably dead.</p>
        )}
      </Card>
      <Card title="For this plan">
        <Plan caption="The agreed plan" plan={approval.proposal} known />
      </Card>
    </>
  )
}

/** What the payment leaves of the owner's limits. */
function Left({ words }: { readonly words: LeftWords }) {
  return words.state === 'above' ? (
    <Note tone="bad">
      <p>
        <strong>Above your limits.</strong> {words.text}
      </p>
    </Note>
  ) : (
    <p class="small">Your limits: {words.text}</p>
  )
}

function TypeQuestion({ approval }: { readonly approval: OfKind<'type'> }) {
  const tasks = approval.held === 1 ? 'One task waits' : `${approval.held} tasks wait`
  return (
    <Card title="What this type asks for">
      <p class="small">{tasks} for your answer. A type only says what a plan can hold; it holds no program.</p>
      <Inspection inspection={approval.inspection} />
    </Card>
  )
}
