import type { Run } from './context.js'

/** How the owner knows an agent: the alias or handle of the contact, the handle of an agent of their own, else its id. */
export type NameOf = (agent: string) => string

/** Looks the names of all contacts and of the owner's agents up once. */
export async function contactNames(run: Run): Promise<NameOf> {
  const { items } = await run.session.owner('owner.contacts.list', { query: run.pick })
  const own = await run.session.owner('owner.agents.list')
  const names = new Map(items.map((contact) => [contact.agent, contact.alias ?? contact.handle]))
  for (const { agent, handle } of own.items) names.set(agent, `${handle} (yours)`)
  return (agent) => names.get(agent) ?? agent
}
