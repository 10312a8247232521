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
  const { outcome, copy } = useCopy(text)
  const take = () => {
    // Where the browser keeps its clipboard to itself, the text is selected, and the keyboard copies it.
    place.current?.select()
    void copy()
  }

  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <textarea id={id} ref={place} class="input" rows={3} readOnly value={text} spellcheck={false} />
      <div class="row">
        <Button onClick={take}>Copy</Button>
        <span role="status" class="small">
          {SAID[outcome]}
        </span>
      </div>
    </div>
  )
}

/** An id to take away, in one line with its button. `label`: what it is, in the middle of a sentence. */
export function CopyId({ label, text }: CopyProps) {
  const { outcome, copy } = useCopy(text)

  return (
    <span class="row copy-id">
      <Id>{text}</Id>
      <Button kind="quiet" label={`Copy the ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
      <span role="status" class="small">
        {SAID[outcome]}
      </span>
    </span>
  )
}

type Outcome = 'none' | 'copied' | 'refused'

const SAID: Readonly<Record<Outcome, string>> = {
  none: '',
  copied: 'Copied.',
  refused: 'The browser keeps its clipboard to itself: select the text.'
}

function useCopy(text: string) {
  const [outcome, setOutcome] = useState<Outcome>('none')

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }
  return { outcome, copy }
}
