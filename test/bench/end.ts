/** What the bench asks of one end of a pair, and what it answers; both pairs speak it over their parent's IPC channel. */

export interface SliceRequest {
  /** Messages without an acknowledgement, at the most. */
  readonly window: number
  readonly messages: number
  /** `direct`: into the journeys. `api`: HTTP over the unix socket, one call after the other's acknowledgement. */
  readonly door: 'direct' | 'api'
}

export interface SliceResult {
  readonly ms: number
  /** Median time from the call (or signing) to the acknowledgement read, milliseconds. */
  readonly p50: number
}

/** Counters since the process began. */
export interface Counted {
  /** User and system time of the whole process, µs. */
  readonly cpuUs: number
  readonly syncs: number
  /** Messages in them. */
  readonly committed: number
  readonly rssMb: number
}

export type Ask =
  | { readonly ask: 'place' }
  | { readonly ask: 'meet'; readonly peer: unknown }
  | { readonly ask: 'prepare'; readonly slice: SliceRequest }
  | { readonly ask: 'slice'; readonly slice: SliceRequest }
  | { readonly ask: 'count' }
  | { readonly ask: 'stop' }

export type Handlers = {
  place(): Promise<unknown>
  meet(peer: unknown): Promise<void>
  /** What a slice needs and what is not measured. */
  prepare(slice: SliceRequest): Promise<void>
  slice(slice: SliceRequest): Promise<SliceResult>
  count(): Counted
  stop(): Promise<void>
}

/** Serves one end from a forked process. */
export function serve(handlers: Handlers): void {
  const answer = async (ask: Ask): Promise<unknown> => {
    switch (ask.ask) {
      case 'place':
        return handlers.place()
      case 'meet':
        return handlers.meet(ask.peer)
      case 'prepare':
        return handlers.prepare(ask.slice)
      case 'slice':
        return handlers.slice(ask.slice)
      case 'count':
        return handlers.count()
      case 'stop':
        return handlers.stop()
    }
  }
  process.on('message', (ask: Ask) => {
    answer(ask).then(
      (value) => process.send?.({ value: value ?? null }, () => (ask.ask === 'stop' ? process.exit(0) : undefined)),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    )
  })
}

/** What both ends can say of their process. */
export function processCount(): Pick<Counted, 'cpuUs' | 'rssMb'> {
  const { user, system } = process.cpuUsage()
  return { cpuUs: user + system, rssMb: process.memoryUsage().rss / 2 ** 20 }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], at: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? Number.NaN
}

/** `12.3 [10.1..14.9]`: median, 10th and 90th percentile. */
export function spread(values: readonly number[], digits = 2): string {
  const [low, high] = [quantile(values, 0.1), quantile(values, 0.9)]
  return `${median(values).toFixed(digits)} [${low.toFixed(digits)}..${high.toFixed(digits)}]`
}

/**
 * Keeps a window full: `post` begins message `index` and resolves when it is acknowledged. Both senders use it, so that
 * neither is driven better than the other. At most 16 are begun before the loop gets its turn.
 */
export async function drive(slice: SliceRequest, post: (index: number) => Promise<void>): Promise<SliceResult> {
  const times: number[] = []
  const begun = performance.now()
  let next = 0
  let open = 0
  await new Promise<void>((resolve, reject) => {
    let armed = false
    const arm = (): void => {
      if (armed) return
      armed = true
      setImmediate(fill)
    }
    const fill = (): void => {
      armed = false
      for (let i = 0; i < 16 && open < slice.window && next < slice.messages; i++) begin()
      if (open < slice.window && next < slice.messages) arm()
    }
    const begin = (): void => {
      const at = performance.now()
      open++
      post(next++).then(() => {
        times.push(performance.now() - at)
        open--
        if (times.length === slice.messages) resolve()
        else arm()
      }, reject)
    }
    fill()
  })
  return { ms: performance.now() - begun, p50: median(times) }
}
