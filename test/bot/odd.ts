/** What no honest program sends: values, members and bodies that a careless reader would trip over. */
import type { Prng } from '../sim/prng.js'
import { type Fate, word } from './canaries.js'

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\u202egnihton\u202c',
  '\u2066\u200b\u200d\ufeff',
  'раураl',
  'e\u0301\u0327\u0315\u0315\u0315\u0315',
  '\ud83d\ude00'.repeat(40),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '../../../keys/node.key',
  '%2e%2e%2f',
  '*',
  '@',
  '@@bob',
  'al1',
  'null',
  'NaN',
  '-0',
  '1e309',
  '9007199254740993',
  '0x10',
  '$(id)',
  "'; drop table tasks; --",
  '<script>alert(1)</script>',
  '\r\nx-owner: yes',
  'a'.repeat(129),
  '2026-02-30',
  '24:00',
  'Mars/Olympus'
]
const NUMBERS: readonly number[] = [-1, 0, 0.1, 1e21, 1e300, 2 ** 53, -(2 ** 53), 1.0000000001, 720.5, 4294967296]
const MEMBERS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'agent',
  'approved',
  'decision',
  'scope',
  'effect',
  'x'
]
/** Characters of a text that is far beyond any bound, and levels that are. */
const HUGE = 300_000
const LONG = 12_000
const DEEP = 2_000

/** A value that fits nowhere, or fits where it should not; there it may even leave, unless it is a `never`. */
function oddValue(prng: Prng, fate: Fate = 'plain'): unknown {
  const kinds = [
    () => prng.pick(TEXTS),
    () => `${prng.pick(TEXTS)}${word(fate, prng)}`,
    () => prng.pick(NUMBERS),
    () => prng.pick([null, true, false]),
    () => [],
    () => [[word(fate, prng)]],
    () => ({ [prng.pick(MEMBERS)]: word(fate, prng) }),
    () => word(fate, prng).padEnd(prng.chance(0.1) ? LONG : 600, 'x'),
    () => nested(prng.whole(2, 30), word(fate, prng))
  ]
  return prng.pick(kinds)()
}

/** Text for a path or a query. */
export function oddText(prng: Prng): string {
  return prng.chance(0.5) ? prng.pick(TEXTS) : word('never', prng)
}

/** Bends what is right in one place, or in several. */
export function bend(value: unknown, prng: Prng): unknown {
  if (prng.chance(0.15)) return oddValue(prng)
  if (Array.isArray(value)) return bendList(value, prng)
  if (typeof value !== 'object' || value === null) return oddValue(prng)
  const entries = Object.entries(value)
  const at = prng.whole(0, Math.max(0, entries.length - 1))
  switch (prng.whole(0, 3)) {
    case 0:
      return Object.fromEntries(entries.filter((_, index) => index !== at))
    case 1:
      return withMember(entries, [prng.pick(MEMBERS), oddValue(prng, 'never')])
    default:
      return Object.fromEntries(entries.map(([name, one], index) => [name, index === at ? bend(one, prng) : one]))
  }
}

function bendList(list: readonly unknown[], prng: Prng): unknown {
  if (list.length === 0) return [oddValue(prng)]
  const at = prng.whole(0, list.length - 1)
  if (prng.chance(0.3)) return [...list, list[at]]
  if (prng.chance(0.2)) return Array.from({ length: 300 }, () => list[at])
  return list.map((one, index) => (index === at ? bend(one, prng) : one))
}

/** `__proto__` as a member of its own, as it comes out of a reader of JSON. */
function withMember(entries: ReadonlyArray<[string, unknown]>, more: [string, unknown]): object {
  return JSON.parse(
    JSON.stringify(Object.fromEntries(entries)).replace(/\}$/, '') + memberText(entries, more)
  ) as object
}

function memberText(entries: readonly unknown[], [name, value]: [string, unknown]): string {
  return `${entries.length === 0 ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}}`
}

/** The bytes of a body; now and then of none that JSON knows. */
export function bytesOf(body: unknown, prng: Prng): Buffer {
  const text = JSON.stringify(body)
  if (!prng.chance(0.06)) return Buffer.from(text)
  const forms = [
    () => Buffer.from(text.slice(0, prng.whole(0, text.length))),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`{"${prng.pick(MEMBERS)}":${'['.repeat(DEEP)}`),
    () => Buffer.from(JSON.stringify({ ...(body as object), x: word('never', prng).padEnd(HUGE, 'y') })),
    () => Buffer.from(text.replace(/^\{/, `{"type":"${word('never', prng)}","type":"x",`)),
    () => Buffer.from(text.replace(/"/, '"\\ud800')),
    () => Buffer.from(prng.bytes(prng.whole(1, 200))),
    () => Buffer.from(text, 'utf16le')
  ]
  return prng.pick(forms)()
}

function nested(levels: number, inner: unknown): unknown {
  return levels === 0 ? inner : { a: nested(levels - 1, inner) }
}
