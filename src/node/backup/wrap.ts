import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, type Transform, pipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupFault } from './format.js'

/** The bytes of a backup file around its lines: gzip, and age when there is a passphrase (protocols/backups.md, "The file"). */

const AGE_MAGIC = Buffer.from('age-encryption.org/v1\n')

/** Binary logarithm of what a guess at a passphrase costs: about a second of one core. */
const WORK_FACTOR = 18

/** The bytes of a file with these lines. */
export async function wrap(
  lines: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
  workFactor = WORK_FACTOR
): Promise<Readable> {
  const zipped = piped(Readable.from(lines, { objectMode: false }), createGzip())
  if (passphrase === undefined) return zipped
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(workFactor)
  return Readable.fromWeb(asNodes(await encrypter.encrypt(Readable.toWeb(zipped) as ReadableStream<Uint8Array>)))
}

/** Whether a backup file asks for a passphrase. */
export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(AGE_MAGIC.length), 0, AGE_MAGIC.length, 0)
    return bytesRead === AGE_MAGIC.length && AGE_MAGIC.equals(buffer)
  } finally {
    await file.close()
  }
}

/** The lines of a backup file, as one stream of bytes. Throws BackupFault for a wrong passphrase. */
export async function unwrap(path: string, passphrase: string | undefined): Promise<Readable> {
  const file = createReadStream(path)
  return piped(passphrase === undefined ? file : await decrypted(file, passphrase), createGunzip())
}

async function decrypted(file: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    return Readable.fromWeb(asNodes(await decrypter.decrypt(Readable.toWeb(file) as ReadableStream<Uint8Array>)))
  } catch {
    file.destroy()
    throw new BackupFault('the passphrase does not open it')
  }
}

/** A fault of either ends both, and whoever reads the copy learns it. */
function piped(source: Readable, through: Transform): Readable {
  return pipeline(source, through, () => undefined)
}

/** Node's web streams and the browser's are typed apart. */
function asNodes(stream: ReadableStream<Uint8Array>): Parameters<typeof Readable.fromWeb>[0] {
  return stream as unknown as Parameters<typeof Readable.fromWeb>[0]
}
