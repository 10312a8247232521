import { differences } from '../../../api/definition-diff.js'
import { visible } from '../../../base/visible.js'
import { useAnswer } from '../../client/use-answer.js'
import { Card } from '../../parts/basics.js'
import { Select } from '../../parts/form.js'
import { Show } from '../../parts/states.js'
import { addressOf } from '../../words/place.js'
import { type TypeRead, shortHash, typeName } from '../../words/types.js'

interface DifferencesProps {
  readonly of: TypeRead
  readonly against: string | undefined
}

/** A type beside another: what is in one and not in the other. */
export function Differences({ of, against }: DifferencesProps) {
  const types = useAnswer('owner.types.list', ['types'])
  const others = types.state === 'ready' ? types.value.items.filter((type) => type.hash !== of.type.hash) : []
  const options = others.map(
    (type) => [type.hash, `${visible(type.title)} (${typeName(type)}, ${shortHash(type.hash)})`] as const
  )
  if (others.length === 0) return null
  return (
    <Card title="Compare with another type">
      <Select
        label="Other type"
        value={against ?? ''}
        options={[['', 'none'], ...options]}
        onInput={(hash) => {
          window.location.replace(addressOf(['types', of.type.hash], { against: hash }))
        }}
      />
      {against === undefined ? null : <Compared of={of} against={against} />}
    </Card>
  )
}

function Compared({ of, against }: { readonly of: TypeRead; readonly against: string }) {
  const other = useAnswer('owner.types.read', ['types'], { params: { type: against } })
  return (
    <Show of={other}>
      {(read) => {
        const rows = differences(of.inspection.definition, read.inspection.definition)
        if (rows.length === 0) return <p>The two ask for the same.</p>
        return (
          <table class="table">
            <caption class="hidden">What differs</caption>
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">{typeName(of.type)}, this one</th>
                <th scope="col">{typeName(read.type)}, the other</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.path}>
                  <th scope="row">
                    <code>{visible(row.path)}</code>
                  </th>
                  <td data-head="This one">{row.left === undefined ? <i>nothing</i> : visible(row.left)}</td>
                  <td data-head="The other">{row.right === undefined ? <i>nothing</i> : visible(row.right)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }}
    </Show>
  )
}
