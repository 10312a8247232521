import type { Command } from 'commander'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import type { Finding } from '../launch.js'

/** `agentlink doctor`. */
export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .summary('find out what is wrong, and what to do')
    .description(
      'Looks at program, home, settings, keys, store, disk, clock, ports, node, contacts and chain, whether the node runs or not, ' +
        'and says what to do about each finding. Exits 1 when something fails.'
    )
    .addHelpText(
      'after',
      `\nExamples:\n  agentlink doctor\n  agentlink doctor --json | jq '.findings[] | select(.state != "ok")'`
    )
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const findings = await context.launch.doctor(run.home)
      const healthy = findings.every(({ state }) => state !== 'fail')
      const answer = { home: run.home, healthy, findings }
      if (healthy) return run.print(answer, () => run.worded(textOf(findings, run)))
      if (!run.json) context.terminal.out(run.worded(textOf(findings, run)))
      throw new CommandFailure(EXIT.refused, 'something is wrong with this node; what to do is in the list', answer)
    })
}

function textOf(findings: readonly Finding[], run: Run): string {
  const rows = findings.map(({ check, state, found, advice }) => [
    state,
    check,
    advice === undefined ? found : `${found}; ${advice}`
  ])
  return run.table(['', 'check', 'found'], rows)
}
