import type { OwnerDoor } from '../flows/doors.js'
import { type Handler, done, shown } from './handler.js'
import type { RoutesFor } from './routes.js'

/** The owner's calls about the work of all agents: as `handlers.ts`, one line a route. */
export type AtOwnerWork = Extract<
  RoutesFor<'owner'>,
  | `owner.tasks.${string}`
  | `owner.envelopes.${string}`
  | 'owner.owned.list'
  | 'owner.capabilities.list'
  | 'owner.health.read'
  | 'owner.undelivered.list'
>

export function ownerWorkHandlers(door: OwnerDoor): { readonly [K in AtOwnerWork]: Handler<K> } {
  return {
    'owner.tasks.list': async ({ query }) => shown(await door.tasks(query), (page) => page),
    'owner.tasks.read': async ({ params, query }) =>
      shown(await door.task({ ...params, ...query }), (task) => ({ task })),
    'owner.tasks.cancel': async ({ params, body }) =>
      shown(await door.cancelTask({ ...params, ...body }), (task) => ({ task, status: 'sent' as const })),
    'owner.tasks.calendar': async ({ params, query }) =>
      shown(await door.calendar({ ...params, ...query }), (file) => file),
    'owner.tasks.transcript': async ({ params, query }) =>
      shown(await door.transcript({ ...params, ...query }), (file) => file),
    'owner.envelopes.list': async ({ query }) => shown(await door.envelopes(query), (page) => page),
    'owner.envelopes.read': async ({ params, query }) =>
      shown(await door.envelope({ ...params, ...query }), (envelope) => ({ envelope })),
    'owner.envelopes.cancel': async ({ params, body }) =>
      shown(await door.cancelEnvelope({ ...params, ...body }), (written) => written),
    'owner.owned.list': async ({ query }) => shown(await door.owned(query), (page) => page),
    'owner.health.read': async () => done({ health: await door.health() }),
    'owner.undelivered.list': async () => done(await door.undelivered()),
    'owner.capabilities.list': async ({ query }) => shown(await door.capabilities(query), (page) => page)
  }
}
