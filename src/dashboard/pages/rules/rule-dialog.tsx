import { useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Badge, Button } from '../../parts/basics.js'
import { Dialog } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'
import { badgeOf } from '../../words/badges.js'
import { capabilityWords } from '../../words/capabilities.js'
import { EFFECT_WORDS, type Effect, type Rule, becauseWords, holdingWithout, saidOf } from '../../words/rules.js'

/** One place in the table of rules. */
export interface RuleAt {
  readonly rules: readonly Rule[]
  /** Id of the contact, or `*`. */
  readonly contact: string
  readonly name: string
  readonly capability: string
}

interface RuleDialogProps extends RuleAt {
  readonly onClose: () => void
}

/** The choice of a rule, each with what it does. The first focus is on what holds now, so that Enter alone changes nothing. */
export function RuleDialog({ rules, contact, name, capability, onClose }: RuleDialogProps) {
  const { agent, say } = useHere()
  const deed = useDeed()
  const said = saidOf(rules, contact, capability)
  const without = holdingWithout(rules, contact, capability)
  const key = { agent: agent.name, contact, capability }

  async function choose(effect: Effect | undefined): Promise<void> {
    const answer =
      effect === undefined
        ? await deed.run('owner.grants.delete', { query: key })
        : await deed.run('owner.grants.set', { body: { ...key, effect } })
    if (!answer.ok) return
    say('The rule is in place. What was sent before stays sent.')
    onClose()
  }

  return (
    <Dialog title={capabilityWords(capability)} onClose={onClose}>
      <p class="small">
        <code>{capability}</code>, {name}. It is a rule of your agent {agent.name}.
      </p>
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <ul class="choices plain-list">
        {(['allow', 'ask', 'deny'] as const).map((effect) => (
          <Choice
            key={effect}
            text={EFFECT_WORDS[effect].text}
            does={EFFECT_WORDS[effect].does}
            current={said === effect}
            busy={deed.busy}
            onClick={() => void choose(effect)}
          />
        ))}
        <Choice
          text="No rule here"
          does={`What follows then: “${badgeOf('effect', without.effect).text}”, ${becauseWords(without)}.`}
          current={said === undefined}
          busy={deed.busy}
          onClick={() => (said === undefined ? onClose() : void choose(undefined))}
        />
      </ul>
      <div class="row row-end">
        <Button onClick={onClose}>Go back</Button>
      </div>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly text: string
  readonly does: string
  readonly current: boolean
  readonly busy: boolean
  readonly onClick: () => void
}

function Choice({ text, does, current, busy, onClick }: ChoiceProps) {
  return (
    <li>
      <button class="choice" type="button" disabled={busy} autofocus={current} aria-pressed={current} onClick={onClick}>
        <span class="choice-text">
          {text} {current ? <Badge tone="quiet">now</Badge> : null}
        </span>
        <span class="small">{does}</span>
      </button>
    </li>
  )
}
