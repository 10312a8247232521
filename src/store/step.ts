import type { Tx } from '../flows/ports.js'
import type { TableName, Tables } from '../flows/records/tables.js'
import type { Batch, Change } from './batch.js'
import { Changes } from './changes.js'
import { placeOf } from './tables.js'

/** What a step sees of the world before it: staged by earlier steps, else committed. */
export interface Memory {
  staged(place: string): Change | undefined
  committed<T extends TableName>(table: T, key: string, place: string): Tables[T] | undefined
  /** What a value goes through before it is shared: nothing, or in tests a deep freeze. */
  share<T>(value: T): T
}

interface Asked {
  readonly table: TableName
  key: string
  value: unknown
}

/** The changes of one step, kept apart until it has ended well. */
export class StepTx implements Tx {
  readonly #memory: Memory
  readonly changes = new Changes()
  /** What was asked for last in each table: a step asks for one and the same chain, and the same task, again and again. */
  readonly #asked: Asked[] = []
  /** The youngest batch, not on disk yet, whose changes this step read. */
  newestRead: Batch | undefined
  #over = false

  constructor(memory: Memory) {
    this.#memory = memory
  }

  get<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    this.#mustRun()
    const asked = this.#askedOf(table)
    if (asked?.key === key) return asked.value as Tables[T] | undefined
    const value = this.#find(table, key)
    this.#keep(table, key, value)
    return value
  }

  /** A step touches few tables: looking through them is cheaper than a map. */
  #askedOf(table: TableName): Asked | undefined {
    for (const asked of this.#asked) if (asked.table === table) return asked
    return undefined
  }

  #keep(table: TableName, key: string, value: unknown): void {
    const asked = this.#askedOf(table)
    if (asked === undefined) this.#asked.push({ table, key, value })
    else {
      asked.key = key
      asked.value = value
    }
  }

  #find<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    const place = placeOf(table, key)
    const own = this.changes.at(place)
    if (own !== undefined) return own.value as Tables[T] | undefined
    const staged = this.#memory.staged(place)
    if (staged === undefined) return this.#memory.committed(table, key, place)
    if (staged.batch.number > (this.newestRead?.number ?? 0)) this.newestRead = staged.batch
    return staged.value as Tables[T] | undefined
  }

  put<T extends TableName>(table: T, key: string, value: Tables[T]): void {
    this.#mustRun()
    if (value === undefined) throw new TypeError(`nothing to put at ${placeOf(table, key)}`)
    this.#change(table, key, this.#memory.share(value))
  }

  del(table: TableName, key: string): void {
    this.#mustRun()
    this.#change(table, key, undefined)
  }

  #change(table: TableName, key: string, value: unknown): void {
    this.changes.set(table, placeOf(table, key), value)
    this.#keep(table, key, value)
  }

  end(): void {
    this.#over = true
  }

  /** Catches the step that awaits: what it does later would belong to no batch. */
  #mustRun(): void {
    if (this.#over) throw new Error('a step is synchronous: it has ended and can read and write no more')
  }
}
