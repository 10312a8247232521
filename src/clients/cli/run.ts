import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { CommandFailure, EXIT, type ExitCode } from './failure.js'
import { inCommands } from './hints.js'
import { asJson } from './json.js'
import type { Launch } from './launch.js'
import { createProgram } from './program.js'
import { processTerminal, type Terminal } from './terminal.js'

/**
 * Runs one command and returns its exit code. `argv` is what follows the program's name. With `--json` stdout holds one
 * line of JSON whatever happens: the answer, or `{"error":{"code","message","details"}}`; a sentence goes to stderr.
 */
export async function runCommand(
  argv: readonly string[],
  launch: Launch,
  terminal: Terminal = processTerminal()
): Promise<ExitCode> {
  const program = createProgram({ launch, terminal }, versionOf())
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return EXIT.done
  } catch (error) {
    if (error instanceof CommanderError) return usageCode(error, argv, terminal)
    const failure = failureOf(error)
    if (argv.includes('--json')) terminal.out(asJson(failure.answer))
    terminal.err(`agentlink: ${inCommands(failure.message, program.opts())}`)
    return failure.exitCode
  }
}

/** The parser has told the person already; help and version come this way too, with code 0. */
function usageCode(error: CommanderError, argv: readonly string[], terminal: Terminal): ExitCode {
  if (error.exitCode === 0) return EXIT.done
  const message = error.message.replace(/^error: /, '')
  if (argv.includes('--json')) terminal.out(asJson({ error: { code: 'usage', message, details: {} } }))
  return EXIT.usage
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error
  const problem = error as NodeJS.ErrnoException
  if (problem.code === 'ENOTDIR') {
    return new CommandFailure(EXIT.home, `not a directory: ${problem.path ?? problem.message}; choose another home`)
  }
  if (problem.code === 'EACCES' || problem.code === 'EPERM') {
    return new CommandFailure(EXIT.home, `not allowed: ${problem.message}; run as the owner of the home`)
  }
  // What we did not foresee is our fault: the stack is what a report needs.
  return new CommandFailure(EXIT.refused, `internal fault: ${problem.stack ?? String(error)}`)
}

function versionOf(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
