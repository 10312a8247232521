/**
 * Owns every asynchronous step of the simulated world: timers, deferred turns, disk writes and deliveries are events on
 * one queue, ordered by virtual time and, within one millisecond, by chance. Between two events the microtasks that the
 * first one started run to their end, so the production code can be interrupted (crashed) at every point where it
 * waits for something outside itself.
 */
import type { Prng } from './prng.js'
import type { Trace } from './trace.js'

export interface Scheduler {
  /** True time of the world in milliseconds since it began; nodes add their own offset. */
  now(): number
  /** Runs `fn` once, `ms` later. The returned function calls it off. */
  after(ms: number, label: string, fn: () => void): () => void
  /** Runs the next event and everything it set in motion. False when nothing is left before `until`. */
  step(until: number): Promise<boolean>
  readonly pending: number
}

interface Event {
  readonly at: number
  readonly tie: number
  readonly label: string
  readonly fn: () => void
  cancelled: boolean
}

export function createScheduler(components: { readonly prng: Prng; readonly trace: Trace }): Scheduler {
  const { prng, trace } = components
  const heap: Event[] = []
  let now = 0
  let cancelled = 0

  return {
    now: () => now,
    after(ms, label, fn) {
      const event: Event = { at: now + Math.max(0, ms), tie: prng.fraction(), label, fn, cancelled: false }
      push(heap, event)
      return () => {
        if (!event.cancelled) cancelled++
        event.cancelled = true
      }
    },
    async step(until) {
      const event = nextLive()
      if (event === undefined || event.at > until) {
        if (event !== undefined) push(heap, event)
        now = Math.max(now, until)
        return false
      }
      now = event.at
      trace.line(`${now} ${event.label}`)
      event.fn()
      await settle()
      return true
    },
    get pending() {
      return heap.length - cancelled
    }
  }

  function nextLive(): Event | undefined {
    for (;;) {
      const event = pop(heap)
      if (event === undefined || !event.cancelled) {
        if (event !== undefined) event.cancelled = false
        return event
      }
      cancelled--
    }
  }
}

/**
 * Runs all microtasks to their end. Nothing in the simulated world waits for the event loop, so one turn of it is enough
 * and exact: V8 empties the microtask queue, however long the chains of promises are, before the loop goes on. Counting
 * `await`s instead would have to guess the length of the longest chain.
 */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function before(a: Event, b: Event): boolean {
  return a.at !== b.at ? a.at < b.at : a.tie < b.tie
}

function push(heap: Event[], event: Event): void {
  let at = heap.length
  heap.push(event)
  while (at > 0) {
    const up = (at - 1) >> 1
    const parent = heap[up] as Event
    if (!before(event, parent)) break
    heap[at] = parent
    at = up
  }
  heap[at] = event
}

function pop(heap: Event[]): Event | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (top === undefined || last === undefined || heap.length === 0) return top
  sink(heap, last)
  return top
}

function sink(heap: Event[], event: Event): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && before(heap[child + 1] as Event, heap[child] as Event)) child++
    if (!before(heap[child] as Event, event)) break
    heap[at] = heap[child] as Event
    at = child
  }
  heap[at] = event
}
