import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { BASH_COMPLETION } from '../bash-completion.js'
import type { Context } from '../context.js'

/**
 * `agentlink completion SHELL`: what a shell needs to complete commands, options and their choices. It comes last: it reads
 * the commands that are there.
 */
export function addCompletion(program: Command, context: Context): void {
  const offers = tab(program, { completionCommandName: 'completion' })
  program.commands
    .find((command) => command.name() === 'completion')
    ?.summary('let your shell complete commands')
    .description('Prints the script by which a shell completes commands, options and their choices.')
    .addHelpText(
      'after',
      `
Examples:
  source <(agentlink completion bash)
  agentlink completion bash > ~/.local/share/bash-completion/completions/agentlink
  agentlink completion zsh > "\${fpath[1]}/_agentlink"
  agentlink completion fish > ~/.config/fish/completions/agentlink.fish`
    )
    .action((shell: string) => {
      if (shell === 'bash') context.terminal.out(BASH_COMPLETION)
      else offers.setup(program.name(), program.name(), shell)
    })
  for (const [path, offered] of offers.commands) {
    offered.description = summaryOf(program, path.split(' ')) ?? offered.description
  }
}

/** What is said beside an offer stands on one line. */
function summaryOf(program: Command, path: readonly string[]): string | undefined {
  const command = path.reduce<Command | undefined>(
    (group, name) => group?.commands.find((one) => one.name() === name),
    program
  )
  return command?.summary()
}
