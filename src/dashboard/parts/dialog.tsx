import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './basics.js'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A question in front of the page. The browser keeps the focus in it, and Esc closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={place} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  /** What the yes does, in the words of the button. */
  readonly yes: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly onYes: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Asks once more before something that cannot be taken back. The first focus is on the way out. */
export function Confirm({ title, yes, danger = false, busy = false, onYes, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="row row-end">
        <Button onClick={onClose}>Go back</Button>
        <Button kind={danger ? 'danger' : 'main'} busy={busy} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}

interface FormEndProps {
  /** What sending the form does, in the words of the button. */
  readonly yes: string
  readonly busy: boolean
  readonly onClose: () => void
}

/** The end of a form in a dialog: the way out, and the button that sends it. */
export function FormEnd({ yes, busy, onClose }: FormEndProps) {
  return (
    <div class="row row-end">
      <Button onClick={onClose}>Go back</Button>
      <Button kind="main" type="submit" busy={busy}>
        {yes}
      </Button>
    </div>
  )
}
