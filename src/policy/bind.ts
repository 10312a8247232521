/** What of a request for tools is granted. Source: protocols/policy.md, "Tool ledger". */
import type { Contract } from '../wire/envelope-bodies.js'

declare const bound: unique symbol

/** A contract as the recipient's agent may see it: another type than the one that came, so that neither passes for the other. */
export type BoundContract = Omit<Contract, 'toolsAllowed'> & {
  readonly [bound]: true
  /** What was asked for and is in the ledger, sorted: never more than either. */
  readonly toolsGranted: readonly string[]
}

/**
 * Intersects the request with the ledger. Nothing asked for, or nothing in the ledger, grants nothing. Answers a frozen
 * copy; the contract stays as it came.
 */
export function bind(contract: Contract, ledger: readonly string[]): BoundContract {
  const { toolsAllowed, ...rest } = contract
  return frozen({ ...structuredClone(rest), toolsGranted: meet(toolsAllowed ?? [], ledger) }) as BoundContract
}

/** What is left of a live task's tools under a new ledger, sorted: a tool that it lost does not come back. */
export function stillGranted(granted: readonly string[], ledger: readonly string[]): readonly string[] {
  return meet(granted, ledger)
}

function meet(wanted: readonly string[], ledger: readonly string[]): readonly string[] {
  const has = new Set(ledger)
  return [...new Set(wanted)].filter((tool) => has.has(tool)).sort()
}

function frozen<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) frozen(member as object)
  return Object.freeze(value)
}
