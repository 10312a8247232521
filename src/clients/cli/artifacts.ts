import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, EXIT } from './failure.js'
import { table } from './table.js'

/** A deliverable as it is named to the other side, which learns nothing of where its maker keeps it. */
export interface NamedFile {
  readonly name: string
  readonly location: string
  readonly mediaType: string
  readonly size: number
  readonly sha256: string
}

/**
 * Reads `FILE` or `FILE=LOCATION`. Without a location it is the path below the current folder.
 * What the other side is told is named as at its location: the file here may be called as it likes.
 * @throws CommandFailure (exit code 2) for what can't be read, and for a file elsewhere without a location
 */
export async function namedFile(word: string): Promise<NamedFile> {
  const { file, location = placeBelow(file) } = split(word)
  const digest = createHash('sha256')
  let size = 0
  try {
    await pipeline(createReadStream(file), async function (bytes: AsyncIterable<Buffer>) {
      for await (const piece of bytes) {
        digest.update(piece)
        size += piece.length
      }
    })
  } catch (error) {
    throw usage(`can't read ${file}: ${(error as Error).message}`)
  }
  return { name: nameAt(location), location, mediaType: 'application/octet-stream', size, sha256: digest.digest('hex') }
}

/** What is sent of each file. */
export function artifactTable(files: readonly NamedFile[]): string {
  const rows = files.map(({ name, location, size, sha256 }) => [name, location, String(size), sha256])
  return table(['name', 'location', 'bytes', 'sha256'], rows)
}

/** A file's own name may hold `=`: what is there as a whole is the file. */
function split(word: string): { readonly file: string; readonly location?: string } {
  const at = word.indexOf('=')
  if (at < 1 || existsSync(word)) return { file: word }
  if (at === word.length - 1)
    throw usage(`${word} names no location; say FILE=LOCATION, such as ${word}${basename(word.slice(0, -1))}`)
  return { file: word.slice(0, at), location: word.slice(at + 1) }
}

/** `sun.svg` of `https://example.org/out/sun.svg?v=2`. */
function nameAt(location: string): string {
  const [path = ''] = location.split(/[?#]/, 1)
  return path.split('/').findLast((part) => part !== '') ?? location
}

function placeBelow(file: string): string {
  const path = relative('.', resolve(file))
  if (!isAbsolute(path) && path.split(sep)[0] !== '..') return path.split(sep).join('/')
  const why = `${file} is outside the current folder, and its path would tell where you keep it`
  throw usage(`${why}; say FILE=LOCATION with the place to name instead, such as ${file}=${basename(file)}`)
}

function usage(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, message)
}
