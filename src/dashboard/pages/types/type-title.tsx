import { visible } from '../../../base/visible.js'
import { Theirs } from '../../parts/basics.js'
import type { TypeEntry } from '../../words/types.js'

/** What a type calls itself: in our words where it came with the node, in somebody's where it was installed. */
export function TypeTitle({ type }: { readonly type: Pick<TypeEntry, 'builtin' | 'title'> }) {
  return type.builtin ? <>{visible(type.title)}</> : <Theirs>{type.title}</Theirs>
}
