/** Any JSON value. Objects that our strict reader makes inherit nothing. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is an object: neither null nor a list. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Makes an object that inherits nothing. Its prototype is empty and frozen instead of null: the engine keeps the members
 * of an object without prototype in a hash table, which takes four times the memory.
 */
export const Bare = function Bare() {} as unknown as new () => Record<string, Json>
Bare.prototype = Object.freeze(Object.create(null)) as Record<string, Json>

/** Whether a value is an object as JSON has them: a literal, or one that inherits nothing. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Bare.prototype || prototype === Object.prototype || prototype === null
}
