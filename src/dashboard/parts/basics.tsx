import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { visible } from '../../base/visible.js'
import { type Tone, badgeOf } from '../words/badges.js'
import { distanceOf, exactOf } from '../words/times.js'

/** The small parts that every page is made of. */

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>
}

/** A state of a closed list as a badge. */
export function StateBadge({ list, state }: { readonly list: Parameters<typeof badgeOf>[0]; readonly state: string }) {
  const { tone, text } = badgeOf(list, state)
  return <Badge tone={tone}>{text}</Badge>
}

/** A time as a distance, kept true while it is on the screen; the exact one on hover and for screen readers. */
export function Time({ at }: { readonly at: string }) {
  const [, draw] = useState({})
  useEffect(() => {
    const timer = window.setInterval(() => draw({}), 30_000)
    return () => window.clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={exactOf(at)}>
      {distanceOf(at, Date.now())}
    </time>
  )
}

/** A time that stands beside what happened then. */
export function When({ at }: { readonly at: string }) {
  return (
    <span class="small">
      <Time at={at} />
    </span>
  )
}

interface ButtonProps {
  readonly kind?: 'main' | 'plain' | 'danger' | 'quiet'
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly type?: 'button' | 'submit'
  readonly describedBy?: string
  /** What it is about, where the words on it alone don't say. */
  readonly label?: string
  readonly onClick?: () => void
  readonly children: ComponentChildren
}

export function Button(props: ButtonProps) {
  const { kind = 'plain', busy = false, disabled = false, type = 'button', describedBy, label, onClick } = props
  return (
    <button
      class={`button button-${kind}`}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      {...(onClick === undefined ? {} : { onClick })}
    >
      {props.children}
    </button>
  )
}

interface CardProps {
  readonly title?: ComponentChildren
  /** Of its heading, which a link of the page brings the focus to. */
  readonly id?: string
  /** Beside the title. */
  readonly aside?: ComponentChildren
  readonly tone?: Tone
  readonly children: ComponentChildren
}

/** A room of its own on the page. */
export function Card({ title, id, aside, tone, children }: CardProps) {
  return (
    <section class={`card${tone === undefined ? '' : ` card-${tone}`}`}>
      {title === undefined ? null : (
        <div class="card-head">
          {id === undefined ? (
            <h2>{title}</h2>
          ) : (
            <h2 id={id} tabIndex={-1}>
              {title}
            </h2>
          )}
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

/** An id or hash: exact, in full, and breaking anywhere. */
export function Id({ children }: { readonly children: string }) {
  return <code class="id">{visible(children)}</code>
}

/** Words of another node: text and nothing else, with everything deceptive written out, and marked as theirs. */
export function Theirs({ children }: { readonly children: string }) {
  return (
    <q class="theirs" title="Words of the other side">
      {visible(children)}
    </q>
  )
}

/** Name and value, one under the other on a phone. A row without a value is left out. */
export function Facts({ rows }: { readonly rows: ReadonlyArray<readonly [string, ComponentChildren]> }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Note({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <div class={`note note-${tone}`}>{children}</div>
}
