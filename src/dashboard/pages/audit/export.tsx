import { useState } from 'preact/hooks'
import type { Refusal } from '../../../base/refusal.js'
import { type Here, useHere } from '../../client/here.js'
import { type Result, ok } from '../../../base/result.js'
import { saveText } from '../../client/save.js'
import { Button } from '../../parts/basics.js'
import type { Entry } from '../../words/audit.js'
import { refusalWords } from '../../words/refusals.js'
import type { Filter } from './filter.js'

/** Entries that one call answers at most. */
const PAGE = 200

/** All that the filter lets through as a file, one entry a line. */
export function Export({ filter }: { readonly filter: Filter }) {
  const here = useHere()
  const [busy, setBusy] = useState(false)

  async function run(): Promise<void> {
    setBusy(true)
    const answer = await everyEntry(here, filter)
    setBusy(false)
    if (!answer.ok) return tell(answer.refusal)
    const lines = answer.value.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    saveText('agentlink-audit.ndjson', 'application/x-ndjson', lines)
    here.say(`${answer.value.length} entries saved.`)
  }

  const tell = (refusal: Refusal) => here.say(refusalWords(refusal).title, 'bad')
  return (
    <Button busy={busy} onClick={() => void run()}>
      Export
    </Button>
  )
}

async function everyEntry(here: Here, filter: Filter): Promise<Result<Entry[]>> {
  const items: Entry[] = []
  let after: string | undefined
  do {
    const query = { ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) }
    const answer = await here.call('owner.audit.list', { query })
    if (!answer.ok) return answer
    items.push(...answer.value.items)
    after = answer.value.next
  } while (after !== undefined)
  return ok(items)
}
