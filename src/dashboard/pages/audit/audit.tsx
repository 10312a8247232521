import { useMemo } from 'preact/hooks'
import type { PageProps } from '../../parts/page.js'
import { Page } from '../../parts/page.js'
import { addressOf } from '../../words/place.js'
import { Entries } from './entries.js'
import { Export } from './export.js'
import { type Filter, FilterForm, filterIn } from './filter.js'

/** What was done, by whom, under which rule. The filter stands in the address, so that a view can be kept. */
export function Audit({ query }: PageProps) {
  const filter = useMemo(() => filterIn(query), [query])
  const show = (next: Filter) => {
    window.location.hash = addressOf(['audit'], next)
  }
  return (
    <Page
      title="Audit"
      lead="Who did what, and which rule or answer of yours allowed or denied it. Nothing of what was said stands here. Each entry has the hash of the one before it, so that none can be changed or taken out unseen."
      aside={<Export filter={filter} />}
    >
      <div class="stack">
        <FilterForm filter={filter} onFilter={show} />
        <Entries key={addressOf([], filter)} filter={filter} />
      </div>
    </Page>
  )
}
