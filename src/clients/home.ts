import { resolve } from 'node:path'
import envPaths from 'env-paths'

/**
 * Which home a command speaks of: `--home`, else `AGENTLINK_HOME`, else the system's place for a program's own files
 * (Linux: `$XDG_DATA_HOME/agentlink` or `~/.local/share/agentlink`). Always absolute.
 */
export function chooseHome(flag: string | undefined, environment: NodeJS.ProcessEnv): string {
  const said = flag ?? environment['AGENTLINK_HOME']
  if (said !== undefined && said !== '') return resolve(said)
  return envPaths('agentlink', { suffix: '' }).data
}
