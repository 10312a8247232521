import { rmSync } from 'node:fs'
import { type ApiServer, createServer } from '../api/server.js'
import { DEFAULT_AGENT, type HomePaths, type RunFile } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import { createFlows } from '../flows/flows.js'
import { agentKey } from '../flows/keys.js'
import type { SettingView } from '../api/shapes/settings.js'
import type { Host } from '../net/host.js'
import type { Disk } from '../store/key-value.js'
import { type DurableStore, createStore } from '../store/store.js'
import { LIMITS } from '../wire/limits.js'
import { createAgentPlaces, retireAgent } from './agent-places.js'
import { builtinTypes } from './builtin-types.js'
import { createClock, createRandom } from './clock.js'
import { writePrivate } from './home.js'
import { neutralHandle } from './init.js'
import type { KeptAgent, Keystore } from './keystore.js'
import type { NodeLog } from './log.js'
import { hostOf, listen } from './network.js'
import { ownPort } from './own-port.js'
import { openPayments } from './payments.js'
import { programFacts } from './program-facts.js'
import type { Config } from './settings.js'

/**
 * The node put together, in the order of the ladder: store, host, flows, API. Each part is built from the ones before it
 * and stopped before them.
 */
export interface Node {
  /**
   * Starts everything and writes `run.json` last, so that who reads it finds a node that answers.
   * @throws CommandFailure when the owner can put it right; nothing is left running then
   */
  start(): Promise<RunFile>
  /** Stops taking calls, then streams, then syncs the store. May be called once after `start` has resolved. */
  stop(): Promise<void>
}

export interface NodeComponents {
  readonly paths: HomePaths
  readonly config: Config
  /** What the owner is shown of it. */
  readonly settings: readonly SettingView[]
  readonly keystore: Keystore
  /** Held by this process; `stop` lets go of it. */
  readonly disk: Disk
  readonly log: NodeLog
}

/** Does nothing before `start`. */
export function createNode(components: NodeComponents): Node {
  const { paths } = components
  /** What has been started, newest first. */
  const running: Array<() => Promise<void>> = []

  async function stop(): Promise<void> {
    rmSync(paths.runFile, { force: true })
    for (const stopPart of running.splice(0)) await stopPart()
  }

  return {
    stop,
    async start() {
      try {
        return await startParts(components, (stopPart) => running.unshift(stopPart))
      } catch (error) {
        await stop()
        throw error
      }
    }
  }
}

async function startParts(
  components: NodeComponents,
  started: (stopPart: () => Promise<void>) => void
): Promise<RunFile> {
  const { paths, config, settings, keystore, disk, log } = components
  const clock = createClock()

  // The store asks the journeys, which are built on it, whether more is about to come.
  let isBusy = (): boolean => false
  const store = createStore(disk, {
    clock,
    moreAtHand: () => isBusy(),
    onState: (state, failure) => {
      if (state !== 'closed') log.warn('store.state', { state, reason: failure?.code })
    }
  })
  started(() => store.close())

  const hosted = keystore.agents.filter((agent) => isHosted(store, paths, agent))
  // Agents come and go by calls of the API alone, so it is there by then.
  const places = createAgentPlaces({ paths, keystore, server: () => server })
  const host = hostOf(config, keystore, log)
  const payments = await openPayments(config, paths)
  const flows = createFlows(
    {
      store,
      link: host,
      clock,
      random: createRandom(),
      keyring: keystore.keyring,
      places,
      log,
      types: builtinTypes(),
      ...(payments === undefined ? {} : { payments })
    },
    flowsOptions(config)
  )
  isBusy = () => flows.busy()
  for (const agent of hosted) flows.hostAgent({ ...agent, handle: handleOf(store, config, agent) })
  await listen(host, config)
  started(() => host.stop())
  await flows.start()
  started(() => flows.stop())

  const server: ApiServer = createServer(
    {
      agent: flows.agent,
      owner: flows.owner,
      status: () => flows.status(),
      settings: () => ({ items: [...settings], node: { version: programFacts().version, home: paths.home } }),
      agentOfToken: (hash) => flows.agentOfToken(hash),
      callRefused: (call) => flows.callRefused(call),
      isOwner: (hash) => hash === keystore.ownerHash,
      clock,
      log,
      records: () => disk.snapshot()
    },
    serverOptions(components, hosted)
  )
  const place = await serve(server)
  started(() => server.stop())
  return announce(paths, keystore, host, place)
}

/** An agent that was revoked just before the process ended: what is left of it is put away now. */
function isHosted(store: DurableStore, paths: HomePaths, { agent, name }: KeptAgent): boolean {
  if (store.get('agents', agentKey(agent))?.revokedAt === undefined) return true
  retireAgent(paths, name, agent)
  return false
}

/** The settings name the default agent; the others were named when they were added. */
function handleOf(store: DurableStore, config: Config, { agent, name }: KeptAgent): string {
  const known = name === DEFAULT_AGENT ? config.handle : store.get('agents', agentKey(agent))?.handle
  return known ?? neutralHandle(agent)
}

function flowsOptions(config: Config): Parameters<typeof createFlows>[1] {
  const { delivery, quotas } = config
  return {
    approvalHours: config.approvals.hours,
    openApprovals: config.approvals.open,
    backoff: { firstMs: delivery.first_ms, maxMs: delivery.max_ms },
    sweepMs: delivery.sweep_ms,
    helloMs: delivery.hello_ms,
    pendingContacts: config.contacts.pending,
    window: LIMITS.window,
    queuePerContact: delivery.queue,
    quotas: {
      tasks: quotas.tasks,
      tasksPerContact: quotas.tasks_per_contact,
      envelopes: quotas.envelopes
    }
  }
}

function serverOptions(
  { paths, config, keystore }: NodeComponents,
  hosted: readonly KeptAgent[]
): Parameters<typeof createServer>[1] {
  const own = ownPort(keystore.keyring.node.publicKey)
  const { tcp, host, port, calls_per_second, calls_at_once, waits } = config.api
  return {
    socket: paths.apiSocket,
    agents: hosted.map(({ agent, name }) => ({ agent, socket: paths.agent(name).socket })),
    ...(tcp ? { tcp: { host, port, own } } : {}),
    limits: { callsPerSecond: calls_per_second, callsAtOnce: calls_at_once, waits }
  }
}

async function serve(server: ApiServer): Promise<{ readonly url?: string }> {
  const opened = await server.start()
  if (opened.ok) return opened.value
  throw new CommandFailure(EXIT.refused, `the API can't be served: ${opened.refusal.message}`)
}

function announce(paths: HomePaths, keystore: Keystore, host: Host, place: { readonly url?: string }): RunFile {
  const run: RunFile = {
    pid: process.pid,
    socket: paths.apiSocket,
    ...place,
    agent: keystore.agents.find((agent) => agent.name === DEFAULT_AGENT)?.agent ?? '',
    peerId: host.peerId,
    addrs: host.addrs()
  }
  writePrivate(paths.runFile, `${JSON.stringify(run)}\n`)
  return run
}
