import { setTimeout as pause } from 'node:timers/promises'

const STEP_MS = 40

/** Asks `probe` again and again until it answers something; undefined when `timeoutMs` has passed. */
export async function waitFor<T>(
  timeoutMs: number,
  probe: () => Promise<T | undefined> | T | undefined
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    const found = await probe()
    if (found !== undefined) return found
    await pause(STEP_MS)
  }
  return undefined
}
