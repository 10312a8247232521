import { useHere } from '../../client/here.js'
import { useAnswer } from '../../client/use-answer.js'
import { useDeed } from '../../client/use-deed.js'
import { Button, Card, StateBadge, Time } from '../../parts/basics.js'
import { Inspection } from '../../parts/inspection.js'
import { LastDeed } from '../../parts/last-deed.js'
import { Page } from '../../parts/page.js'
import { Refused, Show } from '../../parts/states.js'
import { type TypeRead, typeName } from '../../words/types.js'
import { Differences } from './differences.js'

interface TypePageProps {
  readonly hash: string
  /** Hash of the type that it is compared with. */
  readonly against: string | undefined
}

/** One type: what each field needs, how it differs from another, and the way out of use and back. */
export function TypePage({ hash, against }: TypePageProps) {
  const answer = useAnswer('owner.types.read', ['types'], { params: { type: hash } })
  const type = answer.state === 'ready' ? answer.value.type : undefined
  return (
    <Page
      title={type === undefined ? 'Task type' : typeName(type)}
      up={{ href: '#/types', text: 'Task types' }}
      aside={type === undefined ? undefined : <StateBadge list="type" state={type.state} />}
    >
      <Show of={answer}>
        {(read) => (
          <div class="stack">
            <Card title="What it asks for" aside={<InUse read={read} />}>
              <Dates read={read} />
              <Inspection inspection={read.inspection} />
            </Card>
            <Differences of={read} against={against} />
          </div>
        )}
      </Show>
    </Page>
  )
}

function Dates({ read: { type } }: { readonly read: TypeRead }) {
  if (type.installedAt === undefined) return <p class="small">It came with this node.</p>
  return (
    <p class="small">
      Installed <Time at={type.installedAt} />
      {type.retiredAt === undefined ? null : (
        <>
          , retired <Time at={type.retiredAt} />
        </>
      )}
      .
    </p>
  )
}

/** Retires a type, or puts it back to use. */
function InUse({ read: { type, inspection } }: { readonly read: TypeRead }) {
  const { say } = useHere()
  const deed = useDeed()
  const name = typeName(type)

  async function retire(): Promise<void> {
    const answer = await deed.run('owner.types.retire', { params: { type: type.hash } })
    if (answer.ok) say(`${name} is retired.`)
  }

  async function use(): Promise<void> {
    const body = { file: JSON.stringify(inspection.definition), hash: type.hash }
    const answer = await deed.run('owner.types.install', { body })
    if (answer.ok) say(`${name} is in use again.`)
  }

  return (
    <>
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      {type.state === 'active' ? (
        <LastDeed text="Retire" question={`Retire ${name}?`} busy={deed.busy} onYes={() => void retire()}>
          <p>
            No new task of this type begins, neither by your agents nor by invites. Tasks that run go on to their end.
          </p>
        </LastDeed>
      ) : (
        <Button busy={deed.busy} onClick={() => void use()}>
          Use it again
        </Button>
      )}
    </>
  )
}
