import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { HomePaths } from '../../api/home.js'
import type { Finding } from '../../clients/cli/launch.js'
import { programFacts } from '../program-facts.js'
import type { Config } from '../settings.js'

/** What the machine gives a node: a runtime, room on the disk, and ports. */

/** A node with busy contacts writes a few megabytes a day; below this a full disk is near. */
const SCARCE_BYTES = 500 * 1024 * 1024
/** LevelDB needs this much to open at all. */
const NEEDED_BYTES = 32 * 1024 * 1024
const MEGABYTE = 1024 * 1024

/** The versions of program and runtime. */
export function lookAtProgram(): Finding[] {
  const { version, engines } = programFacts()
  const found = `agentlink ${version} on Node ${process.versions.node}`
  if (isAtLeast(process.versions.node, engines.node.replace(/^>=/, '')))
    return [{ check: 'program', state: 'ok', found }]
  return [{ check: 'program', state: 'fail', found, advice: `install Node ${engines.node}` }]
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0
}

export async function lookAtDisk(paths: HomePaths): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(paths.home)
  const free = bavail * bsize
  const found = `${Math.floor(free / MEGABYTE)} MB free`
  if (free >= SCARCE_BYTES) return [{ check: 'disk', state: 'ok', found }]
  const state = free < NEEDED_BYTES ? 'fail' : 'warn'
  return [{ check: 'disk', state, found, advice: `make room on the disk of ${paths.home}` }]
}

/** Whether the places that the settings name are free. */
export async function lookAtPorts(config: Config): Promise<Finding[]> {
  const places = [...config.net.listen.flatMap(placeOf), ...(config.api.tcp ? [config.api] : [])]
  return Promise.all(places.map(lookAtPort))
}

interface Place {
  readonly host: string
  readonly port: number
}

function placeOf(multiaddr: string): Place[] {
  const [, , host, , port] = multiaddr.split('/')
  return host === undefined || port === undefined ? [] : [{ host, port: Number(port) }]
}

async function lookAtPort({ host, port }: Place): Promise<Finding> {
  const where = port === 0 ? `${host}, any free port` : `${host} port ${port}`
  const fault = await faultOfListening(host, port)
  if (fault === undefined) return { check: 'ports', state: 'ok', found: port === 0 ? where : `${where} is free` }
  const advice =
    'stop what listens there (never run a restored home beside its old node), or say another place in net.listen or api.port'
  return { check: 'ports', state: 'fail', found: `${where}: ${fault}`, advice }
}

function faultOfListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}
