/** Proposals, params, contracts and reports as an agent writes them, full of canaries. */
import type { Json, JsonObject } from '../../src/base/json.js'
import type { Field } from '../../src/types/field.js'
import type { InstalledType } from '../../src/types/catalog.js'
import type { Prng } from '../sim/prng.js'
import { type Fate, canary, word } from './canaries.js'
import { DENIED } from './rules.js'

/** A proposal of a type: all that is required, and some of the rest; seldom what is denied. */
export function proposalOf(type: InstalledType, prng: Prng): JsonObject {
  const most = prng.pick([0.1, 0.3, 0.6])
  const denied = prng.chance(0.25)
  const entries = type.definition.fields.flatMap((field): Array<[string, Json]> => {
    const isDenied = (DENIED as readonly string[]).includes(field.capability ?? '')
    if (isDenied && !denied) return []
    if (field.required !== true && !prng.chance(most)) return []
    return [[field.name, valueOf(field, isDenied ? 'never' : 'plain', prng)]]
  })
  if (prng.chance(0.04)) entries.push(['homeAddress', word('never', prng)])
  return Object.fromEntries(entries)
}

function valueOf(field: Field, fate: Fate, prng: Prng): Json {
  if (field.kind === 'group') {
    const inner = field.fields.filter((one) => one.required === true || prng.chance(0.7))
    return Object.fromEntries(inner.map((one) => [one.name, valueOf(one, fate, prng)]))
  }
  const marked = canary(fate, field.kind, prng)
  const isFree = field.kind !== 'integer' || field.maximum === undefined || field.maximum >= 1_000_000_000
  if (marked !== undefined && isFree) return marked
  switch (field.kind) {
    case 'integer':
      return prng.whole(field.minimum ?? 1, Math.min(field.maximum ?? 20, 20))
    case 'boolean':
      return prng.chance(0.5)
    case 'time':
      return `1${prng.whole(0, 9)}:${prng.whole(10, 59)}`
    case 'timezone':
      return prng.pick(['America/Toronto', 'Europe/Berlin', 'Asia/Tokyo'])
    case 'choice':
      return prng.pick(field.options)
    default:
      throw new Error(`no value of kind ${field.kind}`)
  }
}

/** Params of an action: what the plan says, and words of the agent's own that must stay. */
export function paramsOf(action: string, plan: JsonObject, prng: Prng): JsonObject {
  const own = word('never', prng)
  const seldom = (more: JsonObject): JsonObject => (prng.chance(0.3) ? more : {})
  if (action.startsWith('x.')) {
    const open = plan['openText']
    const said = typeof open === 'string' && prng.chance(0.6) ? { openText: open } : seldom({ openText: own })
    return { ...said, ...seldom({ secret: own }), ...seldom({ count: canary('never', 'integer', prng) ?? 1 }) }
  }
  const size = plan['partySize']
  const needed = action === 'reservation.book' && size === undefined ? { partySize: prng.whole(1, 3) } : {}
  const venue = plan['venue'] === undefined ? seldom({ venueName: own, venueArea: own }) : {}
  return { ...needed, ...venue, ...(action === 'calendar.hold' ? seldom({ durationMinutes: 90 }) : {}) }
}

/** A contract for a delegated task. */
export function contractOf(prng: Prng, dependsOn: readonly string[]): JsonObject {
  const said = (): string => word('plain', prng)
  return {
    objective: said(),
    outputFormat: said(),
    toolAndSourceGuidance: said(),
    boundaries: said(),
    filesAndInterfaces: [`src/${said()}`],
    acceptanceCheck: { passFailCommand: 'node test.js', endToEndVerification: said() },
    contextID: said(),
    ...(dependsOn.length > 0 && prng.chance(0.2) ? { dependsOn: [prng.pick(dependsOn)] } : {}),
    ...(prng.chance(0.3) ? { toolsAllowed: ['git', 'shell'] } : {})
  }
}

export function artifactOf(prng: Prng): JsonObject {
  const name = word('plain', prng)
  return { name, location: `out/${name}`, mediaType: 'text/plain', size: 3, sha256: 'b'.repeat(64) }
}

export function runOf(command: string, prng: Prng): JsonObject {
  const output = { tail: word('plain', prng), bytes: 3, sha256: 'a'.repeat(64) }
  return { command, exitStatus: prng.chance(0.9) ? 0 : 1, output, durationMs: 12 }
}

export function evidenceOf(command: string, prng: Prng): JsonObject {
  const endToEnd = { passed: prng.chance(0.9), note: word('plain', prng) }
  return { ...runOf(command, prng), endToEnd, verdictSource: 'script' }
}
