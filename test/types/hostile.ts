/**
 * Hostile definitions, as values and as files, and what must hold for each: the product says what the second reader says,
 * throws nothing, takes little time, and names one of its codes. `fuzz.ts` runs any number of them.
 */
import fc from 'fast-check'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import { hashOf, parseDefinition, readDefinition, uncoveredText, worstCaseBytes } from '../../src/types/definition.js'
import { TTD1 } from '../../src/types/limits.js'
import { bentDefinition, validDefinition } from './definitions.js'
import { faultsOfDefinition, hash, hashOfFile } from './second/reader.js'

/** A definition may take this long at most, milliseconds of this process; the slowest honest one takes about one. */
const MOST_MS = 250
const FILE_CODES = ['malformed_json', 'duplicate_key', 'too_deep', 'not_canonical', 'malformed_definition']

/** Much of one thing: what a parser without limits would choke on. */
const swollen: fc.Arbitrary<Json> = fc
  .tuple(validDefinition, fc.integer({ min: 1, max: 110 }), fc.nat(7))
  .map(([definition, times, how]): Json => {
    const fields = definition.fields as readonly JsonObject[]
    const many = <T>(make: (at: number) => T): T[] => Array.from({ length: times }, (_, at) => make(at))
    const copies = many((at): JsonObject => ({ ...fields[0], name: `f${at}` }))
    const deep = (levels: number): Json => (levels === 0 ? 1 : [deep(levels - 1)])
    const shapes: readonly Json[] = [
      { ...definition, fields: copies },
      { ...definition, fields: [{ name: 'g', kind: 'group', label: 'G', fields: copies }] },
      { ...definition, title: '\u0041\u030a'.repeat(times) },
      {
        ...definition,
        fields: [{ name: 'o', kind: 'choice', label: 'O', options: many((at) => `option ${at % 70}`) }]
      },
      { ...definition, fields: [{ name: 't', kind: 'text', label: 'T', maxLength: times * 40 }] },
      { ...definition, fields: [{ name: 'l', kind: 'list', label: 'L', maxItems: 100, maxLength: times }] },
      { ...definition, description: deep(Math.min(times, 200)) },
      {
        ...definition,
        actions: many((at) => ({ name: `x.quote.request.a${at}`, label: 'A', params: copies.slice(0, 70) }))
      }
    ]
    return shapes[how] ?? definition
  })

/** The bytes of a definition with some of them replaced, repeated or cut. */
const bentFile: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.oneof(validDefinition, bentDefinition),
    fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(3)), { maxLength: 3 })
  )
  .map(([value, bends]) => {
    let bytes = Buffer.from(textOf(value))
    for (const [place, byte, how] of bends) {
      const at = place % Math.max(1, bytes.length)
      const put = how === 1 ? [] : how === 2 ? [byte, byte] : [byte]
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(how === 3 ? at : at + 1)])
    }
    return new Uint8Array(bytes)
  })

function textOf(value: Json): string {
  try {
    return canonicalText(value)
  } catch {
    // A lone surrogate has no canonical form: the file gets what a careless writer would write.
    return JSON.stringify(value)
  }
}

type Hostile = { readonly value: Json } | { readonly file: Uint8Array }

export const hostile: fc.Arbitrary<Hostile> = fc.oneof(
  { weight: 12, arbitrary: bentDefinition.map((value) => ({ value })) },
  { weight: 1, arbitrary: swollen.map((value) => ({ value })) },
  { weight: 2, arbitrary: fc.jsonValue().map((value) => ({ value: value as Json })) },
  { weight: 6, arbitrary: bentFile.map((file) => ({ file })) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((file) => ({ file })) }
)

/** What is wrong with the product's answer; undefined when all holds. */
export function wrongWith(one: Hostile): string | undefined {
  const began = process.cpuUsage()
  const answer = 'file' in one ? readDefinition(one.file) : parseDefinition(one.value)
  const ms = process.cpuUsage(began).user / 1000
  if (ms > MOST_MS) return `it took ${Math.round(ms)} ms`
  return 'file' in one
    ? wrongWithFile(one.file, answer as ReturnType<typeof readDefinition>)
    : wrongWithValue(one.value, answer as ReturnType<typeof parseDefinition>)
}

function wrongWithValue(value: Json, parsed: ReturnType<typeof parseDefinition>): string | undefined {
  const faults = faultsOfDefinition(value)
  if (!parsed.ok) {
    const { code, field = '' } = parsed.refusal.details
    if (code !== 'malformed_definition') return `refused with ${String(code)}`
    return faults.has(field) ? undefined : `refused at ${field}, which the second reader finds in order`
  }
  if (faults.size > 0) return `accepted, although the second reader finds ${[...faults.keys()].join(', ')}`
  if (hashOf(parsed.value) !== hash(value)) return 'two hashes'
  const bytes = Buffer.byteLength(canonicalText(value)) + worstCaseBytes(parsed.value)
  if (bytes > TTD1.inviteBytes) return `an invite would take ${bytes} bytes`
  return uncoveredText(parsed.value).every((path) => path.length < 100) ? undefined : 'a path without bounds'
}

function wrongWithFile(bytes: Uint8Array, file: ReturnType<typeof readDefinition>): string | undefined {
  const second = hashOfFile(bytes)
  if (file.ok) return file.value.hash === second ? undefined : `the second reader says ${second ?? 'no'}`
  const code = file.refusal.details.code ?? file.refusal.code
  if (code !== 'too_large' && !FILE_CODES.includes(code)) return `refused with ${code}`
  return second === undefined ? undefined : `refused with ${code}, although it is a definition`
}
