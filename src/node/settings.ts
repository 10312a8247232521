import { parseHandle } from '../wire/card.js'

/**
 * What an owner may set: one table, from which come the checks, the reading of environment variables and
 * config/schema.json (`npx tsx test/node/write-schema.ts`). The values themselves stand in config/default.toml.
 */

export interface Setting<T> {
  readonly summary: string
  /** The value, or what is wrong with it. */
  check(value: unknown): { readonly value: T } | { readonly fault: string }
  /** What the text of an environment variable stands for; still to be checked. */
  read(text: string): unknown
  readonly schema: Readonly<Record<string, unknown>>
}

/** Digits with at most 9 places, as a text: a TOML number would not keep them all. */
const SOL = '^(0|[1-9][0-9]{0,8})([.][0-9]{1,9})?$'
/** Whoever can listen on the way could tell us anything: plain HTTP only to this machine. */
const RPC_URL = '^$|^https://[^\\s]+$|^http://(127[.]0[.]0[.]1|localhost|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$'
const MULTIADDR = '^/(ip4|ip6|dns|dns4|dns6)/[^/\\s]+/tcp/[0-9]{1,5}(/ws)?$'

export const SETTINGS = {
  net: {
    listen: addresses(1, 'Addresses (multiaddresses) at which other nodes reach this one.'),
    announce: addresses(
      0,
      'Addresses that contacts are told instead of those that the node found; none = those that it found.'
    )
  },
  limits: {
    strangers: whole(0, 10_000, 'The most connections at one time with nodes that are no contacts.'),
    strangers_per_address: whole(
      0,
      10_000,
      'The most connections at one time with nodes that are no contacts, from one network address.'
    ),
    per_peer: whole(1, 16, 'The most connections at one time with any one node.'),
    new_per_second: whole(1, 10_000, 'The most new connections per second from one network address.')
  },
  api: {
    tcp: yesOrNo(
      'Serve programs of this machine over HTTP, beside the sockets in the home; the owner’s page needs it.'
    ),
    host: choice(['127.0.0.1', '::1'], 'Address of this machine for HTTP: the owner’s page, and programs.'),
    port: whole(
      0,
      65_535,
      'Port of this machine for HTTP: the owner’s page, and programs; 0 = the node’s own, or any while that is taken.'
    ),
    calls_per_second: whole(1, 1_000_000, 'Calls per second that one token may make in the long run.'),
    calls_at_once: whole(1, 1_000_000, 'Calls that one token may make all at once.'),
    waits: whole(1, 1_000, 'Calls that wait for news (long polls and event streams) that one agent may have open.')
  },
  delivery: {
    first_ms: whole(
      1,
      3_600_000,
      'Wait before an unreachable node is tried again for the first time, in milliseconds; it doubles from then on.'
    ),
    max_ms: whole(1, 86_400_000, 'Longest wait before an unreachable node is tried again, in milliseconds.'),
    hello_ms: whole(1, 600_000, 'How long another node may take to answer when a connection begins, in milliseconds.'),
    sweep_ms: whole(
      1,
      3_600_000,
      'How often the node looks for tasks, questions and invites whose time is over, in milliseconds.'
    ),
    queue: whole(
      1,
      100_000,
      'Messages of ours that may wait for one contact; more are refused until its node has taken some.'
    )
  },
  contacts: {
    pending: whole(0, 10_000, 'Contact requests that may wait for the owner’s answer.')
  },
  approvals: {
    hours: whole(1, 720, 'How long a question to the owner stays open, in hours.'),
    open: whole(1, 10_000, 'Questions to the owner that one agent may have open.')
  },
  chain: {
    cluster: choice(
      ['off', 'devnet', 'localnet'],
      'Chain on which jobs are paid, with play money on each; off = no paid jobs.'
    ),
    rpc_url: rpcUrl(
      'Address of the RPC node, the server through which the chain is read and paid on; empty = the usual one.'
    ),
    deadline_ms: whole(100, 120_000, 'How long the RPC node may take to answer one question, in milliseconds.'),
    poll_ms: whole(200, 600_000, 'How often the RPC node is asked about payments that are under way, in milliseconds.')
  },
  spend: {
    per_job_sol: sol('The most that one job may cost, in SOL; 0 = nothing.'),
    per_day_sol: sol('The most that may be promised for jobs within 24 hours, in SOL; 0 = nothing.')
  },
  quotas: {
    tasks: whole(1, 100_000, 'Open tasks that one agent may have begun, with all contacts together.'),
    tasks_per_contact: whole(1, 100_000, 'Open tasks of an agent with a contact, counted for each side that begins.'),
    envelopes: whole(
      1,
      100_000,
      'Pieces of delegated work (task envelopes) that one agent may have handed over and that have not ended.'
    )
  },
  log: {
    level: choice(
      ['info', 'warn', 'silent'],
      'What is written to the log: info = one line per event, warn = only what needs attention, silent = nothing.'
    )
  }
}

/** The one setting without a section and without a default. */
const HANDLE: Setting<string> = {
  summary: 'The name that your first agent gives itself towards contacts, such as @alice.',
  check(value) {
    const parsed = typeof value === 'string' ? parseHandle(value) : undefined
    return parsed?.ok === true ? { value: parsed.value } : { fault: 'must be @ and 1 to 31 of a-z, 0-9, _ and -' }
  },
  read: (text) => text,
  schema: { type: 'string', pattern: '^@[a-z0-9][a-z0-9_-]{0,30}$' }
}

type Sections = typeof SETTINGS
type ValueOf<S> = S extends Setting<infer T> ? T : never

/** A complete, checked configuration; members are named as in config/default.toml. */
export type Config = { readonly handle?: string } & {
  readonly [S in keyof Sections]: { readonly [K in keyof Sections[S]]: ValueOf<Sections[S][K]> }
}

/** Every setting by its dotted name: `handle`, `net.listen`, … */
export const BY_NAME: ReadonlyMap<string, Setting<unknown>> = new Map([
  ['handle', HANDLE],
  ...Object.entries(SETTINGS).flatMap(([section, members]) =>
    Object.entries(members).map(([key, setting]): [string, Setting<unknown>] => [`${section}.${key}`, setting])
  )
])

/** The JSON Schema of `config.toml`; nothing is required, because the defaults fill the rest. */
export function configSchema(): Record<string, unknown> {
  const sections = Object.entries(SETTINGS).map(([section, members]) => {
    const properties = Object.entries(members).map(([key, setting]) => [key, described(setting)] as const)
    return [
      section,
      { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
    ] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'AgentLink config.toml',
    type: 'object',
    additionalProperties: false,
    properties: { handle: described(HANDLE), ...Object.fromEntries(sections) }
  }
}

function described(setting: Setting<unknown>): Record<string, unknown> {
  return { description: setting.summary, ...setting.schema }
}

function whole(min: number, max: number, summary: string): Setting<number> {
  return {
    summary,
    check: (value) =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
        ? { value: value as number }
        : { fault: `must be a whole number from ${min} to ${max}` },
    read: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
    schema: { type: 'integer', minimum: min, maximum: max }
  }
}

function yesOrNo(summary: string): Setting<boolean> {
  const words = new Map([
    ['true', true],
    ['false', false]
  ])
  return {
    summary,
    check: (value) => (typeof value === 'boolean' ? { value } : { fault: 'must be true or false' }),
    read: (text) => words.get(text) ?? text,
    schema: { type: 'boolean' }
  }
}

function choice<const T extends string>(of: readonly T[], summary: string): Setting<T> {
  return {
    summary,
    check(value) {
      const chosen = of.find((word) => word === value)
      return chosen === undefined ? { fault: `must be one of ${of.join(', ')}` } : { value: chosen }
    },
    read: (text) => text,
    schema: { enum: of }
  }
}

function sol(summary: string): Setting<string> {
  const pattern = new RegExp(SOL)
  return {
    summary,
    check: (value) =>
      typeof value === 'string' && pattern.test(value) ? { value } : { fault: 'must be SOL in quotes, such as "0.5"' },
    read: (text) => text,
    schema: { type: 'string', pattern: SOL }
  }
}

function rpcUrl(summary: string): Setting<string> {
  const pattern = new RegExp(RPC_URL)
  const isUrl = (value: unknown): value is string => typeof value === 'string' && pattern.test(value)
  return {
    summary,
    check: (value) =>
      isUrl(value) && (value === '' || URL.canParse(value))
        ? { value }
        : { fault: 'must be an https URL, or http on this machine (127.0.0.1)' },
    read: (text) => text,
    schema: { type: 'string', pattern: RPC_URL }
  }
}

function addresses(least: number, summary: string): Setting<readonly string[]> {
  const most = 8
  const pattern = new RegExp(MULTIADDR)
  const isAddress = (value: unknown): boolean => typeof value === 'string' && value.length <= 300 && pattern.test(value)
  return {
    summary,
    check(value) {
      if (!Array.isArray(value) || value.length < least || value.length > most) {
        return { fault: `must be a list of ${least} to ${most} addresses` }
      }
      const odd: unknown = value.find((item) => !isAddress(item))
      return odd === undefined
        ? { value: value as string[] }
        : { fault: `${JSON.stringify(odd)} must look like /ip4/0.0.0.0/tcp/4650` }
    },
    read: (text) => (text === '' ? [] : text.split(',').map((part) => part.trim())),
    schema: {
      type: 'array',
      minItems: least,
      maxItems: most,
      items: { type: 'string', maxLength: 300, pattern: MULTIADDR }
    }
  }
}
