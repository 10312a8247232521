/**
 * What a node would answer the owner's page if everything that another owner may write, and much that none may, were
 * hostile: made from the very shapes that real answers are checked with, so a member that is added there is tried here.
 */
import type { z } from 'zod'
import { CONTRACT } from '../../src/api/contract.js'
import type { JsonObject } from '../../src/base/json.js'
import { ROUTE_NAMES, type RouteName, routeOf } from '../../src/api/routes.js'

/** What only the own node writes, by its name: it stays as it is, and leads from page to page. */
export interface Own {
  /** Id of our agent. */
  readonly agent: string
  /** Some contact's. */
  readonly contact: string
}

/** Strings that stand together in one text; names of objects and the like stand alone. */
const TOGETHER = 40
const ALONE = 24

/** Members of free objects that pages read by name: what a contract, a delivery and a result hold. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  contract: [
    'objective',
    'outputFormat',
    'toolAndSourceGuidance',
    'boundaries',
    'contextID',
    'acceptanceCheck',
    '*filesAndInterfaces',
    '*dependsOn',
    '*toolsAllowed'
  ],
  acceptanceCheck: ['passFailCommand', 'endToEndVerification'],
  artifacts: ['name', 'location', 'mediaType', 'sha256'],
  evidence: ['command', 'output', 'endToEnd', 'verdictSource', 'secondOpinion'],
  output: ['tail', 'sha256'],
  endToEnd: ['note'],
  secondOpinion: ['note', 'verdictSource'],
  verdicts: ['at', 'verdictSource', 'note', 'run'],
  staged: ['*artifacts', 'evidence', 'summary'],
  result: ['at', '*artifacts', 'evidence', 'summary'],
  content: ['*artifacts', 'evidence', 'summary', 'text', 'reason', 'contract', 'code'],
  terms: ['lamports', 'payer', 'recipient', 'reference', 'memo']
}
/** Members of an evidence, a contract, a result that are objects themselves. */
const NESTED: ReadonlySet<string> = new Set(Object.keys(KNOWN))
const TIME = /At$|^(at|since|until)$/
const HEX =
  /^(taskUid|taskUids|proposalId|agreedProposalId|messageId|recordId|offerId|questionId|hash|digest|prev|approvalId|type|seal)$/
/** Amounts: decimal digits by their shape on every wire. */
const AMOUNT = /^(price|lamports|perJob|perDay|left|counted)$/

type Def = z.core.$ZodTypeDef & {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
}

/** Where a value stands: the member's name, how many lists are around it, and its place in them. */
interface Spot {
  readonly name: string
  readonly lists: number
  readonly at: number
  /** `agent` is a contact here. */
  readonly ofContact: boolean
}

export class HostileAnswers {
  /** What the texts of a list say, thing by thing: each of them says all strings once. */
  readonly #texts: readonly string[]
  readonly #strings: readonly string[]
  readonly #own: Own
  #turn = 0

  constructor(strings: readonly string[], own: Own) {
    const together = strings.slice(0, -ALONE)
    const bundles = Array.from({ length: Math.ceil(together.length / TOGETHER) }, (_, i) =>
      together.slice(i * TOGETHER, (i + 1) * TOGETHER).join(' ')
    )
    this.#texts = [...bundles, ...strings.slice(-ALONE)]
    this.#strings = strings
    this.#own = own
  }

  /** The owner's routes that only read JSON. */
  static readonly routes: ReadonlySet<RouteName> = new Set(
    ROUTE_NAMES.filter((name) => {
      const { auth, method, media } = routeOf(name)
      return auth === 'owner' && method === 'GET' && media === undefined
    })
  )

  /** `at` picks among the shapes that an answer may have. */
  of(name: RouteName, at: number): Record<string, unknown> {
    const ofContact = name === 'owner.contacts.list'
    const { answer: shape } = CONTRACT[name]
    const answer = this.#made(shape, { name: '', lists: 0, at, ofContact }) as Record<string, unknown>
    delete answer['next']
    return answer
  }

  #made(schema: z.core.$ZodType, spot: Spot): unknown {
    const def = schema._zod.def as Def
    switch (def.type) {
      case 'object':
        return this.#object(def.shape ?? {}, spot)
      case 'array':
        return this.#list(def.element as z.core.$ZodType, spot)
      case 'optional':
      case 'nullable':
      case 'readonly':
      case 'default':
        return this.#made(def.innerType as z.core.$ZodType, spot)
      case 'union':
        return this.#made(pick(def.options ?? [], spot.at), spot)
      case 'enum':
        return pick(Object.values(def.entries ?? {}), spot.at)
      case 'literal':
        return pick(def.values ?? [], spot.at)
      case 'boolean':
        return spot.at % 2 === 0
      case 'number':
      case 'int':
        return 1 + (spot.at % 1000)
      case 'record':
        return this.#free(spot)
      case 'string':
        return this.#text(spot)
      default:
        throw new Error(`an answer has a shape that nobody told of: ${def.type} at ${spot.name}`)
    }
  }

  #object(shape: Readonly<Record<string, z.core.$ZodType>>, spot: Spot): JsonObject {
    const members = Object.entries(shape).map(([name, member]) => [name, this.#made(member, { ...spot, name })])
    return Object.fromEntries(members) as JsonObject
  }

  /** The outer list of an answer holds as many things as there are strings; lists in it a few. */
  #list(element: z.core.$ZodType, { lists, at, ...spot }: Spot): unknown[] {
    const many = lists === 0 ? this.#texts.length : 3
    return Array.from({ length: many }, (_, i) => this.#made(element, { ...spot, lists: lists + 1, at: at + i }))
  }

  /** An object whose members the shapes leave open: those that pages read, and hostile ones. */
  #free(spot: Spot): JsonObject {
    const known = (KNOWN[spot.name] ?? []).map((member) => this.#member(member, spot))
    const odd = Array.from({ length: 3 }, () => [pick(this.#strings, this.#turn++), this.#text({ ...spot, name: '' })])
    return Object.fromEntries([...known, ...odd]) as JsonObject
  }

  #member(word: string, spot: Spot): [string, unknown] {
    const name = word.replace('*', '')
    const one = (at: number): unknown => {
      const inner = { ...spot, name, lists: spot.lists + 1, at }
      return NESTED.has(name) ? this.#free(inner) : this.#text(inner)
    }
    return [name, word.startsWith('*') ? [0, 1, 2].map((i) => one(spot.at + i)) : one(spot.at)]
  }

  #text({ name, lists, at, ofContact }: Spot): string {
    if (TIME.test(name)) return new Date(1_798_000_000_000 - 60_000 * at).toISOString()
    if (name === 'agent') return ofContact ? this.#own.contact : this.#own.agent
    if (name === 'participant' || name === 'contact') return this.#own.contact
    if (HEX.test(name)) return at.toString(16).padStart(32, '0')
    if (AMOUNT.test(name)) return '250000000'
    // The things of a list say all strings together, what lies deeper says one, and what is there once says some.
    if (lists === 1) return pick(this.#texts, at)
    return lists === 0 ? pick(this.#texts, this.#turn++) : pick(this.#strings, this.#turn++)
  }
}

function pick<T>(from: readonly T[], at: number): T {
  return from[at % from.length] as T
}
