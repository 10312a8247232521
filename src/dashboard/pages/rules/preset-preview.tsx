import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { useDeed } from '../../client/use-deed.js'
import { Button, Note, StateBadge } from '../../parts/basics.js'
import { Dialog } from '../../parts/dialog.js'
import { Refused, Show } from '../../parts/states.js'
import { capabilityWords } from '../../words/capabilities.js'
import { PRESET_WORDS, type Preset, type PresetName, changedBy } from '../../words/presets.js'

interface PreviewProps {
  readonly name: PresetName
  readonly onClose: () => void
}

/** Exactly what a set of rules would change. What is put in place is what was shown: other rules meanwhile, and it is refused. */
export function PresetPreview({ name, onClose }: PreviewProps) {
  const { agent, say } = useHere()
  const deed = useDeed()
  const answer = useAnswer('owner.presets.read', ['grants'], { params: { preset: name }, query: { agent: agent.name } })

  async function apply(digest: string): Promise<void> {
    const done = await deed.run('owner.presets.apply', {
      params: { preset: name },
      body: { agent: agent.name, digest }
    })
    if (!done.ok) return answer.again()
    say(`The set “${PRESET_WORDS[name].title}” is in place for your agent ${agent.name}.`)
    onClose()
  }

  return (
    <Dialog title={`${PRESET_WORDS[name].title}: what would change`} onClose={onClose}>
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <Show of={answer}>
        {({ preset }) => (
          <>
            <Changes preset={preset} />
            <div class="row row-end">
              <Button onClick={onClose}>Go back</Button>
              <Button kind="main" busy={deed.busy} onClick={() => void apply(preset.digest)}>
                Put it in place
              </Button>
            </div>
          </>
        )}
      </Show>
    </Dialog>
  )
}

function Changes({ preset }: { readonly preset: Preset }) {
  const changed = changedBy(preset)
  return (
    <>
      {changed.length === 0 ? (
        <p>Nothing changes for contacts without rules of their own.</p>
      ) : (
        <>
          <p class="small">For every contact without a rule of its own:</p>
          <Table rows={changed} />
        </>
      )}
      {preset.removes.length === 0 ? null : (
        <p class="small">
          These rules for everybody are taken away:{' '}
          {preset.removes.map((rule) => capabilityWords(rule.capability)).join(', ')}.
        </p>
      )}
      {preset.keeps.length === 0 ? null : (
        <Note tone="quiet">
          <p>
            {preset.keeps.length === 1 ? 'One rule' : `${preset.keeps.length} rules`} that you made for single contacts
            stay, and outrank this set.
          </p>
        </Note>
      )}
    </>
  )
}

function Table({ rows }: { readonly rows: Preset['capabilities'] }) {
  return (
    <table class="table">
      <caption class="hidden">What would change</caption>
      <thead>
        <tr>
          <th scope="col">Capability</th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ capability, now, becomes }) => (
          <tr key={capability}>
            <th scope="row">{capabilityWords(capability)}</th>
            <td data-head="Now">
              <StateBadge list="effect" state={now} />
            </td>
            <td data-head="Then">
              <StateBadge list="effect" state={becomes} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
