import { expect } from 'chai'
import { agentKey, dueKey, dueUntil, inboxKey, countPart, agentPrefix, seqKey } from '../../src/flows/keys.js'
import type { AgentId, TaskUid } from '../../src/base/ids.js'
import type { DeskRecord, DueRecord, InboxRecord } from '../../src/flows/records/desk.js'
import type { KeyValue } from '../../src/store/key-value.js'
import { StoreFailure } from '../../src/store/failure.js'
import { type DurableStore, type StoreOptions, createStore } from '../../src/store/store.js'
import { FakeClock, settled } from '../store/fakeClock.js'

/** Where the suite runs: a disk that can be opened, closed and opened again. */
export interface Backend {
  open(): Promise<KeyValue>
  dispose(): Promise<void>
}

const ALICE = 'al1alice' as AgentId
const BOB = 'al1bob' as AgentId

const DESK: DeskRecord = { nextCursor: 1, ackedCursor: 0, tasksWaiting: 0, approvalsPending: 0, strangers: 0 }

function item(cursor: number): InboxRecord {
  return { cursor, kind: 'task.invite', from: BOB, at: 5 }
}

/** What every backend and the store on it must do. */
export function storeSuite(name: string, createBackend: () => Promise<Backend>): void {
  describe(`the disk: ${name}`, () => {
    let backend: Backend
    let kv: KeyValue
    const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

    beforeEach(async () => {
      backend = await createBackend()
      kv = await backend.open()
    })
    afterEach(async () => {
      await kv.close()
      await backend.dispose()
    })

    it('gives back what a batch put, and nothing for what it deleted or never had', async () => {
      await kv.write([
        { key: 'a', value: bytes('1') },
        { key: 'b', value: bytes('') }
      ])
      await kv.write([
        { key: 'a', value: undefined },
        { key: 'never', value: undefined },
        { key: 'c', value: Uint8Array.of(0, 255, 128) }
      ])
      expect(kv.getSync('a')).to.equal(undefined)
      expect(kv.getSync('b')).to.have.length(0)
      expect([...(kv.getSync('c') ?? [])]).to.deep.equal([0, 255, 128])
      expect(kv.getSync('d')).to.equal(undefined)
    })

    it('takes the last of two changes of one key in a batch', async () => {
      await kv.write([
        { key: 'a', value: bytes('1') },
        { key: 'a', value: bytes('2') }
      ])
      expect(Buffer.from(kv.getSync('a') ?? []).toString()).to.equal('2')
    })

    it('lists a range in order, in reverse, and up to a limit', async () => {
      const keys = ['b', 'b\u0000', 'a', 'c', 'd', 'ä']
      await kv.write(keys.map((key) => ({ key, value: bytes(`v${key}`) })))
      expect(await kv.keys({ gte: 'a', lt: 'd' })).to.deep.equal(['a', 'b', 'b\u0000', 'c'])
      expect(await kv.keys({ gte: 'b\u0000', lt: '\uffff' })).to.deep.equal(['b\u0000', 'c', 'd', 'ä'])
      expect(await kv.keys({ gte: 'a', lt: 'd', reverse: true, limit: 2 })).to.deep.equal(['c', 'b\u0000'])
      expect(await kv.keys({ gte: 'x', lt: 'y' })).to.deep.equal([])
      const entries = await kv.range({ gte: 'a', lt: 'c', limit: 2 })
      expect(entries.map(([key, value]) => [key, Buffer.from(value).toString()])).to.deep.equal([
        ['a', 'va'],
        ['b', 'vb']
      ])
    })

    it('keeps everything when it is reopened, and when it is closed and opened', async () => {
      await kv.write([{ key: 'a', value: bytes('1') }])
      await kv.reopen()
      expect(kv.getSync('a')).to.have.length(1)
      await kv.write([{ key: 'b', value: bytes('2') }])
      await kv.close()
      kv = await backend.open()
      expect(await kv.keys({ gte: 'a', lt: 'z' })).to.deep.equal(['a', 'b'])
    })

    it('refuses to be read or written with a StoreFailure once it is closed', async () => {
      await kv.close()
      expect(() => kv.getSync('a')).to.throw(StoreFailure)
      const refused = await kv.write([{ key: 'a', value: bytes('1') }]).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(StoreFailure)
      await kv.reopen()
    })
  })

  describe(`the store on ${name}`, () => {
    let backend: Backend
    let clock: FakeClock
    let store: DurableStore

    async function start(options: Partial<StoreOptions> = {}): Promise<void> {
      store = createStore(await backend.open(), { clock, records: 'frozen', ...options })
    }

    beforeEach(async () => {
      backend = await createBackend()
      clock = new FakeClock()
      await start()
    })
    afterEach(async () => {
      await store.close()
      await backend.dispose()
    })

    const putDesk = (nextCursor: number): Promise<void> =>
      store.transact((tx) => tx.put('desks', ALICE, { ...DESK, nextCursor })).durable

    it('shows a step what it and earlier steps staged, before anything is on disk', () => {
      const first = store.transact((tx) => {
        tx.put('desks', agentKey(ALICE), DESK)
        return tx.get('desks', ALICE)
      })
      expect(first.value).to.deep.equal(DESK)
      expect(store.transact((tx) => tx.get('desks', ALICE)).value).to.deep.equal(DESK)
      expect(store.get('desks', ALICE)).to.deep.equal(DESK)
      store.transact((tx) => tx.del('desks', ALICE))
      expect(store.transact((tx) => tx.get('desks', ALICE)).value).to.equal(undefined)
      expect(store.get('desks', ALICE)).to.equal(undefined)
    })

    it('discards everything that a throwing step staged', async () => {
      await putDesk(1)
      const step = (): unknown =>
        store.transact((tx) => {
          tx.put('desks', ALICE, { ...DESK, nextCursor: 99 })
          tx.put('names', 'x/@y', BOB)
          throw new Error('no')
        })
      expect(step).to.throw('no')
      expect(store.get('desks', ALICE)?.nextCursor).to.equal(1)
      expect(store.get('names', 'x/@y')).to.equal(undefined)
      await store.durable()
      expect(store.stats()).to.deep.include({ syncs: 1, steps: 1, ops: 1 })
    })

    it('finds after a restart what was durable, as it was put', async () => {
      const bytes = Uint8Array.from({ length: 300 }, (_, i) => i % 256)
      const put = store.transact((tx) => {
        tx.put('desks', ALICE, DESK)
        tx.put('sent', seqKey(ALICE, BOB, 1), bytes)
        tx.put('names', `${ALICE}/@bob`, BOB)
        tx.put('meta', 'fact', { text: 'ä€😀', list: [1, null, true] })
      })
      await put.durable
      await store.close()
      await start()
      expect(store.get('desks', ALICE)).to.deep.equal(DESK)
      expect(store.get('names', `${ALICE}/@bob`)).to.equal(BOB)
      expect(store.get('meta', 'fact')).to.deep.equal({ text: 'ä€😀', list: [1, null, true] })
      const sent = store.get('sent', seqKey(ALICE, BOB, 1))
      expect(sent?.constructor).to.equal(Uint8Array)
      expect(sent).to.deep.equal(bytes)
    })

    it('writes the steps of one turn in one batch, and one record once', async () => {
      const steps = [1, 2, 3, 4, 5].map(putDesk)
      await Promise.all(steps)
      expect(store.stats()).to.deep.equal({ syncs: 1, steps: 5, ops: 1 })
      expect(store.get('desks', ALICE)?.nextCursor).to.equal(5)
    })

    it('starts with the disk free, and gathers while a batch is under way', async () => {
      const first = putDesk(1)
      await Promise.resolve()
      const others = [2, 3, 4].map(putDesk)
      await Promise.all([first, ...others])
      expect(store.stats()).to.deep.equal({ syncs: 2, steps: 4, ops: 2 })
    })

    it('puts no more than the allowed number of steps into a batch', async () => {
      await store.close()
      await start({ maxBatch: 4 })
      const done: number[] = []
      const steps = Array.from({ length: 10 }, (_, i) => putDesk(i).then(() => done.push(i)))
      await Promise.all(steps)
      expect(store.stats()).to.deep.equal({ syncs: 3, steps: 10, ops: 3 })
      expect(done).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    })

    it('waits while more work is at hand, until it has run out', async () => {
      let more = true
      await store.close()
      await start({ moreAtHand: () => more, maxBatch: 3 })
      const first = putDesk(1)
      await settled()
      const second = putDesk(2)
      await settled()
      expect(store.stats().syncs).to.equal(0)
      more = false
      store.kick()
      await Promise.all([first, second])
      expect(store.stats()).to.deep.include({ syncs: 1, steps: 2 })
      more = true
      await Promise.all([putDesk(3), putDesk(4), putDesk(5)])
      expect(store.stats()).to.deep.include({ syncs: 2, steps: 5 })
    })

    it('waits in a crowd for as long as each turn of the loop brings another step', async () => {
      await Promise.all([1, 2, 3, 4].map(putDesk))
      const steps: Array<Promise<void>> = []
      for (let n = 5; n < 15; n++) {
        steps.push(putDesk(n))
        await settled()
      }
      await Promise.all(steps)
      expect(store.stats()).to.deep.include({ syncs: 2, steps: 14 })
    })

    it('starts a full batch of a crowd at once', async () => {
      await store.close()
      await start({ maxBatch: 4 })
      const steps = Array.from({ length: 12 }, (_, i) => putDesk(i))
      await Promise.all(steps)
      expect(store.stats()).to.deep.include({ syncs: 3, steps: 12 })
    })

    it('lets whoever writes alone wait for nobody', async () => {
      await putDesk(1)
      const alone = putDesk(2)
      await Promise.resolve()
      const late = putDesk(3)
      await Promise.all([alone, late])
      expect(store.stats()).to.deep.include({ syncs: 3, steps: 3 })
    })

    it('does not wait for ever when nobody says that the work has run out', async () => {
      await store.close()
      await start({ moreAtHand: () => true, lazyMs: 7 })
      const put = putDesk(1)
      await settled()
      expect(clock.pause()).to.equal(7)
      clock.advance(7)
      await put
    })

    it('lets a lazy step wait for its time, and then writes it alone', async () => {
      const lazy = store.transactLazily((tx) => tx.put('desks', ALICE, DESK))
      await settled()
      expect(store.stats().syncs).to.equal(0)
      expect(store.get('desks', ALICE)).to.deep.equal(DESK)
      clock.advance(20)
      await lazy.durable
      expect(store.stats()).to.deep.equal({ syncs: 1, steps: 1, ops: 1 })
    })

    it('takes a lazy step along with the next batch', async () => {
      const lazy = store.transactLazily((tx) => tx.put('meta', 'lazy', 1))
      await settled()
      const put = putDesk(1)
      await Promise.all([lazy.durable, put])
      expect(store.stats()).to.deep.equal({ syncs: 1, steps: 2, ops: 2 })
      expect(clock.pause()).to.equal(undefined)
    })

    it('writes lazy steps at once when somebody waits for them', async () => {
      const lazy = store.transactLazily((tx) => tx.put('meta', 'lazy', 1))
      await store.durable()
      await lazy.durable
      const again = store.transactLazily((tx) => tx.put('meta', 'lazy', 2))
      await store.transact((tx) => tx.get('meta', 'lazy')).durable
      await again.durable
      expect(store.stats().syncs).to.equal(2)
    })

    it('calls a step that only read durable when what it read is', async () => {
      await putDesk(1)
      const quiet = store.transact((tx) => tx.get('desks', ALICE))
      const order: string[] = []
      const put = putDesk(2).then(() => order.push('put'))
      const unrelated = store.transact((tx) => tx.get('meta', 'x')).durable.then(() => order.push('unrelated'))
      const reader = store.transact((tx) => tx.get('desks', ALICE)).durable.then(() => order.push('reader'))
      await Promise.all([put, unrelated, reader, quiet.durable])
      expect(order).to.deep.equal(['unrelated', 'put', 'reader'])
    })

    it('waits for the newest of several batches that a step read from', async () => {
      const first = store.transact((tx) => tx.put('meta', 'first', 1)).durable
      await Promise.resolve()
      const second = putDesk(1)
      const order: string[] = []
      const reader = store.transact((tx) => [tx.get('meta', 'first'), tx.get('desks', ALICE)]).durable
      const written = [first.then(() => order.push('first')), second.then(() => order.push('second'))]
      await Promise.all([...written, reader.then(() => order.push('reader'))])
      expect(order).to.deep.equal(['first', 'second', 'reader'])
    })

    it('is durable at once when nothing is staged', async () => {
      const late = settled().then(() => 'late')
      expect(await Promise.race([store.durable().then(() => 'now'), late])).to.equal('now')
    })

    it('lists a range of a table, staged records included, and no other table', async () => {
      store.transact((tx) => {
        for (const cursor of [10, 9, 1, 2, 100]) tx.put('inbox', inboxKey(ALICE, cursor), item(cursor))
        tx.put('inbox', inboxKey(BOB, 3), item(3))
        tx.put('invites', `${ALICE}/x`, { id: 'x', proofKey: '', expiresAt: 1 })
      })
      store.transactLazily((tx) => tx.del('inbox', inboxKey(ALICE, 2)))
      const prefix = agentPrefix(ALICE)
      const cursors = async (options: object): Promise<number[]> =>
        (await store.range('inbox', { prefix, ...options })).map(([, { cursor }]) => cursor)
      expect(await cursors({})).to.deep.equal([1, 9, 10, 100])
      expect(await cursors({ after: countPart(9) })).to.deep.equal([10, 100])
      expect(await cursors({ before: countPart(10) })).to.deep.equal([1, 9])
      expect(await cursors({ after: countPart(1), before: countPart(100), limit: 1 })).to.deep.equal([9])
      expect(await cursors({ reverse: true, limit: 2 })).to.deep.equal([100, 10])
      expect((await store.range('inbox', { prefix: '' })).map(([key]) => key)).to.include(inboxKey(BOB, 3))
    })

    it('finds in order everything whose time has come', async () => {
      const uid = 'a'.repeat(32) as TaskUid
      store.transact((tx) => {
        for (const at of [3000, 20, 1000]) {
          const due: DueRecord = { at, kind: 'task', key: uid }
          tx.put('due', dueKey(at, 'task', uid), due)
        }
      })
      const due = await store.range('due', { prefix: '', before: dueUntil(1001) })
      expect(due.map(([, { at }]) => at)).to.deep.equal([20, 1000])
    })

    it('catches a step that goes on after its end', async () => {
      let late: Promise<void> | undefined
      const step = store.transact((tx) => {
        late = Promise.resolve().then(() => tx.put('desks', ALICE, DESK))
      })
      await step.durable
      const error: unknown = await late?.catch((reason: unknown) => reason)
      expect(String(error)).to.contain('a step is synchronous')
      expect(store.get('desks', ALICE)).to.equal(undefined)
    })

    it('refuses a step inside a step, and goes on after it', async () => {
      const nested = (): unknown => store.transact(() => store.transact(() => 1))
      expect(nested).to.throw('a step must not start another')
      await putDesk(1)
    })

    it('shares records that nobody can change, in tests', async () => {
      const grants = [{ contact: BOB, capability: 'disclose.budget', effect: 'ask' as const }]
      await store.transact((tx) => tx.put('grants', ALICE, grants)).durable
      expect(() => ((grants[0] as { effect: string }).effect = 'allow')).to.throw(TypeError)
      expect(() => store.transact((tx) => tx.put('meta', 'x', { at: new Date() as never }))).to.throw(TypeError)
      expect(() => store.transact((tx) => tx.put('meta', 'x', { a: undefined as never }))).to.throw(TypeError)
    })

    it('writes what is staged when it is closed, and then takes no more', async () => {
      const lazy = store.transactLazily((tx) => tx.put('desks', ALICE, DESK))
      await store.close()
      await lazy.durable
      expect(store.state()).to.equal('closed')
      expect(() => store.transact(() => 1)).to.throw(StoreFailure, 'closed')
      await start()
      expect(store.get('desks', ALICE)).to.deep.equal(DESK)
    })
  })
}
