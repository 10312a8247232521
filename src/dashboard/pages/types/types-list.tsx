import { useState } from 'preact/hooks'
import { visible } from '../../../base/visible.js'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Button, StateBadge, Theirs } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { addressOf } from '../../words/place.js'
import { type TypeEntry, shortHash, typeName, typesInOrder } from '../../words/types.js'
import { Declines } from './declines.js'
import { InstallType } from './install-type.js'

export function TypesList() {
  const [installing, setInstalling] = useState(false)
  const types = useAnswer('owner.types.list', ['types'])
  return (
    <Page
      title="Task types"
      lead="What tasks can be about. A type says which fields a plan can hold and what each of them needs; it holds no program."
      aside={
        <Button kind="main" onClick={() => setInstalling(true)}>
          Install a type
        </Button>
      }
    >
      <div class="stack">
        <Show of={types}>
          {({ items }) => (
            <ul class="stack plain-list">
              {typesInOrder(items).map((type) => (
                <li key={type.hash}>
                  <TypeCard type={type} />
                </li>
              ))}
            </ul>
          )}
        </Show>
        <Declines />
      </div>
      {installing ? <InstallType onClose={() => setInstalling(false)} /> : null}
    </Page>
  )
}

function TypeCard({ type }: { readonly type: TypeEntry }) {
  return (
    <article class="card line-card">
      <div class="line-card-text">
        <h2 class="line-title">
          <a class="cover" href={addressOf(['types', type.hash])}>
            {typeName(type)}
          </a>
        </h2>
        <p class="small">
          {type.builtin ? visible(type.title) : <Theirs>{type.title}</Theirs>} · <code>{shortHash(type.hash)}</code>
        </p>
      </div>
      <div class="line-card-aside">
        {type.builtin ? <Badge tone="quiet">Built in</Badge> : null}
        <StateBadge list="type" state={type.state} />
      </div>
    </article>
  )
}
