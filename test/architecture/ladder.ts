/**
 * The ladder of `src/` as plain values: who may import whom, which library lives where, and what the pure folders may
 * not touch. `architecture.spec.ts` holds the sources against it.
 */

/** Folders from top to bottom: a folder may import itself and what stands before it. */
export const LADDER = [
  'base',
  'wire',
  'types',
  'tasks',
  'payments',
  'policy',
  'calendar',
  'flows',
  'store',
  'net',
  'solana',
  'api',
  'dashboard',
  'clients',
  'node'
] as const
export type Folder = (typeof LADDER)[number]

/** What the journeys show to the folders that implement or serve their ports. The journeys themselves stay closed. */
const FLOWS_FACE = ['flows/ports', 'flows/records', 'flows/views', 'flows/doors', 'flows/keys']

/**
 * Where the ladder alone would allow too much: for these folders, what they may import besides themselves. An entry is
 * a folder or a file without its ending. The adapters (`store`, `net`, `solana`, `api`) know the ports, not each other.
 */
const CORE = ['base', 'wire', 'types', 'tasks', 'payments', 'policy']
export const NARROWER: Partial<Record<Folder, readonly string[]>> = {
  calendar: ['base', 'types'],
  store: [...CORE, ...FLOWS_FACE],
  net: [...CORE, ...FLOWS_FACE],
  solana: [...CORE, ...FLOWS_FACE],
  api: [...CORE, ...FLOWS_FACE],
  // A browser loads it: of the API the plain tables, and types of everything that it shows; rules decide as at the node.
  dashboard: [
    'base',
    'types',
    'flows/views',
    'policy/grants',
    'api/contract',
    'api/definition-diff',
    'api/failure',
    'api/plan-lines',
    'api/routes',
    'api/words'
  ],
  clients: [
    'base',
    // Definitions are checked and hashed without a node.
    'types',
    'flows/views',
    'flows/doors',
    'api/client',
    'api/contract',
    'api/routes',
    'api/definition-diff',
    'api/failure',
    'api/home',
    'api/plan-lines',
    'api/tools',
    'api/words'
  ]
}

/**
 * Every outside library has one home. A name that ends in `/` stands for the whole scope. Websockets are a way in for two
 * adapters that may not see each other: other nodes (`net`), and clients of the local chain (`solana`). A QR code is drawn
 * in a terminal and on the owner's page.
 */
export const LIBRARY_HOMES: Readonly<Record<string, Folder | readonly Folder[]>> = {
  '@noble/': 'wire',
  '@scure/base': 'wire',
  'ical-generator': 'calendar',
  'temporal-polyfill': 'calendar',
  level: 'store',
  libp2p: 'net',
  '@libp2p/': 'net',
  '@chainsafe/': 'net',
  '@multiformats/': 'net',
  'it-pipe': 'net',
  'it-length-prefixed': 'net',
  uint8arraylist: 'net',
  ws: ['net', 'solana'],
  litesvm: 'solana',
  fastify: 'api',
  zod: 'api',
  preact: 'dashboard',
  '@preact/': 'dashboard',
  '@modelcontextprotocol/': 'clients',
  commander: 'clients',
  '@bomb.sh/': 'clients',
  qrcode: ['clients', 'dashboard'],
  '@clack/': 'clients',
  'env-paths': 'clients',
  'fast-string-width': 'clients',
  pino: 'node',
  'age-encryption': 'node',
  'smol-toml': 'node'
}

/** Modules of Node that a folder may import; `*` = all. A folder that is not named here may import none. */
export const NODE_MODULES: Partial<Record<Folder, readonly string[]>> = {
  base: ['node:crypto'],
  wire: ['node:crypto'],
  store: ['node:fs', 'node:fs/promises', 'node:path'],
  net: ['node:net', 'node:dns', 'node:dns/promises', 'node:events', 'node:timers/promises'],
  solana: ['node:fs', 'node:fs/promises', 'node:path', 'node:crypto', 'node:http', 'node:net'],
  api: [
    'node:http',
    'node:net',
    'node:fs',
    'node:fs/promises',
    'node:path',
    'node:crypto',
    'node:stream',
    'node:events',
    'node:url'
  ],
  clients: ['*'],
  node: ['*']
}

/** From `node:crypto` the pure folders take hashes, and keys that they are given: nothing that draws randomness. */
export const PURE_CRYPTO: Partial<Record<Folder, readonly string[]>> = {
  base: ['hash', 'createHmac'],
  wire: ['hash', 'createHmac', 'verify', 'sign', 'createPublicKey', 'createPrivateKey', 'KeyObject']
}

/** No clock, randomness, timers, process, network or disk here: time and randomness are arguments, or ports (`flows`). */
export const PURE: readonly Folder[] = ['base', 'wire', 'types', 'tasks', 'payments', 'policy', 'calendar', 'flows']

/** Global names that the pure folders may not mention. `Date` is judged by use, see `banned.ts`. */
export const BANNED_GLOBALS: ReadonlySet<string> = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'process',
  'performance',
  'crypto',
  'fetch',
  'WebSocket',
  'XMLHttpRequest',
  'console',
  'require',
  'globalThis',
  'global',
  'eval',
  'Function',
  'Intl',
  'WeakRef',
  'FinalizationRegistry',
  'SharedArrayBuffer',
  'Atomics'
])

/** A microtask runs before anything else can happen, like what follows an `await`: the journeys may ask for one. */
export const MICROTASK = 'queueMicrotask'

/** `Object.member` pairs that read a clock, draw randomness or start a timer. */
export const BANNED_MEMBERS: ReadonlySet<string> = new Set(['Math.random', 'Date.now', 'AbortSignal.timeout'])

/** Methods that ask the machine's own tables (locale, time zone): honest nodes would differ. */
export const BANNED_METHODS: ReadonlySet<string> = new Set([
  'localeCompare',
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
  'toLocaleLowerCase',
  'toLocaleUpperCase',
  'getTimezoneOffset',
  'getFullYear',
  'getMonth',
  'getDate',
  'getDay',
  'getHours',
  'getMinutes',
  'getSeconds'
])

/** The store runs under the simulator's clock and scheduler too: these are not for it either. */
export const TIMELESS: readonly Folder[] = ['store']
export const BANNED_TIMERS: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'setImmediate'])

/** Words that say nothing, in file names and exported names. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'manager',
  'service',
  'data',
  'common',
  'misc'
])
