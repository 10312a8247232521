import type { Meter } from '../base/meter.js'

/**
 * Who may start a handshake. Until it is done nobody knows whether a contact or an attacker is on the line, so the
 * slots are shared out by address. What is above an address's share waits in line instead of being refused: an honest
 * handshake takes milliseconds, so a household of contacts behind one address gets in one after the other, while
 * silent sockets only stand in each other's way.
 */
export interface HandshakeLimits {
  readonly handshakesPerAddress: number
  readonly handshakesPerContactAddress: number
  readonly waitingPerAddress: number
}

/** A connection that has not proved who it is. While it waits it is not read from. */
export interface Newcomer {
  pause(): void
  resume(): void
}

export interface Handshakes {
  /** True = go on, false = refuse. A promise resolves when its turn has come, or when it has left meanwhile. */
  enter(address: string, newcomer: Newcomer): Promise<boolean> | boolean
  /** The handshake is over, well or badly. May be called more than once. */
  leave(newcomer: Newcomer): void
  /** A contact has come from this address. */
  welcome(address: string): void
}

interface Line {
  readonly active: Set<Newcomer>
  readonly waiting: Map<Newcomer, (turn: boolean) => void>
}

const MAX_WELCOME = 1024

/** `arrivals` counts new connections per address: how many may come lasting and at once. */
export function createHandshakes(limits: HandshakeLimits, arrivals: Meter): Handshakes {
  const lines = new Map<string, Line>()
  const addressOf = new Map<Newcomer, string>()
  const welcomed = new Set<string>()

  function share(address: string): number {
    return welcomed.has(address) ? limits.handshakesPerContactAddress : limits.handshakesPerAddress
  }

  function lineOf(address: string): Line {
    const known = lines.get(address)
    if (known !== undefined) return known
    const fresh: Line = { active: new Set(), waiting: new Map() }
    lines.set(address, fresh)
    return fresh
  }

  function wait(line: Line, newcomer: Newcomer): Promise<boolean> {
    newcomer.pause()
    return new Promise((resolve) => line.waiting.set(newcomer, resolve))
  }

  function advance(address: string, line: Line): void {
    for (const [newcomer, resolve] of line.waiting) {
      if (line.active.size >= share(address)) break
      line.waiting.delete(newcomer)
      line.active.add(newcomer)
      newcomer.resume()
      resolve(true)
    }
    if (line.active.size + line.waiting.size === 0) lines.delete(address)
  }

  return {
    enter(address, newcomer) {
      if (arrivals.spend(address, 1) > 0) return false
      const line = lineOf(address)
      const free = line.active.size < share(address)
      if (!free && line.waiting.size >= limits.waitingPerAddress) return false
      addressOf.set(newcomer, address)
      if (!free) return wait(line, newcomer)
      line.active.add(newcomer)
      return true
    },
    leave(newcomer) {
      const address = addressOf.get(newcomer)
      if (address === undefined) return
      addressOf.delete(newcomer)
      const line = lineOf(address)
      line.active.delete(newcomer)
      line.waiting.get(newcomer)?.(false)
      line.waiting.delete(newcomer)
      advance(address, line)
    },
    welcome(address) {
      welcomed.delete(address)
      welcomed.add(address)
      const oldest = welcomed.values().next()
      if (welcomed.size > MAX_WELCOME && oldest.done !== true) welcomed.delete(oldest.value)
    }
  }
}
