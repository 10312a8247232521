/** Ends a node at one chosen moment: before or after a call to the chain, or a write to the disk. */
import type { MemoryDiskOptions } from '../support/memoryKeyValue.js'
import type { Node } from './pair.js'

/** Every place at which a hirer's node waits: on its way to a signed transaction, on the way of that to its end, and when nothing came of it. */
const UNSIGNED = ['getBalance', 'getLatestBlockhash', 'sendTransaction'] as const
const SIGNED = ['getTransaction', 'getSignatureStatuses', 'sendTransaction'] as const
const MISSED = ['getSignaturesForAddress', 'getFirstAvailableBlock'] as const
const ALWAYS = ['write', 'getGenesisHash', 'getEpochInfo'] as const

const around = (waits: readonly string[]): readonly string[] =>
  waits.flatMap((wait) => [`before ${wait}`, `after ${wait}`])
export const MOMENTS = {
  unsigned: around([...ALWAYS, ...UNSIGNED]),
  signed: around([...ALWAYS, ...SIGNED]),
  missed: around(MISSED)
} as const

export class Killer {
  /** How often it killed, by moment. */
  readonly killed = new Map<string, number>()
  victim: Node | undefined
  private target: { readonly moment: string; left: number } | undefined

  get kills(): number {
    return [...this.killed.values()].reduce((sum, one) => sum + one, 0)
  }

  /** Whether it waits for its moment. */
  get aims(): boolean {
    return this.target !== undefined
  }

  /** Kills at the `nth` time from now that this moment comes. */
  aim(moment: string, nth: number): void {
    this.target = { moment, left: nth }
  }

  /** Its moment does not come: it takes the next one, whatever it is. */
  hurry(): void {
    if (this.target !== undefined) this.target = { moment: 'any', left: 1 }
  }

  spare(): void {
    this.target = undefined
  }

  /** Called at each moment of the victim. True: it is dead. */
  strikes(moment: string): boolean {
    const { target } = this
    if (target === undefined || (target.moment !== moment && target.moment !== 'any')) return false
    if (--target.left > 0) return false
    this.target = undefined
    this.killed.set(moment, (this.killed.get(moment) ?? 0) + 1)
    this.victim?.crash()
    return true
  }

  /** A disk on which the moments before and after a write are moments of death: not written, or written and not told. */
  readonly disk: MemoryDiskOptions = {
    schedule: (finish) =>
      queueMicrotask(() => {
        if (this.strikes('before write')) return
        finish()
        this.strikes('after write')
      })
  }
}
