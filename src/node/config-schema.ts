import { z } from 'zod'
import { parseHandle } from '../wire/card.js'

/**
 * The shape of the configuration. Values live in config/default.toml; config/schema.json is generated from here, for
 * editors (`npx tsx test/node/write-schema.ts`), and a test compares the two.
 */

const multiaddr = z
  .string()
  .max(300)
  .regex(/^\/(ip4|ip6|dns|dns4|dns6)\/[^/\s]+\/tcp\/\d{1,5}(\/ws)?$/, 'must look like /ip4/0.0.0.0/tcp/4650')

const milliseconds = (max: number): z.ZodInt => z.int().min(1).max(max)

export const configSchema = z.strictObject({
  handle: z
    .string()
    .refine((text) => parseHandle(text).ok, 'must be @ and 1 to 31 of a-z, 0-9, _ and -')
    .optional()
    .describe('The name that the default agent suggests to its contacts, such as @alice.'),
  net: z.strictObject({
    listen: z.array(multiaddr).min(1).max(8).describe('Multiaddresses where other nodes reach this one.'),
    announce: z.array(multiaddr).max(8).describe('Addresses for the card instead of the ones found.')
  }),
  api: z.strictObject({
    tcp: z.boolean().describe('Serve HTTP on loopback beside the unix sockets.'),
    host: z.enum(['127.0.0.1', '::1']).describe('Loopback address.'),
    port: z.int().min(0).max(65535).describe('0 = a free port at each start.')
  }),
  delivery: z.strictObject({
    first_ms: milliseconds(3_600_000).describe('First wait before an unreachable node is tried again.'),
    max_ms: milliseconds(86_400_000).describe('Longest wait before it is tried again.'),
    hello_ms: milliseconds(600_000).describe('How long the other side may take to say hello.'),
    sweep_ms: milliseconds(3_600_000).describe('How often deadlines are looked through.')
  }),
  contacts: z.strictObject({
    pending: z.int().min(0).max(10_000).describe('Contact requests that may wait for the owner.')
  }),
  approvals: z.strictObject({
    hours: z.int().min(1).max(720).describe('How long a question to the owner stays open.')
  }),
  log: z.strictObject({
    level: z.enum(['info', 'warn', 'silent']).describe('What is written to the log.')
  })
})

/** A complete, checked configuration. Keys are those of config/default.toml. */
export type Config = z.infer<typeof configSchema>

/** The JSON Schema of `config.toml`: the same shape with nothing required, because the defaults fill the rest. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...shape } = z.toJSONSchema(configSchema) as Record<string, unknown>
  return { $schema, title: 'AgentLink config.toml', ...(withoutRequired(shape) as Record<string, unknown>) }
}

function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'required')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutRequired(member)]))
}

/** Dotted names of all settings, in the order of the schema: `handle`, `net.listen`, … */
export const SETTINGS: readonly string[] = Object.entries(configSchema.shape).flatMap(([name, member]) =>
  member instanceof z.ZodObject ? Object.keys(member.shape).map((key) => `${name}.${key}`) : [name]
)
