import type { GrantView } from '../../flows/views/contacts.js'
import type { NameOf } from './names.js'
import { table } from './table.js'

/** Rules as a table. */
export function grantTable(grants: readonly GrantView[], nameOf: NameOf): string {
  return table(
    ['contact', 'capability', 'effect'],
    grants.map((grant) => [nameOf(grant.contact), grant.capability, grant.effect])
  )
}
