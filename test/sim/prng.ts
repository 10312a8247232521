/** Seeded chance: every choice of the simulator is drawn here, so a seed is the whole world. */

export interface Prng {
  /** In [0, 1). */
  fraction(): number
  /** Whole number in [low, high]. */
  whole(low: number, high: number): number
  /** True with probability `share`. */
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
  bytes(length: number): Uint8Array
  /** A stream of its own: what is drawn there doesn't shift what is drawn here. */
  fork(label: string): Prng
}

/** Mulberry32: 32 bits of state, passes the usual tests, one multiplication per draw. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const prng: Prng = {
    fraction: () => next() / 4294967296,
    whole: (low, high) => low + Math.floor(prng.fraction() * (high - low + 1)),
    chance: (share) => prng.fraction() < share,
    pick(from) {
      const picked = from[prng.whole(0, from.length - 1)]
      if (from.length === 0) throw new Error('nothing to pick from')
      return picked as (typeof from)[number]
    },
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
    fork: (label) => createPrng(hashText(label) ^ next())
  }
  return prng
}

/** FNV-1a over UTF-16 units: spreads labels, nothing more. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
