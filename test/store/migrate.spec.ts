import { expect } from 'chai'
import { StoreFailure } from '../../src/store/failure.js'
import type { KeyValue } from '../../src/store/key-value.js'
import { STORE_VERSION, type Versions, migrate } from '../../src/store/migrate.js'
import { placeOf } from '../../src/store/tables.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'

const VERSION = placeOf('meta', 'version')
const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value))

describe('the version of the store', () => {
  let disk: MemoryDisk
  let kv: KeyValue

  beforeEach(() => {
    disk = new MemoryDisk()
    kv = disk.open()
  })

  const version = (): string => Buffer.from(kv.getSync(VERSION) ?? []).toString()
  const codeOf = (done: Promise<void>): Promise<string> =>
    done.then(
      () => 'fine',
      (error: unknown) => (error instanceof StoreFailure ? error.code : String(error))
    )

  it('is written into an empty store, and left alone from then on', async () => {
    await migrate(kv)
    expect(version()).to.equal(String(STORE_VERSION))
    await migrate(kv)
    expect(disk.writes).to.equal(1)
  })

  it('is refused when it is newer than the program, with both numbers, and nothing is changed', async () => {
    disk.tamper(VERSION, text('7'))
    const failure: unknown = await migrate(kv).catch((error: unknown) => error)
    expect((failure as StoreFailure).code).to.equal('newer')
    expect((failure as StoreFailure).message).to.match(new RegExp(`version 7.*up to ${STORE_VERSION}\\b`))
    expect(version()).to.equal('7')
  })

  it('is raised for the tables of paid jobs, and nothing else is touched', async () => {
    disk.tamper(VERSION, text('2'))
    disk.tamper('ap:01', text('{}'))
    await migrate(kv)
    expect([version(), Buffer.from(kv.getSync('ap:01') ?? []).toString()]).to.deep.equal([String(STORE_VERSION), '{}'])
  })

  it('moves what an approval is about into its subject, and lists those that still wait', async () => {
    const flat = {
      id: '01',
      kind: 'disclosure',
      agent: 'al1alice',
      contact: 'al1bob',
      taskUid: '11',
      type: { name: 'dinner.coordination', version: 1, hash: '22' },
      action: 'propose',
      baseProposalId: '33',
      payload: '{}',
      capabilities: [],
      createdAt: 0,
      expiresAt: 9,
      status: 'pending'
    }
    disk.tamper(VERSION, text('1'))
    disk.tamper('ap:01', text(JSON.stringify(flat)))
    disk.tamper('ap:02', text(JSON.stringify({ ...flat, id: '02', status: 'denied' })))
    await migrate(kv)
    const { kind, type, action, baseProposalId, ...common } = flat
    const read = (place: string): unknown => JSON.parse(Buffer.from(kv.getSync(place) ?? []).toString())
    expect(read('ap:01')).to.deep.equal({ ...common, subject: { kind, type, action, baseProposalId } })
    expect(read('li:al1alice')).to.deep.equal(['01'])
    expect(version()).to.equal(String(STORE_VERSION))
  })

  const damaged: Array<[string, string | undefined]> = [
    ['is gone while there are records', undefined],
    ['is no number', '"x"'],
    ['is zero', '0'],
    ['is a fraction', '1.5'],
    ['is empty', '']
  ]
  for (const [name, found] of damaged) {
    it(`means damage when it ${name}`, async () => {
      disk.tamper('ch:a/b', text('{}'))
      if (found !== undefined) disk.tamper(VERSION, text(found))
      expect(await codeOf(migrate(kv))).to.equal('corrupt')
    })
  }

  describe('when it is older', () => {
    const order: string[] = []
    const versions: Versions = {
      current: 3,
      steps: new Map([
        [1, async () => [{ key: 'xx:a', value: text(String(order.push('1 to 2'))) }]],
        [2, async (store: KeyValue) => [{ key: 'xx:b', value: store.getSync('xx:a') }]]
      ])
    }

    const first: Versions = { current: 1, steps: new Map() }

    it('climbs step by step, each one atomic with its number', async () => {
      await migrate(kv, first)
      await migrate(kv, versions)
      expect(version()).to.equal('3')
      expect(disk.contents().map(([key]) => key)).to.deep.equal([VERSION, 'xx:a', 'xx:b'])
      expect(disk.writes).to.equal(3)
    })

    it('goes on where a crash stopped it', async () => {
      const held: Array<() => void> = []
      const slow = new MemoryDisk({ schedule: (finish) => held.push(finish) })
      slow.tamper(VERSION, text('1'))
      void migrate(slow.open(), versions)
      await new Promise(setImmediate)
      held.shift()?.()
      await new Promise(setImmediate)
      slow.crash()
      kv = slow.open()
      expect(version()).to.equal('2')
      const done = migrate(kv, versions)
      await new Promise(setImmediate)
      held.splice(0).forEach((finish) => finish())
      await done
      expect(version()).to.equal('3')
    })

    it('is a fault of ours when no step leads on', async () => {
      await migrate(kv, first)
      expect(await codeOf(migrate(kv, { current: 2, steps: new Map() }))).to.contain('no step leads from')
    })
  })
})
