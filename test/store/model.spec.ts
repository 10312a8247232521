import { expect } from 'chai'
import fc from 'fast-check'
import { StoreFailure } from '../../src/store/failure.js'
import { type DurableStore, createStore } from '../../src/store/store.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'
import { FakeClock, settled } from './fakeClock.js'

/**
 * The store against a naive model: a list of states, one after each step. Steps must see the newest state; after a crash or
 * a failure the disk holds one of the states, none older than the newest that anybody was told is durable.
 */
type Contents = Readonly<Record<string, number>>

interface StepPlan {
  readonly changes: ReadonlyArray<readonly [string, number | undefined]>
  readonly ends: 'well' | 'throwing'
  readonly how: 'now' | 'lazily'
}

type Command =
  | { readonly do: 'step'; readonly plan: StepPlan }
  | { readonly do: 'disk' | 'crash' | 'fail' | 'heal' | 'settle' | 'wait' }

const KEYS = ['a', 'b', 'c', 'd']

const stepArb: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('step' as const),
  plan: fc.record({
    changes: fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.option(fc.nat(1000), { nil: undefined })), {
      maxLength: 3
    }),
    ends: fc.constantFrom('well', 'well', 'well', 'throwing'),
    how: fc.constantFrom('now', 'lazily')
  })
})
const otherArb = fc
  .constantFrom('disk', 'disk', 'disk', 'settle', 'settle', 'wait', 'crash', 'fail', 'heal')
  .map((what): Command => ({ do: what }))
const commands = fc.array(fc.oneof({ arbitrary: stepArb, weight: 3 }, { arbitrary: otherArb, weight: 3 }), {
  maxLength: 60
})

class World {
  readonly clock = new FakeClock()
  readonly #finishes: Array<() => void> = []
  readonly disk: MemoryDisk
  #store: DurableStore
  /** states[0] is what is known to be on disk; then one for each step that nobody was told about. */
  #states: Contents[] = [{}]
  #failing = false

  constructor(survives: () => boolean) {
    this.disk = new MemoryDisk({ schedule: (finish) => this.#finishes.push(finish), survives })
    this.#store = this.#start()
  }

  async obey(command: Command): Promise<void> {
    if (command.do === 'step') this.#step(command.plan)
    if (command.do === 'disk') this.#finishes.shift()?.()
    if (command.do === 'wait') this.clock.advance(20)
    if (command.do === 'fail' || command.do === 'heal') this.#setFailing(command.do === 'fail')
    if (command.do === 'crash') this.#crash()
    if (command.do !== 'step') await settled()
    this.#check()
  }

  /** In the end, with a sound disk and enough time, everything staged is on disk. */
  async finish(): Promise<void> {
    this.#setFailing(false)
    for (let i = 0; i < 30; i++) {
      this.clock.advance(1000)
      await settled()
      while (this.#finishes.length > 0) this.#finishes.shift()?.()
      await settled()
    }
    expect(this.#store.state()).to.equal('open')
    this.#check()
    expect(this.#states).to.have.length(1)
    expect(this.#onDisk()).to.deep.equal(this.#states[0])
  }

  #newest(): Contents {
    return this.#states.at(-1) as Contents
  }

  #start(): DurableStore {
    const store: DurableStore = createStore(this.disk.open(), {
      clock: this.clock,
      records: 'frozen',
      maxBatch: 3,
      lazyMs: 10,
      cacheBytes: 40,
      retry: { firstMs: 10, maxMs: 40 },
      // The store of a crashed process lives on in this one, and has nothing to say.
      onState: (state) => state === 'failed' && store === this.#store && this.#forget()
    })
    return store
  }

  #step(plan: StepPlan): void {
    const next: Record<string, number> = { ...this.#newest() }
    const transact = plan.how === 'now' ? 'transact' : 'transactLazily'
    try {
      const step = this.#store[transact]((tx) => {
        for (const [key, value] of plan.changes) {
          expect(tx.get('meta', key)).to.equal(next[key])
          if (value === undefined) {
            tx.del('meta', key)
            delete next[key]
          } else {
            tx.put('meta', key, value)
            next[key] = value
          }
          expect(tx.get('meta', key)).to.equal(next[key])
        }
        if (plan.ends === 'throwing') throw new RangeError('planned')
      })
      if (plan.changes.length === 0) return
      this.#states.push(next)
      const store = this.#store
      step.durable.then(
        () => store === this.#store && this.#told(next),
        () => undefined
      )
    } catch (error) {
      if (error instanceof StoreFailure) expect(this.#store.state()).to.equal('failed')
      else if (!(error instanceof RangeError)) throw error
    }
  }

  #told(state: Contents): void {
    const at = this.#states.indexOf(state)
    if (at >= 0) this.#states.splice(0, at)
  }

  #setFailing(failing: boolean): void {
    this.#failing = failing
    this.disk.failWith(failing ? () => new StoreFailure('disk_full', 'full') : undefined)
  }

  #crash(): void {
    this.disk.crash()
    this.#finishes.length = 0
    this.#forget()
    this.#store = this.#start()
  }

  /** What is not on the disk is gone; what is there is one of the states that were staged, as a whole. */
  #forget(): void {
    const found = this.#onDisk()
    expect(this.#states.map((state) => JSON.stringify(sorted(state)))).to.include(JSON.stringify(sorted(found)))
    this.#states = [found]
  }

  #check(): void {
    // Failed only while the disk is, or until the next attempt to bring it back, or while one is under way.
    const reason = this.#failing || this.clock.pause() !== undefined || this.#finishes.length > 0
    if (this.#store.state() === 'failed') expect(reason).to.equal(true)
    for (const key of KEYS) {
      if (this.#reads()) expect(this.#store.get('meta', key)).to.equal(this.#newest()[key])
    }
  }

  /** While the disk is being reopened there is nothing to read. */
  #reads(): boolean {
    return this.#store.state() === 'open'
  }

  #onDisk(): Contents {
    const records = this.disk
      .contents()
      .map(([place, bytes]) => [place.slice(3), Number(Buffer.from(bytes).toString())])
    return Object.fromEntries(records) as Contents
  }
}

function sorted(contents: Contents): Array<[string, number]> {
  return Object.entries(contents).sort(([a], [b]) => (a < b ? -1 : 1))
}

describe('the store and a naive model of it', () => {
  for (const [name, survives] of [
    ['what was under way is lost', () => false],
    ['what was under way survives', () => true]
  ] as const) {
    it(`agree on random steps, failures and crashes in which ${name}`, async function () {
      this.timeout(60_000)
      await fc.assert(
        fc.asyncProperty(commands, async (list) => {
          const world = new World(survives)
          for (const command of list) await world.obey(command)
          await world.finish()
        }),
        { numRuns: 300 }
      )
    })
  }
})
