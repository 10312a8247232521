import { existsSync, readdirSync } from 'node:fs'
import type { HomePaths } from '../../api/home.js'
import { visible } from '../../base/visible.js'
import { CommandFailure, EXIT, noHome } from './failure.js'

/** No agent of that name is in the home: what to say depends on whether there is a home, and whom it has. */
export function noAgent(paths: HomePaths, name: string): CommandFailure {
  const here = agentsIn(paths)
  if (here.length === 0) return noHome(paths.home)
  const known = here.map(visible).join(', ')
  return new CommandFailure(
    EXIT.home,
    `no agent in ${paths.home} is called ${visible(name)}; there is ${known}. Another one: \`agentlink agent add NAME\``
  )
}

function agentsIn(paths: HomePaths): string[] {
  if (!existsSync(paths.agents)) return []
  return readdirSync(paths.agents)
    .filter((name) => existsSync(paths.agent(name).token))
    .sort()
}
