import { createHash } from 'node:crypto'
import { linesOf } from './lines.js'

/**
 * The lines of a backup file (protocols/backups.md, "The file"), written and read one at a time: a store is larger than
 * the memory that a backup may take. Encryption and compression are in `wrap.ts`.
 */

const FORMAT = 'agentlink-backup/1'

export interface BackupHead {
  /** ISO 8601. */
  readonly madeAt: string
  /** Ids of the node's agents, sorted. */
  readonly agents: readonly string[]
}

export interface HomeFile {
  /** Below the home, with `/`. */
  readonly file: string
  readonly text: string
}

/** The place of a record in the store, and its bytes. */
export type BackupRecord = readonly [place: string, bytes: Uint8Array]

/** What is read, in the order of the file; `end` comes last, when everything before it was found to be whole. */
export type BackupPart =
  | { readonly part: 'head'; readonly head: BackupHead }
  | { readonly part: 'file'; readonly file: HomeFile }
  | { readonly part: 'record'; readonly record: BackupRecord }
  | { readonly part: 'end'; readonly counts: BackupCounts }

export interface BackupCounts {
  readonly files: number
  readonly records: number
}

/** A file that is no whole backup: what is wrong with it, for the owner. */
export class BackupFault extends Error {}

const FILE_CHARACTERS = 1024 * 1024
const LINE_BYTES = 64 * 1024 * 1024
/** Files that a home may get from a backup: nothing else, and nowhere else. */
const FILES =
  /^(?:config\.toml|owner\.secret|keys\/(?:node\.key|wallet\.json|agents\/[a-z0-9][a-z0-9_-]{0,30}\.key)|agents\/[a-z0-9][a-z0-9_-]{0,30}\/token)$/
const PLACE = /^[a-z]{2}:/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The lines of a backup, as bytes. */
export async function* writeLines(
  head: BackupHead,
  files: readonly HomeFile[],
  records: AsyncIterable<BackupRecord>
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  const counted = (value: unknown): Uint8Array => {
    const bytes = lineOf(value)
    digest.update(bytes)
    return bytes
  }
  let count = 0
  yield counted({ format: FORMAT, ...head })
  for (const file of files) yield counted(file)
  for await (const [place, bytes] of records) {
    count++
    yield counted([place, Buffer.from(bytes).toString('base64')])
  }
  const sha256 = digest.digest('hex')
  yield lineOf({ end: { files: files.length, records: count, sha256 } })
}

function lineOf(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** Reads the lines of a backup. Throws BackupFault at the first that is not as the page says, or where the file ends early. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPart> {
  const reader = new Reader()
  for await (const text of linesOf(input, LINE_BYTES, unreadable)) yield reader.take(text)
  reader.finish()
}

class Reader {
  readonly #digest = createHash('sha256')
  readonly #files = new Set<string>()
  #records = 0
  #place = ''
  #state: 'head' | 'files' | 'records' | 'ended' = 'head'

  take(text: string): BackupPart {
    if (this.#state === 'ended') throw new BackupFault('something follows its last line')
    const value = parsed(text)
    const part = this.#state === 'head' ? this.#head(value) : this.#part(value)
    if (part.part !== 'end') this.#digest.update(`${text}\n`)
    return part
  }

  finish(): void {
    if (this.#state !== 'ended') throw new BackupFault('it breaks off before its end')
  }

  #head(value: unknown): BackupPart {
    const { format, madeAt, agents } = membersOf(value)
    if (format !== FORMAT) throw new BackupFault('it is none, or of a newer version of AgentLink')
    if (typeof madeAt !== 'string' || !isTexts(agents)) throw new BackupFault('its first line is unreadable')
    this.#state = 'files'
    return { part: 'head', head: { madeAt, agents } }
  }

  #part(value: unknown): BackupPart {
    if (Array.isArray(value)) return this.#record(value)
    const { file, text, end } = membersOf(value)
    return end === undefined ? this.#file(file, text) : this.#end(membersOf(end))
  }

  #file(file: unknown, text: unknown): BackupPart {
    if (this.#state !== 'files' || typeof file !== 'string' || typeof text !== 'string') throw unreadable()
    if (!FILES.test(file) || this.#files.has(file) || text.length > FILE_CHARACTERS) {
      throw new BackupFault(`it holds a file that no home has: ${JSON.stringify(file.slice(0, 80))}`)
    }
    this.#files.add(file)
    return { part: 'file', file: { file, text } }
  }

  #record([place, value, ...more]: readonly unknown[]): BackupPart {
    if (typeof place !== 'string' || typeof value !== 'string' || more.length > 0) throw unreadable()
    if (!PLACE.test(place) || !BASE64.test(value)) throw unreadable()
    if (Buffer.compare(Buffer.from(this.#place), Buffer.from(place)) >= 0) {
      throw new BackupFault('its records are not in order')
    }
    this.#state = 'records'
    this.#place = place
    this.#records++
    return { part: 'record', record: [place, Buffer.from(value, 'base64')] }
  }

  #end({ files, records, sha256 }: Readonly<Record<string, unknown>>): BackupPart {
    if (files !== this.#files.size || records !== this.#records) throw new BackupFault('parts of it are missing')
    if (sha256 !== this.#digest.digest('hex')) throw new BackupFault('it was changed after it was made')
    this.#state = 'ended'
    return { part: 'end', counts: { files: this.#files.size, records: this.#records } }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw unreadable()
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable()
  return value as Readonly<Record<string, unknown>>
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

function unreadable(): BackupFault {
  return new BackupFault('a line of it is unreadable')
}
