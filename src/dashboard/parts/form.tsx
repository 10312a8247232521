import { useId } from 'preact/hooks'

/** Fields of a form: each with its label above and its hint below. */

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly onInput: (value: string) => void
  /** The label is for screen readers alone: what stands around says the same to the eye. */
  readonly bare?: boolean
}

export function Select({ label, value, options, onInput, bare = false }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label class={bare ? 'hidden' : 'label'} for={id}>
        {label}
      </label>
      <select id={id} class="input" value={value} onInput={(event) => onInput(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name} selected={name === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
