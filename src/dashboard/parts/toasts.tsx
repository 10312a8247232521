/** What just happened, said for a few seconds where a screen reader hears it as well. */

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad'
}

export function Toasts({
  toasts,
  onDrop
}: {
  readonly toasts: readonly Toast[]
  readonly onDrop: (id: number) => void
}) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} class={`toast toast-${toast.tone}`}>
          <span>{toast.text}</span>
          <button class="toast-close" type="button" aria-label="Dismiss" onClick={() => onDrop(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
