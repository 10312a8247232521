import type { PageProps } from '../../parts/page.js'
import { TypePage } from './type-page.js'
import { TypesList } from './types-list.js'

/** The kinds of tasks that agents may take part in. */
export function Types({ rest, query }: PageProps) {
  const [hash] = rest
  return hash === undefined ? <TypesList /> : <TypePage hash={hash} against={query['against']} />
}
