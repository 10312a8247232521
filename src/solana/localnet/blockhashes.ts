/** Slots for which a blockhash may be used (Solana's MAX_PROCESSING_AGE). */
const VALID_SLOTS = 150

/** The recent blockhashes: a new one for each slot in which one was asked for. */
export class Blockhashes {
  /** blockhash -> its slot, oldest first. */
  private readonly slots = new Map<string, number>()
  private newest = { blockhash: '', slot: -1 }

  constructor(private readonly next: () => string) {}

  latest(slot: number): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    if (this.newest.slot < slot) {
      this.newest = { blockhash: this.next(), slot }
      this.slots.set(this.newest.blockhash, slot)
      this.forget(slot)
    }
    return { blockhash: this.newest.blockhash, lastValidBlockHeight: this.newest.slot + VALID_SLOTS }
  }

  isValid(blockhash: string, slot: number): boolean {
    const issued = this.slots.get(blockhash)
    return issued !== undefined && slot <= issued + VALID_SLOTS
  }

  private forget(slot: number): void {
    for (const [blockhash, issued] of this.slots) {
      if (slot <= issued + VALID_SLOTS) return
      this.slots.delete(blockhash)
    }
  }
}
