import type { TableName } from '../flows/records/tables.js'

interface Changed {
  readonly table: TableName
  readonly place: string
  /** Undefined: the record is deleted. */
  value: unknown
}

/** Changes up to which a walk is quicker than to hash each place: most steps make fewer than ten. */
const FEW = 32

/** What one step changes, in the order of the first change of each record. */
export class Changes implements Iterable<Changed> {
  readonly #list: Changed[] = []
  #index: Map<string, Changed> | undefined

  get size(): number {
    return this.#list.length
  }

  /** The change of the record there, if the step made one. */
  at(place: string): Changed | undefined {
    if (this.#index !== undefined) return this.#index.get(place)
    for (const changed of this.#list) if (changed.place === place) return changed
    return undefined
  }

  set(table: TableName, place: string, value: unknown): void {
    const before = this.at(place)
    if (before === undefined) this.#add({ table, place, value })
    else before.value = value
  }

  #add(changed: Changed): void {
    this.#list.push(changed)
    this.#index?.set(changed.place, changed)
    if (this.#list.length === FEW) this.#index = new Map(this.#list.map((one) => [one.place, one]))
  }

  [Symbol.iterator](): Iterator<Changed> {
    return this.#list[Symbol.iterator]()
  }
}
