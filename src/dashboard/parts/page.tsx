import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** What a page is told by the address. */
export interface PageProps {
  /** What follows the page in the address. */
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

interface HeadProps {
  readonly title: string
  /** A sentence under the title. */
  readonly lead?: ComponentChildren
  /** The way back to the list that it belongs to. */
  readonly up?: { readonly href: string; readonly text: string }
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page: its heading takes the focus when the owner comes to it, so that a screen reader begins there. */
export function Page({ title, lead, up, aside, children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · AgentLink`
    if (document.activeElement === document.body || document.activeElement?.closest('nav') !== null) {
      heading.current?.focus({ preventScroll: true })
    }
    window.scrollTo(0, 0)
  }, [title])
  return (
    <>
      <header class="page-head">
        {up === undefined ? null : (
          <a class="up" href={up.href}>
            ← {up.text}
          </a>
        )}
        <div class="card-head">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {aside}
        </div>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </header>
      {children}
    </>
  )
}
