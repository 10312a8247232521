import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { homePaths } from '../../api/home.js'
import { CommandFailure, EXIT } from '../../clients/cli/failure.js'
import type { BackupFile, BackupReport, RestoreRequest } from '../../clients/cli/launch.js'
import { META } from '../../flows/keys.js'
import type { KvOp } from '../../store/key-value.js'
import { TABLES, placeOf } from '../../store/tables.js'
import { agentNames, checkHome, checkSocketPaths, writePrivate } from '../home.js'
import { openKeystore } from '../keystore.js'
import { type BackupCounts, BackupFault, type BackupHead, type BackupPart, readLines } from './format.js'
import { isEncrypted, unwrap } from './wrap.js'

/** `agentlink restore` and `agentlink backup verify` (protocols/backups.md). */

const PRIVATE_DIRECTORY = 0o700
/** The store's files as well are for their user alone. */
const OTHERS = 0o077
/** Records that are written at one time, and their bytes. */
const BATCH = { records: 500, bytes: 8 * 1024 * 1024 }

/** Reads a whole backup and writes nothing. @throws CommandFailure that says why it would not restore */
export async function verifyBackup({ file, passphrase }: BackupFile): Promise<BackupReport> {
  return readBackup({ file, ...(passphrase === undefined ? {} : { passphrase }) }, () => Promise.resolve())
}

/**
 * Makes the home of a backup where there is none. It is built beside its place, opened and audited as at every start,
 * and moved there when it holds. @throws CommandFailure; nothing is left then
 */
export async function restore({ home, ...from }: RestoreRequest): Promise<BackupReport> {
  if (existsSync(home) && readdirSync(home).length > 0) {
    throw new CommandFailure(EXIT.home, `${home} is there already; move it away first, or say another --home`)
  }
  checkSocketPaths(homePaths(home), [])
  process.umask(OTHERS)
  mkdirSync(dirname(home), { recursive: true })
  const draft = `${home}.new`
  if (existsSync(draft)) {
    throw new CommandFailure(
      EXIT.home,
      `${draft} is left of a restore that was broken off, or still runs; remove it first`
    )
  }
  mkdirSync(draft, { mode: PRIVATE_DIRECTORY })
  try {
    const report = await fill(draft, from)
    await check(draft)
    await rename(draft, home)
    return report
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function fill(draft: string, from: BackupFile): Promise<BackupReport> {
  const { openLevel } = await import('../../store/level.js')
  const disk = await openLevel(homePaths(draft).state)
  let ops: KvOp[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    await disk.write(ops.splice(0))
    ops = []
    size = 0
  }
  try {
    const report = await readBackup(from, async (part) => {
      if (part.part === 'file') return putFile(draft, part.file.file, part.file.text)
      if (part.part !== 'record') return
      const [key, value] = part.record
      ops.push({ key, value })
      size += value.byteLength
      if (ops.length >= BATCH.records || size >= BATCH.bytes) await flush()
    })
    // Only now, when the whole file was found good.
    ops.push({ key: placeOf('meta', META.restored), value: TABLES.meta.encode(true) })
    await flush()
    return report
  } finally {
    await disk.close()
  }
}

async function putFile(draft: string, file: string, text: string): Promise<void> {
  const path = join(draft, file)
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY })
  writePrivate(path, text)
}

/** What a start would find wrong with it. */
async function check(draft: string): Promise<void> {
  const paths = homePaths(draft)
  const names = agentNames(paths)
  checkHome(paths, names)
  const { agents } = openKeystore(paths, names)
  const { openDisk } = await import('../disk.js')
  await (await openDisk(paths, agents)).close()
}

/** Reads a backup from its first line to its last, each part in turn. */
async function readBackup(from: BackupFile, each: (part: BackupPart) => Promise<void>): Promise<BackupReport> {
  const { file } = from
  if (!existsSync(file)) throw new CommandFailure(EXIT.usage, `there is no file ${file}`)
  const encrypted = await isEncrypted(file)
  if (encrypted && from.passphrase === undefined) {
    throw new CommandFailure(
      EXIT.usage,
      `${file} is encrypted; give its passphrase with --passphrase or --passphrase-file`
    )
  }
  const found: { head?: BackupHead; counts?: BackupCounts } = {}
  for await (const part of partsOf(file, encrypted ? from.passphrase : undefined)) {
    if (part.part === 'head') found.head = part.head
    if (part.part === 'end') found.counts = part.counts
    await each(part)
  }
  return { file, ...(found.head as BackupHead), ...(found.counts as BackupCounts), encrypted, running: false }
}

/** Whatever gzip, age or the reader finds wrong makes the file one that can't be used. */
async function* partsOf(file: string, passphrase: string | undefined): AsyncGenerator<BackupPart> {
  try {
    yield* readLines(await unwrap(file, passphrase))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('E') === true) throw error
    const why = error instanceof BackupFault ? error.message : 'it is no backup, a part of one, or it was changed'
    throw new CommandFailure(EXIT.refused, `${file} can't be restored: ${why}`)
  }
}
