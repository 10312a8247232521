/**
 * What changed at the node, as it happens: one stream of events for the whole page. An event names what was touched, and
 * whoever shows that reads it again. After a gap everything is read again, so that nothing needs to be resumed.
 */

/** What an event can name; a word that this page doesn't know yet is passed on and matches nothing. */
export type Topic = string

export type LiveState = 'connecting' | 'live' | 'lost'

export interface Live {
  /** Told the topics that changed; `everything` after a gap. Returns what stops it. */
  onChange(listener: (what: readonly Topic[] | 'everything') => void): () => void
  onState(listener: (state: LiveState) => void): () => void
  state(): LiveState
  close(): void
}

const PLACE = '/v1/owner/events'
/** Milliseconds until a stream that the node refused is tried again. */
const RETRY_MS = 5000

/** `onRefused` is told when the stream was refused instead of cut: the session may have ended. */
export function openLive(onRefused: () => void): Live {
  const changes = new Set<(what: readonly Topic[] | 'everything') => void>()
  const states = new Set<(state: LiveState) => void>()
  let state: LiveState = 'connecting'
  let source: EventSource | undefined
  let timer: number | undefined

  function become(next: LiveState): void {
    if (state === next) return
    const wasLost = state === 'lost'
    state = next
    states.forEach((listener) => listener(next))
    if (wasLost && next === 'live') changes.forEach((listener) => listener('everything'))
  }

  function open(): void {
    source = new EventSource(PLACE)
    source.onopen = () => become('live')
    source.addEventListener('changed', (event: MessageEvent<string>) => {
      const what = topicsIn(event.data)
      changes.forEach((listener) => listener(what))
    })
    source.onerror = () => {
      become('lost')
      if (source?.readyState !== EventSource.CLOSED) return
      onRefused()
      timer = window.setTimeout(open, RETRY_MS)
    }
  }

  open()
  return {
    onChange: (listener) => joined(changes, listener),
    onState: (listener) => joined(states, listener),
    state: () => state,
    close() {
      window.clearTimeout(timer)
      source?.close()
    }
  }
}

function joined<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function topicsIn(text: string): readonly Topic[] | 'everything' {
  try {
    const what: unknown = (JSON.parse(text) as { readonly what?: unknown }).what
    return Array.isArray(what) ? what.map(String) : 'everything'
  } catch {
    return 'everything'
  }
}
