import { useId, useRef, useState } from 'preact/hooks'
import { Button, Id } from './basics.js'

interface CopyProps {
  readonly label: string
  readonly text: string
}

/** A text to take away: shown whole, and copied by a button. */
export function Copy({ label, text }: CopyProps) {
  const id = useId()
  const place = useRef<HTMLTextAreaElement>(null)
  const [copied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    place.current?.select()
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // The browser keeps its clipboard to itself: the text is selected, and the keyboard copies it.
      setCopied(false)
    }
  }

  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <textarea id={id} ref={place} class="input" rows={3} readOnly value={text} spellcheck={false} />
      <div class="row">
        <Button onClick={() => void copy()}>Copy</Button>
        <span role="status" class="small">
          {copied ? 'Copied.' : ''}
        </span>
      </div>
    </div>
  )
}

/** An id to take away, in one line with its button. `label`: what it is, in the middle of a sentence. */
export function CopyId({ label, text }: CopyProps) {
  const [copied, setCopied] = useState<boolean | undefined>()

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }

  return (
    <span class="row">
      <Id>{text}</Id>
      <Button kind="quiet" label={`Copy the ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status" class="small">
        {copied === undefined ? '' : copied ? 'Copied.' : 'The browser keeps its clipboard to itself: select the text.'}
      </span>
    </span>
  )
}
