import type { RefusalCode } from '../../base/refusal.js'

/** How a command fails: its exit codes, and the sentences that several commands say. */

/** Exit codes of `agentlink`; `agentlink --help` prints this table. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notRunning: 3,
  alreadyRunning: 4,
  home: 5
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_MEANING: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.refused]: 'the node refused, or the command failed; the reason is on stderr',
  [EXIT.usage]: 'wrong arguments, environment or configuration; nothing was done',
  [EXIT.notRunning]: 'no node is running on this home',
  [EXIT.alreadyRunning]: 'a node is already running on this home',
  [EXIT.home]: 'the home is missing, unfinished, or not safe to use (file modes)'
}

/**
 * A command that can't go on: a sentence for the person, and the exit code. Printed without a stack; commands in backticks
 * get the options of the run.
 */
export class CommandFailure extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** What `--json` prints on stdout; the shape of the API's errors when nothing else is said. */
    readonly answer: unknown = { error: { code: 'failed', message, details: {} } }
  ) {
    super(message)
    this.name = 'CommandFailure'
  }
}

/** Whether the node refused with this code. */
export function isRefused(error: unknown, code: RefusalCode): boolean {
  const answer = error instanceof CommandFailure ? (error.answer as { error?: { code?: unknown } }) : {}
  return answer.error?.code === code
}

/** There is no home at this path. */
export function noHome(home: string): CommandFailure {
  return new CommandFailure(EXIT.home, `no AgentLink home at ${home}; make one with: \`agentlink init\``)
}
