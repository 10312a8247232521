import { Facts } from '../../parts/basics.js'
import { CopyId } from '../../parts/copy.js'
import type { AgentPlaces } from '../../words/agents.js'

interface ConnectProps {
  readonly name: string
  readonly places: AgentPlaces
}

/** How a program comes to act as an agent. */
export function Connect({ name, places }: ConnectProps) {
  return (
    <>
      <h3>Connect a program</h3>
      <Facts
        rows={[
          [
            'Over MCP',
            <div key="mcp">
              <CopyId label={`MCP command of ${name}`} text={places.mcp} />
              <p class="small">Give your AI program this as the command of an MCP server.</p>
            </div>
          ],
          [
            'With a shell',
            <div key="page">
              <CopyId label={`shell command of ${name}`} text={places.page} />
              <p class="small">
                Have your AI program run this and follow the page that it prints (<code>/agents.md</code>). It says all
                the rest.
              </p>
            </div>
          ]
        ]}
      />
    </>
  )
}
