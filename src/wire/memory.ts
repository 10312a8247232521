/**
 * A bounded memory of pure results: what was looked up last stays, the rest is worked out again. It changes speed, never
 * an answer.
 */
export class Memory<K, V> {
  private readonly kept = new Map<K, V>()

  constructor(private readonly capacity: number) {}

  /** The kept result of `key`, or the one that `work` gives now. `work` must depend on the key alone. */
  recall(key: K, work: () => V): V {
    const known = this.kept.get(key)
    if (known !== undefined) return this.refresh(key, known)
    const made = work()
    this.kept.set(key, made)
    if (this.kept.size > this.capacity) this.kept.delete(this.kept.keys().next().value as K)
    return made
  }

  /** Moves a key to the end of the queue of those that are dropped, so that a flood of strangers can't push out who talks. */
  private refresh(key: K, value: V): V {
    this.kept.delete(key)
    this.kept.set(key, value)
    return value
  }
}
