import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { DEFAULT_AGENT, type HomePaths, SOCKET_PATH_BYTES } from '../api/home.js'
import { CommandFailure, EXIT, noHome } from '../clients/cli/failure.js'

/**
 * The home on disk: made with private modes, and looked over before a node trusts it. What stands where, and with which
 * mode, is in api/home.ts.
 */

const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600
const OTHERS = 0o077
const KEY_ENDING = '.key'

/** Refuses a home whose socket paths the system could not hold. `agents` are the names of its agents. */
export function checkSocketPaths(paths: HomePaths, agents: readonly string[]): void {
  const sockets = [paths.apiSocket, ...agents.map((name) => paths.agent(name).socket)]
  const longest = sockets.reduce((a, b) => (Buffer.byteLength(b) > Buffer.byteLength(a) ? b : a))
  const excess = Buffer.byteLength(longest) - SOCKET_PATH_BYTES
  if (excess <= 0) return
  throw new CommandFailure(
    EXIT.home,
    `${longest} is ${excess} bytes too long for a unix socket (at most ${SOCKET_PATH_BYTES}); choose a home with a shorter path`
  )
}

/** Whether `home` has been initialised: config.toml is the last file that `init` writes. */
export function isHome(paths: HomePaths): boolean {
  return lstatSync(paths.config, { throwIfNoEntry: false })?.isFile() === true
}

/** Makes the directories of a home, or tightens those that an unfinished `init` left. Refuses somebody else's directory. */
export function makeHome(paths: HomePaths, agent: string): void {
  refuseForeign(paths)
  const directories = [paths.home, paths.keys, paths.agentKeys, paths.agents, paths.agent(agent).directory]
  for (const directory of directories) {
    makeDirectory(directory)
    chmodSync(directory, PRIVATE_DIRECTORY)
  }
}

/** With its parents, one by one: Node's recursive mkdir turns for ever where the system takes no directories, as in /proc. */
function makeDirectory(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: PRIVATE_DIRECTORY })
  } catch (error) {
    throw new CommandFailure(EXIT.home, `can't make ${path} (${(error as Error).message}); choose another home`)
  }
}

/** Names of the agents whose keys are in a home, `default` first. */
export function agentNames(paths: HomePaths): string[] {
  // Whether it is all there, `checkHome` says.
  if (!existsSync(paths.agentKeys)) return [DEFAULT_AGENT]
  const keys = readdirSync(paths.agentKeys).filter((file) => file.endsWith(KEY_ENDING))
  const names = new Set(keys.map((file) => file.slice(0, -KEY_ENDING.length)))
  names.delete(DEFAULT_AGENT)
  return [DEFAULT_AGENT, ...[...names].sort()]
}

/** Makes the directory of one more agent. */
export function makeAgentHome(paths: HomePaths, agent: string): void {
  mkdirSync(paths.agent(agent).directory, { recursive: true, mode: PRIVATE_DIRECTORY })
}

function refuseForeign(paths: HomePaths): void {
  const stat = lstatSync(paths.home, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isDirectory()) throw new CommandFailure(EXIT.home, `${paths.home} is not a directory`)
  const ours = new Set([paths.keys, paths.agents, paths.ownerSecret].map((path) => basename(path)))
  const foreign = readdirSync(paths.home).find((name) => !ours.has(name) && !name.includes('.new-'))
  if (foreign === undefined) return
  throw new CommandFailure(
    EXIT.home,
    `${paths.home} holds other things (${JSON.stringify(foreign)}); choose an empty or new directory`
  )
}

/**
 * Refuses to run on a home that others can read or that belongs to somebody else, and says how to put it right.
 * `secrets` are the files whose readers could act as this node, its agents or its owner.
 */
export function checkHome(paths: HomePaths, agents: readonly string[]): void {
  if (!isHome(paths)) throw noHome(paths.home)
  checkSocketPaths(paths, agents)
  for (const [path, kind] of privatePaths(paths, agents)) checkPrivate(paths, path, kind)
}

type PathKind = 'directory' | 'file'

/** What must be there in a home, and be private. */
export function privatePaths(paths: HomePaths, agents: readonly string[]): ReadonlyArray<readonly [string, PathKind]> {
  const owned = agents.map((name) => paths.agent(name))
  const directories = [paths.home, paths.keys, paths.agentKeys, ...owned.map((agent) => agent.directory)]
  const files = [paths.nodeKey, paths.ownerSecret, ...owned.flatMap((agent) => [agent.key, agent.token])]
  return [...directories.map((path) => [path, 'directory'] as const), ...files.map((path) => [path, 'file'] as const)]
}

/** Whether there is a file at `path`, inside of the home. Refuses one that others can read, as `checkHome` does. */
export function hasPrivateFile(paths: HomePaths, path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
  checkPrivate(paths, path, 'file')
  return true
}

/** Refuses what is missing, no plain file or directory, another user's, or readable by others. */
export function checkPrivate(paths: HomePaths, path: string, expected: PathKind): void {
  const name = relative(paths.home, path) || path
  // lstat: a link could point at what its owner changes under us.
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw missing(paths, path, name)
  const isExpected = expected === 'file' ? stat.isFile() : stat.isDirectory()
  if (!isExpected) throw new CommandFailure(EXIT.home, `${name} in ${paths.home} must be a plain ${expected}`)
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw new CommandFailure(EXIT.home, `${name} in ${paths.home} belongs to another user; run as its owner`)
  }
  if ((stat.mode & OTHERS) === 0) return
  const mode = expected === 'file' ? PRIVATE_FILE : PRIVATE_DIRECTORY
  throw new CommandFailure(EXIT.home, `others can read ${path}; put it right with: chmod ${mode.toString(8)} ${path}`)
}

/** A secret that is lost is replaced by another; a key is not. */
function missing(paths: HomePaths, path: string, name: string): CommandFailure {
  const isSecret = path === paths.ownerSecret || path.startsWith(paths.agents)
  const advice = isSecret ? 'make a new one with: `agentlink init`' : 'restore it from your backup'
  return new CommandFailure(EXIT.home, `${name} is missing in ${paths.home}; ${advice}`)
}

/**
 * Writes a private file so that it is there whole or not at all: a new file, synced, renamed over `path`, and the
 * directory synced. A reader never sees a part of it.
 */
export function writePrivate(path: string, text: string): void {
  renameSync(draftOf(path, text), path)
  syncDirectory(dirname(path))
}

/**
 * The same for a file that nothing may replace: false when there is one at `path` by now, and then nothing has changed. Of
 * two processes that write at once, one gets true.
 */
export function writePrivateOnce(path: string, text: string): boolean {
  const draft = draftOf(path, text)
  try {
    // A second name for a file is given only while nobody else has that name.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft)
  }
  syncDirectory(dirname(path))
  return true
}

/** A synced file beside `path` that is to become it. */
function draftOf(path: string, text: string): string {
  const draft = join(dirname(path), `${basename(path)}.new-${process.pid}`)
  // A draft that a crash left may have any mode; `wx` then also refuses to follow a link.
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', PRIVATE_FILE)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
