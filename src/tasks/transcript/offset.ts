/** Where a member of a canonical JSON text begins, so that a fault can be pointed at. */
import { toUtf8 } from '../../base/bytes.js'
import { canonicalText } from '../../base/canonical.js'
import { type Json, isObject } from '../../base/json.js'

/** Names of members and places in lists, from the outside in. */
export type Path = ReadonlyArray<string | number>

/** Offset in bytes of the value at `path` in the canonical bytes of `value`; of the last one that is there. */
export function offsetOf(value: Json, path: Path): number {
  const [step, ...rest] = path
  if (step === undefined) return 0
  const before = Array.isArray(value)
    ? itemsBefore(value, step)
    : isObject(value)
      ? membersBefore(value, step)
      : undefined
  return before === undefined ? 0 : before.bytes + offsetOf(before.next, rest)
}

interface Found {
  /** Bytes up to the value. */
  readonly bytes: number
  readonly next: Json
}

function itemsBefore(list: readonly Json[], step: string | number): Found | undefined {
  const next = typeof step === 'number' ? list[step] : undefined
  if (next === undefined) return undefined
  const before = list.slice(0, step as number).map(lengthOf)
  return { bytes: 1 + before.reduce((sum, length) => sum + length + 1, 0), next }
}

function membersBefore(value: Readonly<Record<string, Json>>, step: string | number): Found | undefined {
  const next = value[step]
  if (next === undefined) return undefined
  let bytes = 1
  for (const name of Object.keys(value).sort()) {
    bytes += lengthOf(name) + 1
    if (name === step) return { bytes, next }
    bytes += lengthOf(value[name] as Json) + 1
  }
  return undefined
}

function lengthOf(value: Json): number {
  return toUtf8(canonicalText(value)).length
}
