import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Refusal } from '../../base/refusal.js'
import { visible } from '../../base/visible.js'
import type { Loaded } from '../client/use-answer.js'
import { refusalWords } from '../words/refusals.js'
import { Button } from './basics.js'

/** What stands where an answer is not there yet, is empty, or is a "no". */

export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="hidden">Loading</span>
      <span class="shimmer" />
      <span class="shimmer" />
      <span class="shimmer" />
    </div>
  )
}

/** The page itself, before anything of it can be shown. */
export function Opening() {
  return (
    <p class="opening" role="status">
      Opening…
    </p>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

interface RefusedProps {
  readonly refusal: Refusal
  /** Tries it once more; ends with the answer. */
  readonly again?: () => Promise<unknown>
}

/** A "no", where it happened. */
export function Refused({ refusal, again }: RefusedProps) {
  const { title, next, said } = refusalWords(refusal)
  const { field } = refusal.details
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>{visible(title)}</strong> {next}
      </p>
      {said === undefined ? null : (
        <p class="small">
          The node says: {visible(said)}
          {typeof field === 'string' && refusal.code !== 'not_found' ? ` (${visible(field)})` : ''}
        </p>
      )}
      {again === undefined ? null : <Again again={again} />}
    </div>
  )
}

/** Says that it is being tried until the answer comes, however long that takes. */
function Again({ again }: { readonly again: () => Promise<unknown> }) {
  const [trying, setTrying] = useState(false)
  async function tried(): Promise<void> {
    setTrying(true)
    await again()
    setTrying(false)
  }
  return (
    <Button busy={trying} onClick={() => void tried()}>
      {trying ? 'Trying again…' : 'Try again'}
    </Button>
  )
}

/** An answer when it is there, and its state until then. */
export function Show<T>({
  of,
  children
}: {
  readonly of: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}) {
  if (of.state === 'loading') return <Loading />
  if (of.state === 'failed') return <Refused refusal={of.refusal} again={of.again} />
  return <>{children(of.value)}</>
}
