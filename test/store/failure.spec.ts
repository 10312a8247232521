import { expect } from 'chai'
import type { AgentId } from '../../src/base/ids.js'
import type { DeskRecord } from '../../src/flows/records/desk.js'
import { StoreFailure, storeFailureOf } from '../../src/store/failure.js'
import { type DurableStore, type StoreState, createStore } from '../../src/store/store.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'
import { FakeClock, settled } from './fakeClock.js'

const ALICE = 'al1alice' as AgentId
const desk = (nextCursor: number): DeskRecord => ({
  nextCursor,
  ackedCursor: 0,
  tasksWaiting: 0,
  approvalsPending: 0,
  strangers: 0
})
const full = (): StoreFailure => new StoreFailure('disk_full', 'no space')

function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'fine',
    (error: unknown) => (error instanceof StoreFailure ? error.code : String(error))
  )
}

describe('a store whose disk fails', () => {
  let disk: MemoryDisk
  let clock: FakeClock
  let store: DurableStore
  let states: StoreState[]
  let finishes: Array<() => void>

  beforeEach(() => {
    finishes = []
    disk = new MemoryDisk({ schedule: (finish) => finishes.push(finish) })
    clock = new FakeClock()
    states = []
    store = createStore(disk.open(), {
      clock,
      records: 'frozen',
      maxBatch: 2,
      retry: { firstMs: 100, maxMs: 1000 },
      onState: (state) => states.push(state)
    })
  })

  const put = (cursor: number): Promise<void> => store.transact((tx) => tx.put('desks', ALICE, desk(cursor))).durable

  /** Lets the disk finish what it was given, until it has nothing more to do. */
  async function work(): Promise<void> {
    await settled()
    while (finishes.length > 0) {
      finishes.shift()?.()
      await settled()
    }
  }

  async function putDurably(cursor: number): Promise<void> {
    const done = put(cursor)
    await work()
    await done
  }

  it('rejects the steps of the failed batch and all that were staged on top of it, with the reason', async () => {
    await putDurably(1)
    const first = put(2)
    await settled()
    const later = [put(3), put(4), put(5)]
    const lazy = store.transactLazily((tx) => tx.put('meta', 'lazy', 1)).durable
    const reader = store.transact((tx) => tx.get('desks', ALICE)).durable
    const all = Promise.all([first, ...later, lazy, reader, store.durable()].map(codeOf))
    disk.failWith(full)
    await work()
    expect(await all).to.deep.equal(Array(7).fill('disk_full'))
    expect(store.state()).to.equal('failed')
    expect(states).to.deep.equal(['failed'])
  })

  it('shows the committed state again, and lets nobody write until the disk is back', async () => {
    await putDurably(1)
    const lost = put(2)
    disk.failWith(full)
    await work()
    expect(await codeOf(lost)).to.equal('disk_full')
    expect(store.get('desks', ALICE)).to.deep.equal(desk(1))
    expect(await store.range('desks', { prefix: '' })).to.deep.equal([[ALICE, desk(1)]])
    let ran = 0
    expect(() => store.transact(() => ran++)).to.throw(StoreFailure, 'no space')
    expect(() => store.transactLazily(() => ran++)).to.throw(StoreFailure, 'no space')
    expect(ran).to.equal(0)
    expect(await codeOf(store.durable())).to.equal('disk_full')
  })

  it('comes back by itself when there is space again', async () => {
    await putDurably(1)
    void put(2)
    disk.failWith(full)
    await work()
    disk.failWith(undefined)
    clock.advance(100)
    await work()
    expect(store.state()).to.equal('open')
    expect(states).to.deep.equal(['failed', 'open'])
    expect(store.get('desks', ALICE)).to.deep.equal(desk(1))
    await putDurably(3)
    expect(disk.contents().map(([key]) => key)).to.deep.equal([`de:${ALICE}`])
  })

  it('tries again with growing pauses, and tells the newest reason', async () => {
    void put(1)
    disk.failWith(full)
    await work()
    const pauses: unknown[] = []
    for (let i = 0; i < 6; i++) {
      pauses.push(clock.pause())
      clock.advance(clock.pause() ?? 0)
      await work()
    }
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1000, 1000])
    disk.failWith(() => new StoreFailure('io', 'cable'))
    clock.advance(1000)
    await work()
    expect(() => store.transact(() => 1)).to.throw(StoreFailure, 'cable')
  })

  it('is not deceived by a disk that opens, but takes no write', async () => {
    void put(1)
    disk.failWith((what) => (what === 'write' ? full() : undefined))
    await work()
    clock.advance(100)
    await work()
    expect(store.state()).to.equal('failed')
    expect(states).to.deep.equal(['failed'])
  })

  it('goes on with growing pauses when the disk recovers and fails at once, and starts over after a write', async () => {
    void put(1)
    disk.failWith(full)
    await work()
    disk.failWith(undefined)
    clock.advance(100)
    await work()
    void put(2)
    disk.failWith(full)
    await work()
    expect(clock.pause()).to.equal(200)
    disk.failWith(undefined)
    clock.advance(200)
    await work()
    await putDurably(3)
    void put(4)
    disk.failWith(full)
    await work()
    expect(clock.pause()).to.equal(100)
  })

  it('reads after its recovery what the failed write left on the disk', async () => {
    await putDurably(1)
    void put(2)
    disk.failWith(full)
    await work()
    expect(store.get('desks', ALICE)).to.deep.equal(desk(1))
    disk.tamper(`de:${ALICE}`, Buffer.from(JSON.stringify(desk(2))))
    disk.failWith(undefined)
    clock.advance(100)
    await work()
    expect(store.transact((tx) => tx.get('desks', ALICE)).value).to.deep.equal(desk(2))
  })

  it('rejects a batch that can not be encoded, and recovers', async () => {
    const loop: unknown[] = []
    loop.push(loop)
    const shared = createStore(disk.open(), { clock })
    const step = shared.transact((tx) => tx.put('meta', 'x', loop as never))
    const code = codeOf(step.durable)
    await work()
    expect(await code).to.equal('io')
    clock.advance(250)
    await work()
    expect(shared.state()).to.equal('open')
  })

  it('stops trying when it is closed', async () => {
    void put(1)
    disk.failWith(full)
    await work()
    await store.close()
    expect(clock.pause()).to.equal(undefined)
    expect(() => store.transact(() => 1)).to.throw(StoreFailure, 'closed')
    expect(states).to.deep.equal(['failed', 'closed'])
  })

  it('rejects its closing when what was staged could not be written', async () => {
    void put(1)
    disk.failWith(full)
    const closed = codeOf(store.close())
    await work()
    expect(await closed).to.equal('disk_full')
    expect(clock.pause()).to.equal(undefined)
  })

  it('throws what is unreadable on the disk as corrupt, and stays open', async () => {
    disk.tamper(`de:${ALICE}`, Buffer.from('{"nextCu'))
    expect(() => store.get('desks', ALICE)).to.throw(StoreFailure, `de:${ALICE} is unreadable`)
    expect(() => store.transact((tx) => tx.get('desks', ALICE))).to.throw(StoreFailure, 'restore the last backup')
    expect(store.state()).to.equal('open')
  })
})

describe('what LevelDB says of a failure', () => {
  const cases: Array<[string, Error, string]> = [
    ['a full disk', new Error('IO error: /h/000003.log: No space left on device'), 'disk_full'],
    ['a used up quota', new Error('IO error: /h/000003.log: Disk quota exceeded'), 'disk_full'],
    ['a full disk, from Node', Object.assign(new Error('mkdir'), { code: 'ENOSPC' }), 'disk_full'],
    ['a broken disk', new Error('IO error: /h/000003.log: Input/output error'), 'io'],
    ['a reason below a reason', new Error('open', { cause: new Error('No space left on device') }), 'disk_full'],
    ['an empty table', new Error('IO error: /h/000005.ldb: Invalid argument'), 'corrupt'],
    ['a lost table', new Error('IO error: /h/000005.ldb: No such file or directory'), 'corrupt'],
    ['a lost manifest', new Error('IO error: /h/MANIFEST-000004: No such file or directory'), 'corrupt'],
    ['a bad block', Object.assign(new Error('Corruption: bad'), { code: 'LEVEL_CORRUPTION' }), 'corrupt']
  ]
  for (const [name, error, code] of cases) {
    it(`names ${name} ${code}`, () => {
      expect(storeFailureOf(error).code).to.equal(code)
    })
  }
})
