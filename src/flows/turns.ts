import type { Clock } from './ports.js'

/**
 * Input is queued per contact and taken in turn, so that a contact that sends much can't starve the others, and the
 * event loop gets its turn after every slice.
 */

/** Jobs done before the loop gets its turn: long enough to fill a batch, short enough to answer others (bench). */
const SLICE = 16
/** Jobs that one lane may hold before its reader has to wait. */
const HIGH_WATER = 512

export interface Turns {
  /** Queues a job. A returned promise asks the caller to wait until the lane has drained. */
  enqueue(lane: string, job: () => void): Promise<void> | undefined
  /** Whether jobs are waiting: a commit that isn't full waits for them. */
  busy(): boolean
}

interface Lane {
  readonly jobs: Array<() => void>
  waiters: Array<() => void>
}

export interface TurnsOptions {
  /** Called when the last waiting job was done. */
  readonly onIdle: () => void
  /** A job threw: we are broken, but no remote bytes may end the process or the turn of others. */
  readonly onFailure: (error: unknown) => void
}

export function createTurns(components: { readonly clock: Clock }, options: TurnsOptions): Turns {
  const lanes = new Map<string, Lane>()
  let scheduled = false
  let waiting = 0

  function takeOne(name: string, lane: Lane): void {
    const job = lane.jobs.shift()
    lanes.delete(name)
    if (job === undefined) return
    // Back to the end of the line: the map keeps insertion order, so lanes come round in turn.
    if (lane.jobs.length > 0) lanes.set(name, lane)
    if (lane.jobs.length < HIGH_WATER / 2) for (const resume of lane.waiters.splice(0)) resume()
    waiting--
    try {
      job()
    } catch (error) {
      options.onFailure(error)
    }
  }

  function work(): void {
    scheduled = false
    for (let done = 0; done < SLICE; done++) {
      const first = lanes.entries().next()
      if (first.done === true) break
      takeOne(first.value[0], first.value[1])
    }
    if (lanes.size > 0) schedule()
    else options.onIdle()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    components.clock.defer(work)
  }

  return {
    enqueue(name, job) {
      const lane = lanes.get(name) ?? { jobs: [], waiters: [] }
      lane.jobs.push(job)
      waiting++
      if (lane.jobs.length === 1) lanes.set(name, lane)
      schedule()
      if (lane.jobs.length < HIGH_WATER) return undefined
      return new Promise((resolve) => lane.waiters.push(resolve))
    },
    busy: () => waiting > 0
  }
}
