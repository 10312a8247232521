import { Id } from '../../parts/basics.js'
import { capabilityWords } from '../../words/capabilities.js'
import { EVERYBODY, FAMILIES, type Rule, familyOf } from '../../words/rules.js'
import { RuleCell } from './rule-cell.js'
import { useCapabilities } from './use-capabilities.js'

/** A column of rules: a contact, or everybody. */
export interface Column {
  readonly contact: string
  readonly name: string
}

interface MatrixProps {
  readonly rules: readonly Rule[]
  readonly columns: readonly Column[]
}

/**
 * Capabilities down, contacts across; each cell says what holds and changes it. One table, so that a contact has one
 * column through all families.
 */
export function Matrix({ rules, columns }: MatrixProps) {
  const names = useCapabilities(rules)
  return (
    <div class="matrix-room" tabIndex={-1}>
      <table class="table matrix">
        <caption class="hidden">Rules</caption>
        <thead>
          <tr>
            <th scope="col">Capability</th>
            {columns.map((column) => (
              <th key={column.contact} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        {FAMILIES.map((family) => (
          <tbody key={family}>
            <tr class="matrix-family">
              <th scope="rowgroup" colSpan={columns.length + 1}>
                {family}
              </th>
            </tr>
            {names
              .filter((name) => familyOf(name) === family)
              .map((name) => (
                <MatrixRow key={name} capability={name} rules={rules} columns={columns} />
              ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function MatrixRow({ capability, rules, columns }: MatrixProps & { readonly capability: string }) {
  const words = capabilityWords(capability)
  return (
    <tr>
      <th scope="row">
        {words}
        {words === capability ? null : (
          <>
            <br />
            <Id>{capability}</Id>
          </>
        )}
      </th>
      {columns.map(({ contact, name }) => (
        <td key={contact} data-head={name}>
          <RuleCell
            rules={rules}
            contact={contact}
            name={contact === EVERYBODY ? 'for everybody' : `with ${name}`}
            capability={capability}
          />
        </td>
      ))}
    </tr>
  )
}
