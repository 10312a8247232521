import { constants } from 'node:os'

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type StopSignal = (typeof STOPPING)[number]

/**
 * Listens for the wish to stop from now on. Resolves with the first signal; after that a second one ends the process at
 * once, for whoever does not want to wait.
 */
export function firstSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let seen = false
    const take = (signal: StopSignal): void => {
      if (seen) process.exit(128 + constants.signals[signal])
      seen = true
      resolve(signal)
    }
    for (const signal of STOPPING) process.on(signal, take)
  })
}
