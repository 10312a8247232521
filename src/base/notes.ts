/**
 * What was worked out of an object that never changes, kept with the object itself and gone when it goes. A WeakMap would
 * say the same, but the collector of young objects keeps alive whatever a WeakMap holds, be its keys dead or not: what a
 * message leaves behind would grow old. No copy of the object takes its notes along.
 */
export class Notes<K extends object, V> {
  readonly #name = Symbol('note')

  /** Undefined when nothing was noted. */
  of(object: K): V | undefined {
    return (object as { readonly [name: symbol]: V | undefined })[this.#name]
  }

  /** The object is not frozen. */
  write(object: K, value: V): void {
    Object.defineProperty(object, this.#name, { value, writable: true })
  }
}
