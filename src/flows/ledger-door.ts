import { type Result, ok } from '../base/result.js'
import type { AgentId } from '../base/ids.js'
import { stillGranted } from '../policy/bind.js'
import { parseLedger } from '../policy/ledger.js'
import type { AgentBook } from './agents.js'
import { record } from './audit.js'
import type { OwnerDoor } from './doors.js'
import { liveOf } from './envelope-owned.js'
import { agentKey, taskKey } from './keys.js'
import type { Clock, Tx } from './ports.js'
import type { Steps } from './steps.js'
import type { LedgerView } from './views/envelopes.js'

/** The tool ledger of each agent, for its owner alone (protocols/policy.md, "Tool ledger"). */
export type LedgerDoor = Pick<OwnerDoor, 'ledger' | 'setLedger'>

export function createLedgerDoor(components: {
  readonly steps: Steps
  readonly agents: AgentBook
  readonly clock: Clock
}): LedgerDoor {
  const { steps, agents, clock } = components
  return {
    ledger: (options) =>
      steps.read((tx): Result<LedgerView> => {
        const agent = agents.pick(tx, options.agent)
        if (!agent.ok) return agent
        return ok({ agent: agent.value.agent, tools: tx.get('ledgers', agentKey(agent.value.agent)) ?? [] })
      }),
    setLedger: (options) =>
      steps.run((tx): Result<LedgerView> => {
        const agent = agents.pick(tx, options.agent)
        if (!agent.ok) return agent
        const tools = parseLedger(options.tools)
        if (!tools.ok) return tools
        const id = agent.value.agent
        tx.put('ledgers', agentKey(id), tools.value)
        takeAway(tx, id, tools.value)
        record(tx, { at: clock.now(), who: { kind: 'owner' }, what: 'ledger.changed', about: { agent: id } })
        return ok({ agent: id, tools: tools.value })
      })
  }
}

/** Stages that live tasks lose what the ledger has no more: a later ledger that has it again gives it to none of them. */
function takeAway(tx: Tx, agent: AgentId, ledger: readonly string[]): void {
  for (const { uid } of liveOf(tx, agent)) {
    const key = taskKey(agent, uid)
    const task = tx.get('envelopes', key)
    if (task?.toolsGranted === undefined) continue
    const toolsGranted = stillGranted(task.toolsGranted, ledger)
    if (toolsGranted.length < task.toolsGranted.length) tx.put('envelopes', key, { ...task, toolsGranted })
  }
}
