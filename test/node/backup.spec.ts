import { expect } from 'chai'
import fc from 'fast-check'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { verifyBackup } from '../../src/node/backup/restore.js'
import { BackupFault, type BackupPart, type BackupRecord, readLines, writeLines } from '../../src/node/backup/format.js'
import { wrap } from '../../src/node/backup/wrap.js'

const HEAD = { madeAt: '2026-12-02T10:00:00.000Z', agents: ['al1one', 'al1two'] }
const FILES = [
  { file: 'config.toml', text: 'handle = "@alice"\n' },
  { file: 'keys/agents/default.key', text: 'ed25519-seed 00\n' }
]
const RECORDS: readonly BackupRecord[] = [
  ['ag:x', Uint8Array.of(123, 125)],
  ['au:000000000001', Uint8Array.of(0, 255, 10, 13)]
]

/** Guessing may be cheap here. */
const CHEAP = 4

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

async function written(records: readonly BackupRecord[] = RECORDS): Promise<Buffer> {
  return buffer(Readable.from(writeLines(HEAD, FILES, each(records)), { objectMode: false }))
}

/** In pieces, as a stream would bring it. */
async function read(bytes: Uint8Array, piece = 7): Promise<BackupPart[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
    bytes.subarray(at * piece, (at + 1) * piece)
  )
  const parts: BackupPart[] = []
  for await (const part of readLines(each(pieces))) parts.push(part)
  return parts
}

async function faultOf(bytes: Uint8Array): Promise<string> {
  try {
    await read(bytes)
  } catch (error) {
    if (error instanceof BackupFault) return error.message
    throw error
  }
  return 'none'
}

describe('the lines of a backup', () => {
  it('give back what was written, however they are cut into pieces', async () => {
    const place = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).map((text) => `ta:${text}`)
    const records = fc.dictionary(place, fc.uint8Array({ maxLength: 40 }), { maxKeys: 12 })
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 200 }), async (map, piece) => {
        const sorted = Object.entries(map).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        const parts = await read(await written(sorted), piece)
        const found = parts.flatMap((part) => (part.part === 'record' ? [part.record] : []))
        expect(found.map(([key, bytes]) => [key, [...bytes]])).to.deep.equal(
          sorted.map(([key, bytes]) => [key, [...bytes]])
        )
        expect(parts.at(-1)).to.deep.equal({ part: 'end', counts: { files: 2, records: sorted.length } })
      }),
      { numRuns: 60 }
    )
  })

  it('are refused wherever they are cut off', async () => {
    const bytes = await written()
    for (let length = 0; length < bytes.length - 1; length++) {
      expect(await faultOf(bytes.subarray(0, length)), `${length} bytes`).to.not.equal('none')
    }
  })

  it('are refused with any one byte changed', async () => {
    const bytes = await written()
    for (let at = 0; at < bytes.length - 1; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      expect(await faultOf(changed), `byte ${at}`).to.not.equal('none')
    }
  })

  const line = (value: unknown): string => `${JSON.stringify(value)}\n`
  const cases: ReadonlyArray<readonly [string, readonly unknown[], RegExp]> = [
    ['another format', [{ ...HEAD, format: 'agentlink-backup/2' }], /newer version/],
    ['a path out of the home', [head(), { file: '../../.ssh/authorized_keys', text: '' }], /file that no home has/],
    ['an absolute path', [head(), { file: '/etc/passwd', text: '' }], /file that no home has/],
    ['a file of the state', [head(), { file: 'state/CURRENT', text: '' }], /file that no home has/],
    ['a path that hides among its dots', [head(), { file: 'agents/../token', text: '' }], /file that no home has/],
    ['one file twice', [head(), FILES[0], FILES[0]], /file that no home has/],
    ['a file that is too large', [head(), { file: 'config.toml', text: 'x'.repeat(1_048_577) }], /no home has/],
    ['a file among the records', [head(), ['ag:x', ''], FILES[0]], /unreadable/],
    ['a record twice', [head(), ['ag:x', ''], ['ag:x', '']], /not in order/],
    ['records out of order', [head(), ['ta:x', ''], ['ag:x', '']], /not in order/],
    ['a record of no table', [head(), ['x', '']], /unreadable/],
    ['a value that is no base64', [head(), ['ag:x', '%%']], /unreadable/],
    ['null', [head(), null], /unreadable/],
    ['a wrong count', [head(), { end: { files: 1, records: 0, sha256: '' } }], /missing/],
    ['a wrong digest', [head(), { end: { files: 0, records: 0, sha256: '' } }], /changed/]
  ]
  function head(): unknown {
    return { format: 'agentlink-backup/1', ...HEAD }
  }
  for (const [what, lines, fault] of cases) {
    it(`are refused with ${what}`, async () => {
      expect(await faultOf(Buffer.from(lines.map(line).join('')))).to.match(fault)
    })
  }

  it('are refused when something follows the last', async () => {
    expect(await faultOf(Buffer.concat([await written(), Buffer.from('{}\n')]))).to.match(/follows its last line/)
  })
})

describe('a backup file', () => {
  let directory: string
  let file: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'agentlink-backup-'))
    file = join(directory, 'a.backup')
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  async function make(passphrase?: string): Promise<Buffer> {
    const bytes = await buffer(await wrap(writeLines(HEAD, FILES, each(RECORDS)), passphrase, CHEAP))
    writeFileSync(file, bytes)
    return bytes
  }

  async function refusedAs(passphrase?: string): Promise<string> {
    return verifyBackup({ file, ...(passphrase === undefined ? {} : { passphrase }) }).then(
      () => 'whole',
      (error: Error) => error.message
    )
  }

  it('says what is in it', async () => {
    await make()
    const report = { file, ...HEAD, files: 2, records: 2, encrypted: false, running: false }
    expect(await verifyBackup({ file })).to.deep.equal(report)
  })

  it('opens with its passphrase alone, and shows nothing without it', async () => {
    const bytes = await make('correct horse')
    expect(bytes.toString('latin1')).to.not.contain('alice')
    expect((await verifyBackup({ file, passphrase: 'correct horse' })).encrypted).to.equal(true)
    expect(await refusedAs('correct hors')).to.match(/passphrase does not open it/)
    expect(await refusedAs()).to.match(/is encrypted; give its passphrase/)
  })

  it('is refused when it was cut off, changed, or is none', async () => {
    const bytes = await make()
    writeFileSync(file, bytes.subarray(0, bytes.length - 20))
    expect(await refusedAs()).to.match(/can't be restored/)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 0x55
    writeFileSync(file, bytes)
    expect(await refusedAs()).to.match(/can't be restored/)
    writeFileSync(file, readFileSync('package.json'))
    expect(await refusedAs()).to.match(/can't be restored/)
    writeFileSync(file, '')
    expect(await refusedAs()).to.match(/can't be restored/)
    rmSync(file)
    expect(await refusedAs()).to.match(/there is no file/)
  })

  it('is refused when an encrypted one was cut off', async () => {
    const bytes = await make('correct horse')
    writeFileSync(file, bytes.subarray(0, bytes.length - 5))
    expect(await refusedAs('correct horse')).to.match(/can't be restored/)
  })
})
