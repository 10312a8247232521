import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { capabilityWords } from '../words/capabilities.js'
import { typeName } from '../words/types.js'
import { Badge, Facts, Id, Note, Theirs } from './basics.js'

/** What a task type asks for, its field to capability map first of all. Titles and labels are the words of its author. */

export type InspectionView = AnswerOf<'owner.types.inspect'>['inspection']
type Field = InspectionView['fields'][number]

export function Inspection({ inspection }: { readonly inspection: InspectionView }) {
  return (
    <>
      <Facts
        rows={[
          ['Title', <Theirs key="title">{inspection.title}</Theirs>],
          ['Name and version', typeName(inspection)],
          [
            'Description',
            inspection.description === undefined ? undefined : <Theirs key="d">{inspection.description}</Theirs>
          ],
          ['Hash', <Id key="hash">{inspection.hash}</Id>],
          ['Size', `${inspection.bytes} bytes; a plan of it has at most ${inspection.worstProposalBytes} bytes`]
        ]}
      />
      <Warnings inspection={inspection} />
      <h3>Fields, and the permission that each needs</h3>
      <Fields caption="Fields, and the permission that each needs" fields={inspection.fields} />
      {inspection.actions.map((action) => (
        <div key={action.name}>
          <h3>
            Action <Theirs>{action.label}</Theirs>
          </h3>
          <p class="small">
            Needs <code>action.{visible(action.name)}</code>. It is recorded and told to the other side; nothing else
            happens.
          </p>
          {action.params.length === 0 ? null : (
            <Fields caption={`What ${visible(action.name)} takes`} fields={action.params} />
          )}
        </div>
      ))}
    </>
  )
}

function Warnings({ inspection }: { readonly inspection: InspectionView }) {
  const { uncoveredText, customCapabilities, sameName } = inspection
  return (
    <>
      {uncoveredText.length === 0 ? null : (
        <Note tone="wait">
          <p>
            These fields take any text and need no permission, so your agent can say anything there:{' '}
            {listed(uncoveredText)}
          </p>
        </Note>
      )}
      {customCapabilities.length === 0 ? null : (
        <Note tone="wait">
          <p>
            This type made up permissions of its own. Your agent asks you for each, until you make a rule for exactly
            it: {listed(customCapabilities)}
          </p>
        </Note>
      )}
      {sameName.length === 0 ? null : (
        <Note tone="wait">
          <p>Your node holds another definition of the same name and version: {listed(sameName)}</p>
        </Note>
      )}
    </>
  )
}

function listed(names: readonly string[]): string {
  return names.map(visible).join(', ')
}

function Fields({ caption, fields }: { readonly caption: string; readonly fields: readonly Field[] }) {
  return (
    <table class="table">
      <caption class="hidden">{visible(caption)}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">What it is</th>
          <th scope="col">Needs your permission for</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.path}>
            <th scope="row">
              {visible(field.path)}
              <br />
              <Theirs>{field.label}</Theirs>
            </th>
            <td data-head="What it is">
              {visible(field.kind)} {visible(field.bounds)}{' '}
              {field.required ? <Badge tone="quiet">required</Badge> : null}
            </td>
            <td data-head="Needs your permission for">
              {field.capability === undefined ? (
                'nothing'
              ) : (
                <>
                  {capabilityWords(field.capability)}
                  <br />
                  <code class="id">{visible(field.capability)}</code>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
