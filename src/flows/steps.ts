import type { AgentId } from '../base/ids.js'
import type { Pair } from './chain.js'
import type { Store, Tx } from './ports.js'
import type { TableName, Tables } from './records/tables.js'

/** What must happen after a step is on disk, as data. Nothing leaves the node before the commit that it rests on. */
export type Effect =
  /** Our chain towards the peer is durable up to `seq`: send it. */
  | { readonly do: 'deliver'; readonly pair: Pair; readonly seq: number }
  /** The peer may be reached now, where it is said to be: no reason to wait any longer. */
  | { readonly do: 'reach'; readonly pair: Pair }
  /** Something arrived for the agent: answer its long polls. */
  | { readonly do: 'inbox'; readonly agent: AgentId }
  /** A payment was promised: the chain is asked soon. */
  | { readonly do: 'chain' }
  /** A contact changed: reserved connection slots follow its state. */
  | { readonly do: 'contact'; readonly pair: Pair }
  /** Our owner ended the contact: nothing of it is heard any more, but our goodbye still goes out. */
  | { readonly do: 'hush'; readonly pair: Pair }
  /** No more bytes for this pair at all: blocked or frozen. */
  | { readonly do: 'cut'; readonly pair: Pair }

/** What a step may touch: the records, and the list of what follows its commit. */
export interface StepTx extends Tx {
  after(effect: Effect): void
}

export interface Steps {
  /** Runs a step at once; resolves with its value after the synced commit, when its effects have been started. */
  run<T>(step: (tx: StepTx) => T): Promise<T>
  /** The same for what may wait for the next batch: a receipt costs no sync of its own. */
  runLazily<T>(step: (tx: StepTx) => T): Promise<T>
  /**
   * Reads without writing; resolves when what was read is on disk. When the disk takes no writes, it reads what was
   * committed before: nobody is told what might be lost.
   */
  read<T>(look: (tx: Pick<Tx, 'get'>) => T): Promise<T>
}

/** Tables whose records open questions to the owner rest on. */
const MOVING: ReadonlySet<TableName> = new Set<TableName>(['held', 'grants', 'contacts', 'tasks', 'envelopes', 'types'])

/** Binds the one writer to the performer of effects. */
export function createSteps(components: {
  readonly store: Store
  readonly perform: (effect: Effect) => void
  /** Runs at the end of a step that changed grants, contacts, tasks or types: the keys of those records. */
  readonly review: (tx: StepTx, touched: ReadonlySet<string>) => void
  /** A step that changed these tables is on disk. */
  readonly committed: (tables: ReadonlySet<TableName>) => void
}): Steps {
  const { store, perform, review, committed } = components

  /** The step, and in the same commit what follows from it for the questions that wait for the owner. */
  function reviewed<T>(tx: NotingTx, step: (tx: StepTx) => T): T {
    const value = step(tx)
    const { touched } = tx
    if (touched === undefined) return value
    // What the review changes is not reviewed in turn.
    tx.touched = undefined
    review(tx, touched)
    return value
  }

  async function finish<T>(transact: Store['transact'] | Store['transactLazily'], step: (tx: StepTx) => T): Promise<T> {
    const { value: done, durable } = transact((real) => {
      const tx = new NotingTx(real)
      return { tx, value: reviewed(tx, step) }
    })
    await durable
    committed(done.tx.tables)
    for (const effect of done.tx.effects) perform(effect)
    return done.value
  }

  async function read<T>(look: (tx: Pick<Tx, 'get'>) => T): Promise<T> {
    try {
      const { value, durable } = store.transact((tx) => look(tx))
      await durable
      return value
    } catch {
      // What a failed store had staged is gone from it, so this sees commits only; a fault of `look` itself comes again.
      return look(store)
    }
  }

  return {
    run: (step) => finish(store.transact.bind(store), step),
    runLazily: (step) => finish(store.transactLazily.bind(store), step),
    read
  }
}

/** A step's way to the records, which notes what the step leaves to be done. */
class NotingTx implements StepTx {
  /** Tables that were written. */
  readonly tables = new Set<TableName>()
  readonly effects: Effect[] = []
  /** Keys of changed records that open questions may rest on. */
  touched: Set<string> | undefined
  readonly #real: Tx

  constructor(real: Tx) {
    this.#real = real
  }

  get<T extends TableName>(table: T, key: string): Tables[T] | undefined {
    return this.#real.get(table, key)
  }

  put<T extends TableName>(table: T, key: string, value: Tables[T]): void {
    this.tables.add(table)
    if (MOVING.has(table)) (this.touched ??= new Set()).add(key)
    this.#real.put(table, key, value)
  }

  del(table: Exclude<TableName, 'audit'>, key: string): void {
    this.tables.add(table)
    this.#real.del(table, key)
  }

  after(effect: Effect): void {
    this.effects.push(effect)
  }
}
