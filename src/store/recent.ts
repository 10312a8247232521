/**
 * Recently used committed values, decoded. Bounded by the bytes that their stored forms take: two generations, and when
 * the young one is full it becomes the old one, whose own values are forgotten unless they were used again.
 */
export class Recent {
  readonly #generationBytes: number
  #young = new Map<string, Entry>()
  #old = new Map<string, Entry>()
  #youngBytes = 0

  /** `bytes`: what all values together may take, measured by their stored form. */
  constructor(bytes: number) {
    this.#generationBytes = bytes / 2
  }

  get(place: string): unknown {
    const young = this.#young.get(place)
    if (young !== undefined) return young.value
    const old = this.#old.get(place)
    if (old === undefined) return undefined
    this.#old.delete(place)
    this.#keep(place, old)
    return old.value
  }

  set(place: string, value: unknown, bytes: number): void {
    this.delete(place)
    this.#keep(place, { value, bytes: bytes + place.length })
  }

  delete(place: string): void {
    const young = this.#young.get(place)
    if (young !== undefined) this.#youngBytes -= young.bytes
    this.#young.delete(place)
    this.#old.delete(place)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
  }

  #keep(place: string, entry: Entry): void {
    if (this.#youngBytes + entry.bytes > this.#generationBytes) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    if (entry.bytes > this.#generationBytes) return
    this.#young.set(place, entry)
    this.#youngBytes += entry.bytes
  }
}

interface Entry {
  readonly value: unknown
  readonly bytes: number
}
