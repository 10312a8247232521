import type { ComponentChildren } from 'preact'
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

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** A "no", where it happened. `again`: what tries it once more. */
export function Refused({ refusal, again }: { readonly refusal: Refusal; readonly again?: () => void }) {
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
      {again === undefined ? null : <Button onClick={again}>Try again</Button>}
    </div>
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
