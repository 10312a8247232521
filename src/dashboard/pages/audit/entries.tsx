import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Refusal } from '../../../base/refusal.js'
import { visible } from '../../../base/visible.js'
import { useHere } from '../../client/here.js'
import { useAnswers } from '../../client/use-answer.js'
import { Button, Facts, Id, Time } from '../../parts/basics.js'
import { Empty, Loading, Refused } from '../../parts/states.js'
import { type Entry, type NameOf, particularsOf, sentenceOf, underWords } from '../../words/audit.js'
import { nameOf as contactName } from '../../words/contacts.js'
import { addressOf } from '../../words/place.js'
import type { Filter } from './filter.js'

/** Entries on one page. */
const PAGE = 50

/** The log, newest first. It is read further back on demand; what is new meanwhile is offered, not pushed in. */
export function Entries({ filter }: { readonly filter: Filter }) {
  const { call } = useHere()
  const nameOf = useNames()
  const [items, setItems] = useState<readonly Entry[] | undefined>()
  const [next, setNext] = useState<string | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()

  const read = useCallback(
    async (after: string | undefined) => {
      const query = { ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) }
      const answer = await call('owner.audit.list', { query })
      if (!answer.ok) return setRefusal(answer.refusal)
      setRefusal(undefined)
      setItems((before) => (after === undefined ? answer.value.items : [...(before ?? []), ...answer.value.items]))
      setNext(answer.value.next)
    },
    [call, filter]
  )

  useEffect(() => void read(undefined), [read])

  if (refusal !== undefined) return <Refused refusal={refusal} again={() => read(undefined)} />
  if (items === undefined) return <Loading />
  return (
    <>
      <News read={() => void read(undefined)} />
      {items.length === 0 && next === undefined ? (
        <Empty title="No entry is like that.">
          <p>Leave something out of the filter above, and more is shown.</p>
        </Empty>
      ) : null}
      <ol class="log plain-list" aria-label="Entries, newest first">
        {items.map((entry) => (
          <LogEntry key={entry.seq} entry={entry} nameOf={nameOf} />
        ))}
      </ol>
      {next === undefined ? null : <Button onClick={() => void read(next)}>Look further back</Button>}
    </>
  )
}

/** Says that there is more now than what is shown. */
function News({ read }: { readonly read: () => void }) {
  const { live } = useHere()
  const [fresh, setFresh] = useState(false)
  useEffect(
    () =>
      live.onChange((what) => {
        if (what === 'everything' || what.includes('audit')) setFresh(true)
      }),
    [live]
  )
  const show = () => {
    setFresh(false)
    read()
  }
  return <div role="status">{fresh ? <Button onClick={show}>There is something new: show it</Button> : null}</div>
}

function LogEntry({ entry, nameOf }: { readonly entry: Entry; readonly nameOf: NameOf }) {
  const { taskUid } = entry.about
  const under = underWords(entry, nameOf)
  return (
    <li class="log-entry">
      <p>{sentenceOf(entry, nameOf)}</p>
      <p class="small">
        <Time at={entry.at} /> · <code>{entry.what}</code> · #{entry.seq}
        {under === undefined || under === '' ? null : ` · by ${under}`}
      </p>
      <details>
        <summary aria-label={`Particulars of entry ${entry.seq}`}>Particulars</summary>
        <Facts
          rows={[
            ...particularsOf(entry, nameOf),
            [
              'Task',
              taskUid === undefined ? undefined : <a href={addressOf(['audit'], { task: taskUid })}>{taskUid}</a>
            ],
            [
              'Hash of the entry before',
              <Id key="prev">{entry.prev === '' ? 'none: this is the first entry' : entry.prev}</Id>
            ]
          ]}
        />
      </details>
    </li>
  )
}

/** Names of agents and contacts; an id that nobody here has is shown by its beginning. */
function useNames(): NameOf {
  const { agents } = useHere()
  const each = agents.map(({ name }) => ({ query: { agent: name } }))
  const contacts = useAnswers('owner.contacts.list', ['contacts'], each)
  const known = contacts.state === 'ready' ? contacts.value : undefined
  return useCallback(
    (id: string) => {
      const own = agents.find((one) => one.agent === id)
      if (own !== undefined) return visible(own.name)
      const contact = known?.flatMap(({ items }) => items).find((one) => one.agent === id)
      return contact === undefined ? `${visible(id.slice(0, 12))}…` : contactName(contact)
    },
    [agents, known]
  )
}
