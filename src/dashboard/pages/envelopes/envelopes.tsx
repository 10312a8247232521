import type { PageProps } from '../../parts/page.js'
import { EnvelopePage } from './envelope-page.js'
import { EnvelopesList } from './envelopes-list.js'

/** Delegated work, in either direction. */
export function Envelopes({ rest, query }: PageProps) {
  const [taskUid] = rest
  return taskUid === undefined ? (
    <EnvelopesList role={query['role']} />
  ) : (
    <EnvelopePage taskUid={taskUid} agent={query['agent']} />
  )
}
