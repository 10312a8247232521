import { useEffect, useState } from 'preact/hooks'
import { useHere } from './client/here.js'
import type { LiveState } from './client/live.js'
import { useAnswer } from './client/use-answer.js'
import { PAGES, type PageEntry } from './pages.js'
import { Select } from './parts/form.js'
import { Mark } from './parts/mark.js'
import { NotFound } from './pages/not-found.js'
import { usePlace } from './use-place.js'
import { addressOf } from './words/place.js'

/** What stands around every page: the way in for keyboards, the menu, and whether the page is up to date. */
export function Shell() {
  const place = usePlace()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [place])
  useEscape(open, () => setOpen(false))
  const entry = PAGES.find((one) => one.page === place.page)
  const Body = entry?.body ?? NotFound
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="#/">
          <Mark />
          <span>AgentLink</span>
        </a>
        <LiveSign />
        <button
          class="menu-button"
          type="button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </header>
      <nav id="menu" class={`menu${open ? ' menu-open' : ''}`} aria-label="Pages">
        <div class="menu-stay">
          <AgentPicker />
          <Menu current={place.page} />
          <Leave />
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        <Body key={`${place.page}/${place.rest.join('/')}`} rest={place.rest} query={place.query} />
      </main>
    </div>
  )
}

function Menu({ current }: { readonly current: string }) {
  const status = useAnswer('owner.status.read', ['approvals', 'contacts'])
  const waiting = status.state === 'ready' ? status.value.approvalsPending : 0
  const asking = status.state === 'ready' ? status.value.contacts.pending : 0
  const counts: Readonly<Record<string, number>> = { approvals: waiting, contacts: asking }
  return (
    <ul class="menu-list">
      {PAGES.map((entry) => (
        <li key={entry.page}>
          <MenuLink entry={entry} current={entry.page === current} count={counts[entry.page] ?? 0} />
        </li>
      ))}
    </ul>
  )
}

interface MenuLinkProps {
  readonly entry: PageEntry
  readonly current: boolean
  readonly count: number
}

function MenuLink({ entry, current, count }: MenuLinkProps) {
  return (
    <a
      href={addressOf(entry.page === '' ? [] : [entry.page])}
      {...(current ? { 'aria-current': 'page' as const } : {})}
    >
      {entry.text}
      {count === 0 ? null : (
        <span class="count">
          {count}
          <span class="hidden"> waiting</span>
        </span>
      )}
    </a>
  )
}

/** With one agent there is nothing to choose. */
function AgentPicker() {
  const { agents, agent, pickAgent } = useHere()
  if (agents.length < 2) return null
  const options = agents.map((one) => [one.name, `${one.name} (${one.handle})`] as const)
  return <Select label="Agent" value={agent.name} options={options} onInput={pickAgent} />
}

function Leave() {
  const { leave } = useHere()
  return (
    <button class="leave" type="button" onClick={leave}>
      Sign out
    </button>
  )
}

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again'
}

/** Whether what is on the screen follows the node. */
function LiveSign() {
  const { live } = useHere()
  const [state, setState] = useState(live.state())
  useEffect(() => {
    setState(live.state())
    return live.onState(setState)
  }, [live])
  return (
    <span class={`live live-${state}`} role="status">
      {LIVE[state]}
    </span>
  )
}

function useEscape(active: boolean, then: () => void): void {
  useEffect(() => {
    if (!active) return undefined
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') then()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [active])
}

/** The address stays where it is: it says the page, not a place in it. */
function skip(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
