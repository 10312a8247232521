import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { SOCKET_PATH_BYTES, homePaths } from '../../../api/home.js'
import { type Context, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'

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
      '\nExamples:\n  agentlink mcp\n  agentlink mcp --agent-dir ~/.local/share/agentlink/agents/default'
    )
    .action(async (flags: { readonly agentDir?: string }, self: Command) => {
      const run = runOf(context, self)
      const directory = directoryOf(flags.agentDir, () => homePaths(run.home).agent(run.agentName).directory)
      const complain = (text: string): void => context.terminal.err(`agentlink mcp: ${text}`)
      const { serveMcp } = await import('../../mcp/serve.js')
      await serveMcp({ directory, version: program.version() ?? '', complain })
    })
}

function directoryOf(flag: string | undefined, inHome: () => string): string {
  if (flag === '') throw new CommandFailure(EXIT.usage, '--agent-dir is empty; say a directory, or leave it out')
  const directory = flag === undefined ? inHome() : resolve(flag)
  if (!existsSync(join(directory, 'token'))) {
    throw new CommandFailure(
      EXIT.home,
      `no agent in ${directory}: it has no token; say the home with --home, or the agent's own directory with --agent-dir`
    )
  }
  const bytes = Buffer.byteLength(join(directory, 'agent.sock'))
  if (bytes <= SOCKET_PATH_BYTES) return directory
  const excess = bytes - SOCKET_PATH_BYTES
  throw new CommandFailure(EXIT.home, `the path of agent.sock in ${directory} is ${excess} bytes too long for a socket`)
}
