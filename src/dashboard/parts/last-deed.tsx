import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './basics.js'
import { Confirm } from './dialog.js'

interface LastDeedProps {
  /** What the button says, and the yes of the question. */
  readonly text: string
  readonly question: string
  readonly busy: boolean
  readonly onYes: () => void
  /** What the yes does. */
  readonly children: ComponentChildren
}

/** A button that asks once more before it does what it says. */
export function LastDeed({ text, question, busy, onYes, children }: LastDeedProps) {
  const [asked, setAsked] = useState(false)
  const close = () => setAsked(false)
  const yes = () => {
    close()
    onYes()
  }
  return (
    <>
      <Button kind="danger" busy={busy} onClick={() => setAsked(true)}>
        {text}
      </Button>
      {asked ? (
        <Confirm title={question} yes={text} danger onYes={yes} onClose={close}>
          {children}
        </Confirm>
      ) : null}
    </>
  )
}
