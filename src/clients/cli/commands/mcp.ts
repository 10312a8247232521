import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { SOCKET_PATH_BYTES, homePaths } from '../../../api/home.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { noAgent } from '../no-agent.js'

/** `agentlink mcp`: an agent's tools for a program that speaks the Model Context Protocol. */
export function addMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .summary("serve your agent's tools over MCP (stdio)")
    .description(
      "Serves an agent's tools over the Model Context Protocol on stdin and stdout, for the program that the agent runs in.\n" +
        "It needs the agent's directory alone (token and agent.sock), and starts whether or not the node runs."
    )
    .option('--agent-dir <directory>', "the agent's directory (default: agents/NAME in the home)")
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink mcp\n  agentlink mcp --home ~/work --agent research\n  agentlink mcp --agent-dir ~/.local/share/agentlink/agents/default'
    )
    .action(async (flags: { readonly agentDir?: string }, self: Command) => {
      const run = runOf(context, self)
      const directory = flags.agentDir === undefined ? directoryInHome(run) : directorySaid(flags.agentDir)
      checkSocketPath(directory)
      const complain = (text: string): void => context.terminal.err(`agentlink mcp: ${text}`)
      const { serveMcp } = await import('../../mcp/serve.js')
      await serveMcp({ directory, version: program.version() ?? '', complain })
    })
}

function directoryInHome(run: Run): string {
  const paths = homePaths(run.home)
  const { directory, token } = paths.agent(run.agentName)
  if (!existsSync(token)) throw noAgent(paths, run.agentName)
  return directory
}

function directorySaid(flag: string): string {
  if (flag === '') throw new CommandFailure(EXIT.usage, '--agent-dir is empty; say a directory, or leave it out')
  const directory = resolve(flag)
  if (existsSync(join(directory, 'token'))) return directory
  throw new CommandFailure(
    EXIT.home,
    `no agent in ${directory}: it has no token. --agent-dir is the directory agents/NAME of a home; or say --home and --agent`
  )
}

function checkSocketPath(directory: string): void {
  const excess = Buffer.byteLength(join(directory, 'agent.sock')) - SOCKET_PATH_BYTES
  if (excess <= 0) return
  throw new CommandFailure(EXIT.home, `the path of agent.sock in ${directory} is ${excess} bytes too long for a socket`)
}
