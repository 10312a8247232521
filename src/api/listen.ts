import { chmod, lstat, mkdir, unlink } from 'node:fs/promises'
import { type Server, connect } from 'node:net'
import { dirname } from 'node:path'
import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { SOCKET_PATH_BYTES } from './home.js'

/** Opens listeners: unix sockets that only the owner's user can reach, and loopback TCP. */

/** Milliseconds for a live daemon to take a probing connection. */
const PROBE_MS = 1000

/**
 * Listens on a unix socket: directory 0700, socket 0600. A socket left by a killed daemon is removed; one that answers,
 * a link, a file, or anything of another user is not. Refuses with `bad_request`, `conflict` or `unavailable`.
 */
export async function listenUnix(server: Server, path: string): Promise<Result<void>> {
  const ready = await prepare(path)
  if (!ready.ok) return ready
  const error = await listening(server, () => server.listen(path))
  if (error !== undefined)
    return fail(refusal('unavailable', `can't listen on ${path}: ${error.code ?? error.message}`))
  await chmod(path, 0o600)
  return ok()
}

export interface LoopbackPlace {
  readonly host: '127.0.0.1' | '::1'
  /** 0 takes `own` when it is free, else any. */
  readonly port: number
  readonly own?: number
}

/** Listens on loopback TCP. Answers the port. Refuses with `conflict` when it is taken. */
export async function listenTcp(server: Server, place: LoopbackPlace): Promise<Result<number>> {
  const { host, port, own } = place
  if (port === 0 && own !== undefined) {
    const listened = await listenTcp(server, { host, port: own })
    if (listened.ok) return listened
  }
  const error = await listening(server, () => server.listen({ host, port, exclusive: true }))
  if (error?.code === 'EADDRINUSE') {
    return fail(refusal('conflict', `port ${port} on ${host} is taken; choose another one in the config, or 0 for any`))
  }
  if (error !== undefined) {
    return fail(refusal('unavailable', `can't listen on ${host}:${port}: ${error.code ?? error.message}`))
  }
  const at = server.address()
  return ok(typeof at === 'object' && at !== null ? at.port : port)
}

async function prepare(path: string): Promise<Result<void>> {
  const bytes = Buffer.byteLength(path)
  if (bytes > SOCKET_PATH_BYTES) {
    return fail(
      refusal(
        'bad_request',
        `the socket's path has ${bytes} bytes, at most ${SOCKET_PATH_BYTES} work: choose a shorter home`
      )
    )
  }
  const directory = await ownDirectory(dirname(path))
  return directory.ok ? removeStale(path) : directory
}

async function ownDirectory(path: string): Promise<Result<void>> {
  const failure = await mkdir(path, { recursive: true, mode: 0o700 }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? error.message
  )
  if (failure !== undefined) return fail(refusal('bad_request', `can't make the directory ${path}: ${failure}`))
  const found = await lstat(path)
  if (!found.isDirectory()) return fail(refusal('bad_request', `${path} is not a directory`))
  if (!isOurs(found.uid)) return fail(refusal('bad_request', `${path} belongs to another user`))
  if ((found.mode & 0o777) !== 0o700) await chmod(path, 0o700)
  return ok()
}

async function removeStale(path: string): Promise<Result<void>> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (found === undefined) return ok()
  if (!found.isSocket()) return fail(refusal('bad_request', `${path} is not a socket; move it away`))
  if (!isOurs(found.uid)) return fail(refusal('bad_request', `${path} belongs to another user`))
  const probed = await probe(path)
  if (probed === 'answers') return fail(refusal('conflict', `a node is already running here: ${path} answers`))
  if (probed !== 'refused') return fail(refusal('unavailable', `can't tell whether ${path} is in use: ${probed}`))
  await unlink(path)
  return ok()
}

function probe(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const settle = (outcome: string): void => {
      socket.destroy()
      resolve(outcome)
    }
    socket.setTimeout(PROBE_MS, () => settle('no answer in time'))
    socket.on('connect', () => settle('answers'))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      settle(error.code === 'ECONNREFUSED' ? 'refused' : (error.code ?? error.message))
    })
  })
}

function listening(server: Server, listen: () => void): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.once('listening', () => {
      server.off('error', resolve)
      resolve(undefined)
    })
    listen()
  })
}

function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid
}
