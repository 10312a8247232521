import { type RouteName, routeOf } from '../../api/routes.js'

/** What a person is told to run next: it reaches the same home and the same agent as the command that says so. */

/** The options that chose home and agent, as they were given. */
export interface Chosen {
  readonly home?: string
  readonly agent?: string
}

/** Commands about the whole node: which agent was chosen is nothing to them. */
const OF_THE_NODE = /^(?:agent|backup|doctor|init|repair|restore|start|status|stop|wallet)\b/

/** A whole command to copy: `words` follow the program's name. */
export function commandFor(words: string, { home, agent }: Chosen): string {
  const picked = agent === undefined || OF_THE_NODE.test(words) ? '' : ` --agent ${agent}`
  const options = [home === undefined ? '' : ` --home ${quoted(home)}`, picked]
  return `agentlink ${words}${options.join('')}`
}

/** The command that does what a route does. Refusals speak of routes, which a person at a terminal does not call. */
const COMMANDS = {
  'tasks.list': 'task list',
  'envelopes.list': 'envelope list',
  'contacts.list': 'contact list'
} as const satisfies Partial<Record<RouteName, string>>

const BY_ROUTE = new Map(
  Object.entries(COMMANDS).map(([name, words]) => {
    const { method, path } = routeOf(name as RouteName)
    return [`${method} ${path}`, words]
  })
)

/**
 * What a person is told, in the words of the command line: commands instead of routes, each in backticks with the options
 * of this run. A command that names a home itself is left as it is.
 */
export function inCommands(sentence: string, chosen: Chosen): string {
  return sentence
    .replace(/\b(?:GET|POST|PUT|DELETE) \/v1\/[a-z/]+/g, (route) => {
      const words = BY_ROUTE.get(route)
      return words === undefined ? route : `\`agentlink ${words}\``
    })
    .replace(/`agentlink ([^`]+)`/g, (whole, words: string) =>
      / --home\b/.test(words) ? whole : `\`${commandFor(words, chosen)}\``
    )
}

/** A word as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
