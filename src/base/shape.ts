/**
 * Shapes: small strict checkers of JSON values with exact objects. A shape only looks; the value that passed is the one
 * that came in, typed. Paths are put together only when something is wrong, because messages are checked on the hot path.
 */
import { type Json, type JsonObject, isObject } from './json.js'
import { type DetailCode, badRequest } from './refusal.js'
import { type Result, fail, ok } from './result.js'

/** What is wrong: the rule, the path of the member (empty for the value itself), and what was wanted there. */
export interface Fault {
  readonly code: 'unknown_member' | 'missing_field' | 'invalid_field'
  readonly path: string
  readonly want: string
}

/** Checks one value. `type` exists for the compiler alone. */
export interface Shape<T> {
  readonly fault: (value: Json) => Fault | undefined
  /** All that is wrong, where a value has parts that can be wrong by themselves; see `faultsOf`. */
  readonly faults?: (value: Json) => readonly Fault[]
  readonly type?: T
}

/** A member that may be missing. */
export interface OptionalShape<T> extends Shape<T> {
  readonly optional: true
}

/** The type that a shape stands for. */
export type Infer<S> = S extends Shape<infer T> ? T : never

type Members = Readonly<Record<string, Shape<unknown>>>
type OptionalNames<M> = { [K in keyof M]: M[K] extends OptionalShape<unknown> ? K : never }[keyof M]
export type ObjectOf<M> = { readonly [K in Exclude<keyof M, OptionalNames<M>>]: Infer<M[K]> } & {
  readonly [K in OptionalNames<M>]?: Infer<M[K]>
}

/** Checks a value. Refuses with `unknown_member`, `missing_field`, `invalid_field`; the field is a path below `field`. */
export function check<T>(shape: Shape<T>, value: Json, field = ''): Result<T> {
  const fault = shape.fault(value)
  if (fault === undefined) return ok(value as T)
  const path = join(field, fault.path)
  return fail(badRequest(fault.code, `${path === '' ? 'the value' : path}: ${fault.want}`, path))
}

/** Checks a value of which only one code may be told, such as `malformed_message`; the field is a path below `field`. */
export function checkAs<T>(code: DetailCode, shape: Shape<T>, value: Json, field = ''): Result<T> {
  const checked = check(shape, value, field)
  return checked.ok ? checked : fail(badRequest(code, checked.refusal.message, checked.refusal.details.field))
}

/** Everything that is wrong with a value, for people who correct it; programs go by the first fault. */
export function faultsOf(shape: Shape<unknown>, value: Json): readonly Fault[] {
  if (shape.faults !== undefined) return shape.faults(value)
  const fault = shape.fault(value)
  return fault === undefined ? [] : [fault]
}

function join(head: string, tail: string): string {
  if (head === '' || tail === '') return head + tail
  return tail.startsWith('[') ? head + tail : `${head}.${tail}`
}

function invalid(want: string): Fault {
  return { code: 'invalid_field', path: '', want }
}

function below(step: string, fault: Fault): Fault {
  return { ...fault, path: join(step, fault.path) }
}

/** An object with exactly these members; those made by `optional` may be missing. */
export function object<M extends Members>(members: M): Shape<ObjectOf<M>> {
  const shapes = new Map(Object.entries(members))
  const required = [...shapes].filter(([, shape]) => !('optional' in shape)).map(([name]) => name)
  const fault = (value: Json): Fault | undefined => {
    if (!isObject(value)) return invalid('must be an object')
    const present = Object.keys(value)
    for (const name of present) {
      const shape = shapes.get(name)
      // A name of our own list may be shown; a stranger's may be anything, so it is cut short.
      if (shape === undefined) return { code: 'unknown_member', path: name.slice(0, 40), want: 'is not known' }
      const inner = shape.fault(value[name] as Json)
      if (inner !== undefined) return below(name, inner)
    }
    const missing = required.find((name) => !present.includes(name))
    return missing === undefined ? undefined : { code: 'missing_field', path: missing, want: 'is missing' }
  }
  const faults = (value: Json): readonly Fault[] => {
    if (!isObject(value)) return [invalid('must be an object')]
    const present = Object.keys(value)
    const wrong = present.flatMap((name): readonly Fault[] => {
      const shape = shapes.get(name)
      if (shape === undefined) return [{ code: 'unknown_member', path: name.slice(0, 40), want: 'is not known' }]
      return faultsOf(shape, value[name] as Json).map((inner) => below(name, inner))
    })
    const missing = required.filter((name) => !present.includes(name))
    return [...wrong, ...missing.map((path): Fault => ({ code: 'missing_field', path, want: 'is missing' }))]
  }
  return { fault, faults }
}

/** A member that may be missing; null is not missing. */
export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  return { ...shape, optional: true }
}

/** Text of `min` to `max` characters (Unicode code points, as JSON Schema counts them). */
export function string(bounds: { readonly min?: number; readonly max: number }): Shape<string> {
  const min = bounds.min ?? 0
  const want = `must be text of ${min} to ${bounds.max} characters`
  return { fault: (value) => (typeof value === 'string' && fits(value, min, bounds.max) ? undefined : invalid(want)) }
}

function fits(text: string, min: number, max: number): boolean {
  // Code units are never fewer than code points and at most twice as many: most texts need no count.
  if (text.length <= max && text.length >= 2 * min) return true
  if (text.length > 2 * max) return false
  let count = 0
  for (const _ of text) count++
  return count >= min && count <= max
}

/** Text that matches a pattern of ours; `want` says it in words. */
export function pattern<T extends string = string>(regex: RegExp, want: string): Shape<T> {
  return { fault: (value) => (typeof value === 'string' && regex.test(value) ? undefined : invalid(`must be ${want}`)) }
}

/** A safe integer within inclusive bounds. */
export function integer(bounds: { readonly min: number; readonly max?: number }): Shape<number> {
  const max = bounds.max ?? Number.MAX_SAFE_INTEGER
  const want = `must be an integer from ${bounds.min} to ${max}`
  return {
    fault: (value) =>
      Number.isSafeInteger(value) && (value as number) >= bounds.min && (value as number) <= max
        ? undefined
        : invalid(want)
  }
}

/** One of these texts, and nothing else. */
export function oneOf<const T extends readonly string[]>(choices: T): Shape<T[number]> {
  const known: ReadonlySet<Json> = new Set(choices)
  return { fault: (value) => (known.has(value) ? undefined : invalid(`must be one of ${choices.join(', ')}`)) }
}

/** Exactly this number. */
export function exactly<const N extends number>(number: N): Shape<N> {
  return { fault: (value) => (value === number ? undefined : invalid(`must be ${number}`)) }
}

export const boolean: Shape<boolean> = {
  fault: (value) => (typeof value === 'boolean' ? undefined : invalid('must be true or false'))
}

/** Any object; what is in it is checked elsewhere. */
export const anyObject: Shape<JsonObject> = {
  fault: (value) => (isObject(value) ? undefined : invalid('must be an object'))
}

/** Any JSON value; it only has to be there. */
export const anything: Shape<Json> = { fault: () => undefined }

/** A list of at most `max` items of one shape. */
export function list<T>(item: Shape<T>, bounds: { readonly max: number }): Shape<readonly T[]> {
  const fault = (value: Json): Fault | undefined => {
    if (!Array.isArray(value) || value.length > bounds.max) return invalid(`must be a list of at most ${bounds.max}`)
    for (let i = 0; i < value.length; i++) {
      const inner = item.fault(value[i] as Json)
      if (inner !== undefined) return below(`[${i}]`, inner)
    }
    return undefined
  }
  const faults = (value: Json): readonly Fault[] => {
    if (!Array.isArray(value) || value.length > bounds.max) return [invalid(`must be a list of at most ${bounds.max}`)]
    return (value as Json[]).flatMap((one, i) => faultsOf(item, one).map((inner) => below(`[${i}]`, inner)))
  }
  return { fault, faults }
}

/** Text that a function of ours accepts; `want` says in words what it must be. */
export function text<T extends string = string>(holds: (value: string) => boolean, want: string): Shape<T> {
  return { fault: (value) => (typeof value === 'string' && holds(value) ? undefined : invalid(`must be ${want}`)) }
}

/** A shape and one more rule over the whole value, for what spans members. `want` says the rule in words. */
export function refine<T>(shape: Shape<T>, holds: (value: T) => boolean, want: string): Shape<T> {
  return { fault: (value) => shape.fault(value) ?? (holds(value as T) ? undefined : invalid(want)) }
}
