import { useState } from 'preact/hooks'
import { StateBadge } from '../../parts/basics.js'
import { capabilityWords } from '../../words/capabilities.js'
import { badgeOf } from '../../words/badges.js'
import { becauseWords, holdingFor, saidOf } from '../../words/rules.js'
import { type RuleAt, RuleDialog } from './rule-dialog.js'

/**
 * What holds, as a button that opens the choice. A list to choose from would not do: arrow keys that pass through it
 * would put each rule in place on the way.
 */
export function RuleCell({ rules, contact, name, capability }: RuleAt) {
  const [open, setOpen] = useState(false)
  const holding = holdingFor(rules, contact, capability)
  const said = saidOf(rules, contact, capability) !== undefined
  const { text } = badgeOf('effect', holding.effect)
  return (
    <>
      <button
        class={`rule${said ? ' rule-said' : ''}`}
        type="button"
        aria-label={`${capabilityWords(capability)}, ${name}: ${text}${said ? '' : ', no rule here'}. Change`}
        title={becauseWords(holding)}
        onClick={() => setOpen(true)}
      >
        <StateBadge list="effect" state={holding.effect} />
      </button>
      {open ? (
        <RuleDialog
          rules={rules}
          contact={contact}
          name={name}
          capability={capability}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
