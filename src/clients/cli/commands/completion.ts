import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/**
 * `agentlink completion SHELL`: what a shell needs to complete commands, options and their choices. It comes last: it reads
 * the commands that are there.
 */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
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
}
