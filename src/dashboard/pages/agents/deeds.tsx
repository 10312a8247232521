import { useState } from 'preact/hooks'
import { type AgentEntry, useHere } from '../../client/here.js'
import { useDeed } from '../../client/use-deed.js'
import { Button } from '../../parts/basics.js'
import { Confirm } from '../../parts/dialog.js'
import { Refused } from '../../parts/states.js'

const DEEDS = {
  rotateToken: {
    text: 'Make a new token',
    kind: 'plain',
    asks: 'The token that it has now stops at once. Programs that act as this agent have to read the new one from the same file.',
    done: 'A new token lies in its file; the old one opens nothing.'
  },
  revoke: {
    text: 'End this agent',
    kind: 'danger',
    asks:
      'Its token and socket stop at once and for good, its questions to you are void, and its contacts are not told. ' +
      'What it exchanged stays in the records.',
    done: 'The agent has ended.'
  }
} as const

type AgentDeed = keyof typeof DEEDS

/** A new token, or the end. The first agent of a node stays. */
export function AgentDeeds({ agent }: { readonly agent: AgentEntry }) {
  const { say } = useHere()
  const deed = useDeed()
  const [asked, setAsked] = useState<AgentDeed | undefined>()
  const all: readonly AgentDeed[] = agent.name === 'default' ? ['rotateToken'] : ['rotateToken', 'revoke']

  async function run(which: AgentDeed): Promise<void> {
    setAsked(undefined)
    const answer = await deed.run(`owner.agents.${which}`, { params: { agent: agent.name } })
    if (answer.ok) say(DEEDS[which].done)
  }

  return (
    <div class="deeds">
      {deed.refusal === undefined ? null : <Refused refusal={deed.refusal} />}
      <div class="row">
        {all.map((which) => (
          <Button
            key={which}
            kind={DEEDS[which].kind}
            busy={deed.busy}
            label={`${DEEDS[which].text}: ${agent.name}`}
            onClick={() => setAsked(which)}
          >
            {DEEDS[which].text}
          </Button>
        ))}
      </div>
      {asked === undefined ? null : (
        <Confirm
          title={`${DEEDS[asked].text}: ${agent.name}?`}
          yes={DEEDS[asked].text}
          danger={DEEDS[asked].kind === 'danger'}
          onYes={() => void run(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{DEEDS[asked].asks}</p>
        </Confirm>
      )}
    </div>
  )
}
