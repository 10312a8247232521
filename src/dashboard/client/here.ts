import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AnswerOf } from '../../api/contract.js'
import type { Result } from '../../base/result.js'
import type { Caller } from './call.js'
import type { Live } from './live.js'

/** What every page of an open session stands on. */

export type AgentEntry = AnswerOf<'owner.agents.list'>['items'][number]

export interface Here extends Caller {
  readonly live: Live
  readonly agents: readonly AgentEntry[]
  /** The agent whose contacts, rules and tools are shown. */
  readonly agent: AgentEntry
  pickAgent(name: string): void
  leave(): void
  /** Ends every other session: how many. */
  leaveOthers(): Promise<Result<number>>
  /** Says something to the owner that goes away by itself. */
  say(text: string, tone?: 'good' | 'bad'): void
}

export const HereContext = createContext<Here | undefined>(undefined)

export function useHere(): Here {
  const here = useContext(HereContext)
  if (here === undefined) throw new Error('there is no session around this part of the page')
  return here
}

/** The agent of ours with this id; undefined once it has ended. */
export function useAgent(id: string): AgentEntry | undefined {
  return useHere().agents.find((one) => one.agent === id)
}
