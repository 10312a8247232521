import type { Instant } from '../base/time.js'
import { createMeter } from '../base/meter.js'

/**
 * What a remote node may make us do, charged by cost before anything of it is parsed: its bytes, and a fixed part for
 * the signature check and the disk write that each frame leads to. A contact over its budget is slowed down, because
 * what it sends is owed to the owner; a stranger is cut off.
 */
export interface BudgetOptions {
  /** Bytes (fixed parts included) per second, and at once, for one contact. */
  readonly contactPerSecond: number
  readonly contactAtOnce: number
  /** The same for all strangers of one address. */
  readonly strangerPerSecond: number
  readonly strangerAtOnce: number
  /** The same for everyone together. */
  readonly allPerSecond: number
  readonly allAtOnce: number
  /** What one frame, and one new stream, costs on top of its bytes. */
  readonly frameCost: number
  readonly streamCost: number
}

const KIB = 1024
const MIB = 1024 * KIB

/**
 * One contact may use what a machine can do at most (10,000 messages of 1 KiB per second): sharing among contacts is
 * the business of the flows, which take them in turn, and of the second figure, which one contact can't exhaust. A
 * stranger has one contact request to bring: a few tries at once, then one now and then.
 */
export const DEFAULT_BUDGET: BudgetOptions = {
  contactPerSecond: 20 * MIB,
  contactAtOnce: 20 * MIB,
  strangerPerSecond: 8 * KIB,
  strangerAtOnce: 512 * KIB,
  allPerSecond: 48 * MIB,
  allAtOnce: 48 * MIB,
  frameCost: KIB,
  streamCost: 16 * KIB
}

/** Who pays: a contact by its peer id, a stranger by its address, because peer ids are free. */
export interface Payer {
  readonly kind: 'contact' | 'stranger'
  readonly key: string
}

type Spent = 'ok' | { readonly waitMs: number }

export interface Budget {
  /** Charges one frame of `bytes` bytes. */
  spend(payer: Payer, bytes: number): Spent
  /** Charges the opening of a stream. */
  open(payer: Payer): Spent
}

const MAX_KEYS = 4096

export function createBudget(options: BudgetOptions, now: () => Instant): Budget {
  const meters = {
    contact: createMeter(
      { perSecond: options.contactPerSecond, atOnce: options.contactAtOnce, maxKeys: MAX_KEYS },
      now
    ),
    stranger: createMeter(
      { perSecond: options.strangerPerSecond, atOnce: options.strangerAtOnce, maxKeys: MAX_KEYS },
      now
    )
  }
  const all = createMeter({ perSecond: options.allPerSecond, atOnce: options.allAtOnce, maxKeys: 1 }, now)

  function charge(payer: Payer, cost: number): Spent {
    const own = meters[payer.kind].spend(payer.key, cost)
    // Who is over its own budget is held or cut anyway; it must not use up what the others share.
    const shared = own > 0 && payer.kind === 'stranger' ? 0 : all.spend('', cost)
    const waitMs = Math.max(own, shared)
    return waitMs > 0 ? { waitMs } : 'ok'
  }

  return {
    spend: (payer, bytes) => charge(payer, bytes + options.frameCost),
    open: (payer) => charge(payer, options.streamCost)
  }
}
