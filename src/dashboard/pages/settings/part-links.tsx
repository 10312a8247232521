import { useEffect } from 'preact/hooks'
import { addressOf } from '../../words/place.js'
import { type Part, headingOf } from '../../words/settings.js'

interface PartLinksProps {
  readonly parts: readonly Part[]
  /** The part that the address names. */
  readonly wanted: string | undefined
}

/** The parts of a long page, each a jump away; the address says which, so that other pages can lead to one. */
export function PartLinks({ parts, wanted }: PartLinksProps) {
  useEffect(() => {
    if (wanted !== undefined) jumpTo(wanted)
  }, [wanted])
  return (
    <nav aria-label="Parts of this page">
      <ul class="jumps plain-list">
        {parts.map(({ part, title }) => (
          <li key={part}>
            {/* Where the address names the part already, following the link changes nothing but where the eye is. */}
            <a href={addressOf(['settings'], { part })} onClick={() => jumpTo(part)}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function jumpTo(part: string): void {
  const heading = document.getElementById(headingOf(part))
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}
