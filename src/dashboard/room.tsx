import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../base/refusal.js'
import { createCaller } from './client/call.js'
import { type AgentEntry, type Here, HereContext } from './client/here.js'
import { openLive } from './client/live.js'
import { closeOtherSessions } from './client/session.js'
import { Opening, Refused } from './parts/states.js'
import { type Toast, Toasts } from './parts/toasts.js'
import { Shell } from './shell.js'

/** Milliseconds that a message stays. */
const TOAST_MS = 7000
/** Where the browser keeps which agent was shown last; no secret. */
const PICKED = 'agentlink.agent'

interface RoomProps {
  readonly csrf: string
  readonly ended: () => void
  readonly leave: () => void
}

/** An open session: the stream of changes, the agents, and what is said to the owner. */
export function Room({ csrf, ended, leave }: RoomProps) {
  const caller = useMemo(() => createCaller(csrf, ended), [csrf, ended])
  const live = useMemo(() => openLive(() => void caller.call('owner.status.read')), [caller])
  useEffect(() => () => live.close(), [live])
  const { toasts, say, drop } = useToasts()
  const { agents, refusal, read } = useAgents(caller, live)
  const [picked, setPicked] = useState(() => window.sessionStorage.getItem(PICKED) ?? '')

  const pickAgent = useCallback((name: string) => {
    window.sessionStorage.setItem(PICKED, name)
    setPicked(name)
  }, [])

  const leaveOthers = useCallback(() => closeOtherSessions(csrf), [csrf])

  const agent = agents.find((one) => one.name === picked) ?? agents.find((one) => one.name === 'default') ?? agents[0]
  const here = useMemo<Here | undefined>(
    () =>
      agent === undefined ? undefined : { call: caller.call, live, agents, agent, pickAgent, leave, leaveOthers, say },
    [caller, live, agents, agent, pickAgent, leave, leaveOthers, say]
  )
  if (refusal !== undefined)
    return (
      <main class="door">
        <Refused refusal={refusal} again={read} />
      </main>
    )
  if (here === undefined) return <Opening />
  return (
    <HereContext.Provider value={here}>
      <Shell />
      <Toasts toasts={toasts} onDrop={drop} />
    </HereContext.Provider>
  )
}

function useAgents(caller: ReturnType<typeof createCaller>, live: ReturnType<typeof openLive>) {
  const [agents, setAgents] = useState<readonly AgentEntry[]>([])
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const read = useCallback(async () => {
    const answer = await caller.call('owner.agents.list')
    if (answer.ok) setAgents(answer.value.items)
    setRefusal(answer.ok ? undefined : answer.refusal)
  }, [caller])
  useEffect(() => {
    void read()
    return live.onChange((what) => {
      if (what === 'everything' || what.includes('agents')) void read()
    })
  }, [read, live])
  return { agents, refusal, read }
}

function useToasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const count = useRef(0)
  const drop = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), [])
  const say = useCallback(
    (text: string, tone: 'good' | 'bad' = 'good') => {
      const id = ++count.current
      setToasts((all) => [...all.slice(-2), { id, text, tone }])
      window.setTimeout(() => drop(id), TOAST_MS)
    },
    [drop]
  )
  return { toasts, say, drop }
}
