/** The API by itself: a server over double doors in a fresh home, and the logs of what went wrong in it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppComponents } from '../../src/api/app.js'
import type { CallLimits } from '../../src/api/call-limits.js'
import { type ApiServer, type ServerOptions, createServer } from '../../src/api/server.js'
import { toUtf8 } from '../../src/base/bytes.js'
import { sha256Hex } from '../../src/base/digest.js'
import type { RefusedCall } from '../../src/flows/doors.js'
import type { Log } from '../../src/flows/ports.js'
import { type DoubleDoors, createDoubleDoors } from './double.js'
import { type HandClock, createHandClock } from './hand-clock.js'
import { ALICE, BOB, TOKENS, nodeSettings, nodeStatus } from './views.js'

interface LogLine {
  readonly event: string
  readonly fields: unknown
}

export interface TestApi {
  readonly server: ApiServer
  readonly doors: DoubleDoors
  readonly clock: HandClock
  readonly log: LogLine[]
  /** Calls whose token did not open their route, as they were told of. */
  readonly refused: RefusedCall[]
  readonly home: string
  readonly socket: string
  readonly aliceSocket: string
  readonly url: string
  stop(): Promise<void>
}

/** A node that holds nothing. */
export async function* noRecords(): AsyncGenerator<never> {}

export const WIDE: CallLimits = { callsPerSecond: 100_000, callsAtOnce: 100_000, waits: 20 }

/** A server over double doors in a fresh home. */
export async function startTestApi(
  change: Partial<AppComponents> = {},
  limits: CallLimits = WIDE,
  tcp: 'tcp' | 'no tcp' = 'tcp'
): Promise<TestApi> {
  const home = mkdtempSync(join(tmpdir(), 'al-api-'))
  const doors = createDoubleDoors()
  const clock = createHandClock()
  const lines: LogLine[] = []
  const log: Log = {
    info: (event, fields) => lines.push({ event, fields }),
    warn: (event, fields) => lines.push({ event, fields })
  }
  const hash = (secret: string): string => sha256Hex(toUtf8(secret))
  const agents = new Map([
    [hash(TOKENS.alice), ALICE],
    [hash(TOKENS.bob), BOB]
  ])
  const refused: RefusedCall[] = []
  const components: AppComponents = {
    agent: doors.agent,
    owner: doors.owner,
    status: nodeStatus,
    settings: nodeSettings,
    agentOfToken: (tokenHash) => agents.get(tokenHash),
    isOwner: (secretHash) => secretHash === hash(TOKENS.owner),
    clock,
    log,
    records: noRecords,
    callRefused: (call) => Promise.resolve(void refused.push(call)),
    ...change
  }
  const options: ServerOptions = {
    socket: join(home, 'api.sock'),
    agents: [{ agent: ALICE, socket: join(home, 'agents', 'alice', 'agent.sock') }],
    ...(tcp === 'tcp' ? { tcp: { host: '127.0.0.1', port: 0 } } : {}),
    limits
  }
  const server = createServer(components, options)
  const started = await server.start()
  if (!started.ok) throw new Error(started.refusal.message)
  return {
    server,
    doors,
    clock,
    log: lines,
    refused,
    home,
    socket: options.socket,
    aliceSocket: join(home, 'agents', 'alice', 'agent.sock'),
    url: started.value.url ?? '',
    async stop() {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
