/**
 * A bounded memory of pure results: what was looked up last stays, the rest is worked out again. It changes speed, never
 * an answer. Two generations: when the young one is full it becomes the old one, whose own results are forgotten unless
 * they were looked up again, so that a flood of strangers can't push out who talks.
 */
export class Memory<K, V> {
  private readonly generation: number
  private young = new Map<K, V>()
  private old: ReadonlyMap<K, V> = this.young

  /** `capacity`: results at the most. */
  constructor(capacity: number) {
    this.generation = Math.ceil(capacity / 2)
  }

  /** The kept result of `key`, or the one that `work` gives now. `work` must depend on the key alone. */
  recall(key: K, work: (key: K) => V): V {
    const known = this.young.get(key)
    if (known !== undefined) return known
    const kept = this.old.get(key)
    const found = kept === undefined ? work(key) : kept
    if (this.young.size === this.generation) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(key, found)
    return found
  }
}
