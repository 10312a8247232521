/** Where an agent's files lie, and how a program comes to act as it: whole paths and commands, to be pasted as they are. */

export interface AgentPlaces {
  readonly token: string
  readonly socket: string
  /** Gives a program that speaks MCP the tools of the agent. */
  readonly mcp: string
  /** Reads the page that tells a program with a shell all the rest. */
  readonly page: string
}

/** Source: the map of the home in api/home.ts, whose paths a browser can't make. */
export function placesOf(home: string, name: string): AgentPlaces {
  const directory = `${home}/agents/${name}`
  const socket = `${directory}/agent.sock`
  return {
    token: `${directory}/token`,
    socket,
    mcp: `agentlink mcp --agent-dir ${inShell(directory)}`,
    page: `curl -sS --unix-socket ${inShell(socket)} http://localhost/agents.md`
  }
}

/** A path as one word of a command. */
function inShell(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
