import { isPlain } from '../base/json.js'

/**
 * Freezes a record and everything in it. Records are shared by all who read them, so a change in place would be seen by
 * everybody and written by nobody; tests run with frozen records to catch it. Throws TypeError on what the disk would not
 * give back as it is: undefined members, functions, dates, numbers that are not finite.
 */
export function freezeRecord<T>(value: T): T {
  if (value instanceof Uint8Array) return value
  freeze(value, '$')
  return value
}

function freeze(value: unknown, path: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (typeof value !== 'object' || !(Array.isArray(value) || isPlain(value)))
    throw new TypeError(`a record must be plain JSON: ${path}`)
  if (Object.isFrozen(value) && Object.keys(value).length === 0) return
  for (const [name, member] of Object.entries(value)) freeze(member, `${path}.${name}`)
  Object.freeze(value)
}
