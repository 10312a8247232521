import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** Fields of a form: each with its label above and its hint below. */

interface FormProps {
  readonly onSubmit: () => void
  readonly children: ComponentChildren
}

/** Enter sends it; nothing leaves the page by itself. */
export function Form({ onSubmit, children }: FormProps) {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly placeholder?: string
  readonly required?: boolean
  /** Values that the browser offers; another one may be written. */
  readonly choices?: readonly string[]
  /** What is wrong with what stands there. */
  readonly fault?: string | undefined
}

export function TextField({ label, hint, value, onInput, placeholder, required = false, choices, fault }: FieldProps) {
  const id = useId()
  const list = `${id}-choices`
  const place = useFaultFocus<HTMLInputElement>(fault)
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <input
        id={id}
        ref={place}
        class="input"
        type="text"
        value={value}
        placeholder={placeholder ?? ''}
        required={required}
        autoComplete="off"
        spellcheck={false}
        {...(choices === undefined ? {} : { list })}
        {...saidOf(id, hint, fault)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {choices === undefined ? null : (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </Labelled>
  )
}

interface DayProps {
  readonly label: string
  /** `2026-12-02`, or empty. */
  readonly value: string
  readonly onInput: (value: string) => void
}

export function DayField({ label, value, onInput }: DayProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={undefined}>
      <input id={id} class="input" type="date" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </Labelled>
  )
}

interface LongTextProps extends FieldProps {
  readonly rows?: number
}

export function LongTextField({ label, hint, value, onInput, required = false, rows = 8, fault }: LongTextProps) {
  const id = useId()
  const place = useFaultFocus<HTMLTextAreaElement>(fault)
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <textarea
        id={id}
        ref={place}
        class="input"
        rows={rows}
        value={value}
        required={required}
        spellcheck={false}
        {...saidOf(id, hint, fault)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Labelled>
  )
}

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

interface FileProps {
  readonly label: string
  readonly accept: string
  readonly onText: (text: string) => void
}

/** A file whose text is taken; it is read here and goes nowhere by itself. */
export function FileField({ label, accept, onText }: FileProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={undefined}>
      <input
        id={id}
        class="input"
        type="file"
        accept={accept}
        onChange={(event) => void event.currentTarget.files?.[0]?.text().then(onText)}
      />
    </Labelled>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function CheckField({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

interface LabelledProps {
  readonly id: string
  readonly label: string
  readonly hint: string | undefined
  readonly fault?: string | undefined
  readonly children: ComponentChildren
}

function Labelled({ id, label, hint, fault, children }: LabelledProps) {
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children}
      {fault === undefined ? null : (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
      {hint === undefined ? null : (
        <p class="small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Brings whoever sent the form to the field that was found wrong. */
function useFaultFocus<T extends HTMLElement>(fault: string | undefined) {
  const place = useRef<T>(null)
  useEffect(() => {
    if (fault !== undefined) place.current?.focus()
  }, [fault])
  return place
}

/** What a screen reader says of a field beside its label. */
function saidOf(id: string, hint: string | undefined, fault: string | undefined) {
  const parts = [...(fault === undefined ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])]
  return {
    ...(fault === undefined ? {} : { 'aria-invalid': true as const }),
    ...(parts.length === 0 ? {} : { 'aria-describedby': parts.join(' ') })
  }
}
