import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Loaded } from '../client/use-answer.js'
import { Button } from './basics.js'
import { Show } from './states.js'

/** How many items come at first and with each push of the button, and the most that one call answers. */
const STEP = 25
const MOST = 200

/** How much of a list is asked for, and what asks for more of it. */
export interface Extent {
  readonly limit: number
  readonly grow: () => void
}

export function useExtent(): Extent {
  const [limit, setLimit] = useState(STEP)
  return { limit, grow: () => setLimit(Math.min(MOST, limit + STEP)) }
}

interface ListedProps<T> {
  readonly of: Loaded<{ readonly items: readonly T[]; readonly next?: unknown }>
  readonly extent: Extent
  readonly keyOf: (item: T) => string
  /** What stands where there are none. */
  readonly empty: ComponentChildren
  readonly children: (item: T) => ComponentChildren
}

/** A list of the node, one card an item, and a way to the rest. */
export function Listed<T>({ of, extent, keyOf, empty, children }: ListedProps<T>) {
  return (
    <Show of={of}>
      {({ items, next }) =>
        items.length === 0 ? (
          empty
        ) : (
          <>
            <ul class="stack plain-list">
              {items.map((item) => (
                <li key={keyOf(item)}>{children(item)}</li>
              ))}
            </ul>
            {next === undefined || extent.limit >= MOST ? null : <Button onClick={extent.grow}>Show more</Button>}
          </>
        )
      }
    </Show>
  )
}
