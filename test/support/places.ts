/** Places for agents of nodes without a home: none, or in memory. */
import { badRequest } from '../../src/base/refusal.js'
import { fail, ok } from '../../src/base/result.js'
import type { AgentPlaces } from '../../src/flows/ports.js'

const nothing = (): Promise<void> => Promise.resolve()

/** A node whose agents never change. */
export const NO_PLACES: AgentPlaces = {
  make: (name) => Promise.resolve(fail(badRequest('invalid_field', `no room for ${name}`, 'name'))),
  renewToken: () => Promise.reject(new Error('there are no tokens here')),
  retire: nothing,
  open: () => Promise.resolve(ok()),
  close: () => undefined,
  interrupt: () => undefined
}
