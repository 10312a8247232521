import type { Run } from './context.js'

/** How the owner knows an agent: the alias or handle of the contact, else its id. */
export type NameOf = (agent: string) => string

/** Looks the names of all contacts up once. */
export async function contactNames(run: Run): Promise<NameOf> {
  const { items } = await run.session.owner('owner.contacts.list', { query: run.pick })
  const names = new Map(items.map((contact) => [contact.agent, contact.alias ?? contact.handle]))
  return (agent) => names.get(agent) ?? agent
}
