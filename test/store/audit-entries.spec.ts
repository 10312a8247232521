import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { fromUtf8, toUtf8 } from '../../src/base/bytes.js'
import type { Json } from '../../src/base/json.js'
import { instantOf } from '../../src/base/time.js'
import { record } from '../../src/flows/audit.js'
import { META, countPart } from '../../src/flows/keys.js'
import { AUDIT_CODES, type AuditDraft, type AuditHead, EMPTY_AUDIT, writeEntry } from '../../src/policy/audit.js'
import { auditEntries } from '../../src/store/audit-entries.js'
import { createStore } from '../../src/store/store.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'
import { FakeClock } from './fakeClock.js'

interface Vectors {
  readonly written: { readonly draft: { readonly at: string } & Omit<AuditDraft, 'at'>; readonly text: string }[]
  readonly cases: {
    readonly name: string
    readonly entries: { readonly seq: number; readonly text: string }[]
    readonly head: AuditHead
    readonly faults: [number, number, string][]
  }[]
}

const vectors = JSON.parse(readFileSync('protocols/vectors/audit.json', 'utf8')) as Vectors
const schema = JSON.parse(readFileSync('protocols/schemas/audit.json', 'utf8')) as object
const forms = JSON.parse(readFileSync('protocols/schemas/forms.json', 'utf8')) as object

const place = (seq: number): string => placeOf('audit', countPart(seq))

async function faultsOf(disk: MemoryDisk, recent?: number): Promise<[number, number, string][]> {
  const found = await auditEntries(disk.open(), ...(recent === undefined ? [] : [{ recent }]))
  return found.map(({ from, to, fault }) => [from, to, fault])
}

describe('the vectors of the audit log', () => {
  const drafts = vectors.written.map(({ draft }): AuditDraft => ({ ...draft, at: instantOf(draft.at) ?? NaN }))

  it('are what the code writes', () => {
    let head = EMPTY_AUDIT
    const texts = drafts.map((draft) => {
      const next = writeEntry(head, draft)
      head = next.head
      return fromUtf8(next.bytes)
    })
    expect(texts).to.deep.equal(vectors.written.map(({ text }) => text))
  })

  it('satisfy the schema, and what has one member more does not', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false })
    for (const format of ['agent-id', 'peer-id', 'address', 'base64url']) ajv.addFormat(format, true)
    ajv.addFormat('instant', (text) => instantOf(text) !== undefined)
    const isEntry = ajv.addSchema(forms).compile(schema)
    for (const { text } of vectors.written) {
      const entry = JSON.parse(text) as { about: object }
      expect(isEntry(entry), ajv.errorsText(isEntry.errors)).to.equal(true)
      expect(isEntry({ ...entry, about: { ...entry.about, proposal: {} } })).to.equal(false)
    }
  })

  for (const { name, entries, head, faults } of vectors.cases) {
    it(`${name}: ${faults.length === 0 ? 'holds' : faults.join(' ')}`, async () => {
      const disk = new MemoryDisk()
      await disk
        .open()
        .write([
          ...entries.map(({ seq, text }) => ({ key: place(seq), value: toUtf8(text) })),
          { key: placeOf('meta', META.audit), value: TABLES.meta.encode(head as unknown as Json) }
        ])
      expect(await faultsOf(disk)).to.deep.equal(faults)
    })
  }
})

describe('the audit log', () => {
  const draft = (at: number): AuditDraft => ({
    at,
    who: { kind: 'node' },
    what: 'task.expired',
    about: { code: `c${at}` }
  })

  async function written(count: number): Promise<MemoryDisk> {
    const disk = new MemoryDisk()
    const store = createStore(disk.open(), { clock: new FakeClock(), records: 'frozen' })
    for (let at = 1; at <= count; at++) store.transact((tx) => record(tx, draft(at)))
    await store.durable()
    return disk
  }

  it('takes several entries of one step, each after the other', async () => {
    const disk = new MemoryDisk()
    const store = createStore(disk.open(), { clock: new FakeClock(), records: 'frozen' })
    await store.transact((tx) => {
      record(tx, draft(1))
      record(tx, draft(2))
    }).durable
    expect(await faultsOf(disk)).to.deep.equal([])
    expect(await disk.open().keys({ gte: placeOf('audit', ''), lt: 'au~' })).to.deep.equal([place(1), place(2)])
  })

  it('has no entry of a step that threw', async () => {
    const disk = new MemoryDisk()
    const store = createStore(disk.open(), { clock: new FakeClock(), records: 'frozen' })
    expect(() =>
      store.transact((tx) => {
        record(tx, draft(1))
        throw new Error('broken')
      })
    ).to.throw('broken')
    await store.transact((tx) => record(tx, draft(2))).durable
    expect(await faultsOf(disk)).to.deep.equal([])
  })

  it('shows any byte that was flipped on the disk, whichever it is', async () => {
    const disk = await written(12)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.nat(),
        fc.integer({ min: 0, max: 7 }),
        async (seq, at, bit) => {
          const bytes = disk.open().getSync(place(seq)) as Uint8Array
          const flipped = Uint8Array.from(bytes, (byte, i) => (i === at % bytes.length ? byte ^ (1 << bit) : byte))
          disk.tamper(place(seq), flipped)
          const faults = await faultsOf(disk)
          disk.tamper(place(seq), bytes)
          expect(faults).to.deep.equal([[seq, seq, 'altered']])
        }
      ),
      { numRuns: 200 }
    )
  })

  it('is counted where it is not hashed: what is gone is missed all the same', async () => {
    const disk = await written(40)
    disk.tamper(place(3), undefined)
    disk.tamper(place(4), undefined)
    expect(await faultsOf(disk, 5)).to.deep.equal([[3, 4, 'missing']])
  })

  it('has a code of the page for everything, and the page has no other', () => {
    const page = readFileSync('protocols/audit.md', 'utf8').split('## Codes')[1] ?? ''
    const listed = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` \|/gm)].map((match) => match[1])
    expect(listed).to.deep.equal([...AUDIT_CODES])
  })
})
