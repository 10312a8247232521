/**
 * What was found lately on the disk, decoded: values, and places with nothing in them. Bounded by the bytes that the stored
 * forms take: two generations, and when the young one is full it becomes the old one, whose own finds are forgotten unless
 * they were used again.
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

  /** What was found there; undefined when nobody remembers. */
  find(place: string): Found | undefined {
    const young = this.#young.get(place)
    if (young !== undefined) return young
    const old = this.#old.get(place)
    if (old === undefined) return undefined
    this.#old.delete(place)
    this.#keep(place, old)
    return old
  }

  /** `bytes`: what the stored form of the value takes; 0 where there is none. */
  set(place: string, value: unknown, bytes: number): void {
    this.#old.delete(place)
    this.#keep(place, { value, bytes: bytes + place.length })
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
  }

  #keep(place: string, entry: Entry): void {
    this.#youngBytes -= this.#young.get(place)?.bytes ?? 0
    if (this.#youngBytes + entry.bytes > this.#generationBytes) {
      this.#young.delete(place)
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    if (entry.bytes > this.#generationBytes) return
    this.#young.set(place, entry)
    this.#youngBytes += entry.bytes
  }
}

/** Without a value: nothing is there. */
interface Found {
  readonly value: unknown
}

interface Entry extends Found {
  readonly bytes: number
}
