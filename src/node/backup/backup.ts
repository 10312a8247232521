import { existsSync, readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { relative } from 'node:path'
import { createClient } from '../../api/client.js'
import { type HomePaths, homePaths } from '../../api/home.js'
import { CommandFailure, EXIT } from '../../clients/cli/failure.js'
import type { BackupReport, BackupRequest } from '../../clients/cli/launch.js'
import { isAnswering } from '../../clients/cli/session.js'
import { isoOf } from '../../base/time.js'
import { forOwner } from '../for-owner.js'
import { agentNames, checkHome } from '../home.js'
import { type KeptAgent, openKeystore } from '../keystore.js'
import { type BackupRecord, type HomeFile, writeLines } from './format.js'
import { linesOf } from './lines.js'
import { wrap } from './wrap.js'

/**
 * `agentlink backup FILE`: the whole node in one file, whether it runs or not. A running node gives its records as of one
 * moment; the keys are read from the home and cross no socket. Spec: protocols/backups.md, "The file".
 * @throws CommandFailure when there is no safe home, or the file can't be written
 */
export async function backup({ home, file, existing, passphrase }: BackupRequest): Promise<BackupReport> {
  const paths = homePaths(home)
  const names = agentNames(paths)
  checkHome(paths, names)
  if (existing === 'keep' && existsSync(file)) {
    throw new CommandFailure(EXIT.usage, `${file} exists; say another file, or --force to replace it`)
  }
  const { agents: kept } = openKeystore(paths, names)
  const head = { madeAt: isoOf(Date.now()), agents: kept.map(({ agent }) => agent).sort() }
  const running = await isAnswering(paths)
  const source = running ? await recordsOfNode(paths) : await recordsOfDisk(paths, kept)
  let records = 0
  const counted = async function* (): AsyncGenerator<BackupRecord> {
    for await (const record of source.records) {
      records++
      yield record
    }
  }
  try {
    // The files after the moment of the records: an agent that was added meanwhile is then in neither or in both.
    const files = filesOf(paths, agentNames(paths))
    await forOwner(writeWhole(file, await wrap(writeLines(head, files, counted()), passphrase)))
    return { file, ...head, files: files.length, records, encrypted: passphrase !== undefined, running }
  } finally {
    await source.close()
  }
}

interface Source {
  readonly records: AsyncIterable<BackupRecord>
  close(): Promise<void>
}

async function recordsOfDisk(paths: HomePaths, kept: readonly KeptAgent[]): Promise<Source> {
  const { openDisk } = await import('../disk.js')
  const disk = await openDisk(paths, kept)
  return { records: disk.snapshot(), close: () => disk.close() }
}

async function recordsOfNode(paths: HomePaths): Promise<Source> {
  const token = readFileSync(paths.ownerSecret, 'utf8').trim()
  const client = createClient({ socketPath: paths.apiSocket, token })
  const answer = await client.bytes('owner.records')
  return {
    records: recordsIn(linesOf(answer, Infinity, brokenOff)),
    close: () => {
      client.close()
      return Promise.resolve()
    }
  }
}

async function* recordsIn(lines: AsyncIterable<string>): AsyncGenerator<BackupRecord> {
  let count = 0
  for await (const line of lines) {
    const value = JSON.parse(line) as readonly [string, string] | { readonly records: number }
    if ('records' in value) {
      if (value.records === count) return
      break
    }
    count++
    yield [value[0], Buffer.from(value[1], 'base64')]
  }
  throw brokenOff()
}

function brokenOff(): CommandFailure {
  return new CommandFailure(EXIT.refused, 'the node stopped before it had told everything; try again')
}

/** Those that a home can't be without, and the wallet if there is one. */
function filesOf(paths: HomePaths, names: readonly string[]): HomeFile[] {
  const agents = names.map((name) => paths.agent(name))
  const needed = [
    paths.config,
    paths.ownerSecret,
    paths.nodeKey,
    ...agents.flatMap((agent) => [agent.key, agent.token])
  ]
  return [...needed, ...(existsSync(paths.wallet) ? [paths.wallet] : [])].map((path) => ({
    file: relative(paths.home, path),
    text: readFileSync(path, 'utf8')
  }))
}

/** The file is there whole or not at all, and for its owner alone. */
async function writeWhole(path: string, bytes: NodeJS.ReadableStream): Promise<void> {
  const draft = `${path}.new-${process.pid}`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await pipeline(bytes, file.createWriteStream({ flush: true }))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
