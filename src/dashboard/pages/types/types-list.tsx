import { useState } from 'preact/hooks'
import { useAnswer } from '../../client/use-answer.js'
import { Badge, Button, StateBadge } from '../../parts/basics.js'
import { Page } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { addressOf } from '../../words/place.js'
import { type TypeEntry, shortHash, typeName, typesInOrder } from '../../words/types.js'
import { Declines } from './declines.js'
import { InstallType } from './install-type.js'
import { TypeTitle } from './type-title.js'

export function TypesList() {
  const [installing, setInstalling] = useState(false)
  const types = useAnswer('owner.types.list', ['types'])
  return (
    <Page
      title="Task types"
      lead="What tasks can be about. A type says which fields a plan can have, and which of your rules each field comes under. It is plain data: nothing in it runs."
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
            <TypeTitle type={type} />
          </a>
        </h2>
        <p class="small">
          {typeName(type)} · <code>{shortHash(type.hash)}</code>
        </p>
      </div>
      <div class="line-card-aside">
        {type.builtin ? <Badge tone="quiet">Built in</Badge> : null}
        <StateBadge list="type" state={type.state} />
      </div>
    </article>
  )
}
