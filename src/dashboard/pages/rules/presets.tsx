import { useState } from 'preact/hooks'
import { PRESETS } from '../../../api/words.js'
import { Button, Card } from '../../parts/basics.js'
import { PRESET_WORDS, type PresetName } from '../../words/presets.js'
import { PresetPreview } from './preset-preview.js'

/** Sets of rules to begin with. Nothing changes before the owner has seen what would. */
export function Presets() {
  const [shown, setShown] = useState<PresetName | undefined>()
  return (
    <Card title="Begin with a set of rules">
      <ul class="presets plain-list">
        {PRESETS.map((name) => (
          <li key={name}>
            <h3>{PRESET_WORDS[name].title}</h3>
            <p class="small">{PRESET_WORDS[name].says}</p>
            <Button label={`See what would change: ${PRESET_WORDS[name].title}`} onClick={() => setShown(name)}>
              See what would change
            </Button>
          </li>
        ))}
      </ul>
      {shown === undefined ? null : <PresetPreview name={shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}
