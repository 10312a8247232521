import type { Command } from 'commander'
import { DEFAULT_AGENT } from '../../api/home.js'
import { chooseHome } from '../home.js'
import { CommandFailure, EXIT } from './failure.js'
import { commandFor, inCommands } from './hints.js'
import { asJson } from './json.js'
import type { Launch } from './launch.js'
import { openSession, type Session } from './session.js'
import { table } from './table.js'
import type { Terminal } from './terminal.js'

/** What every command is given. */
export interface Context {
  readonly launch: Launch
  readonly terminal: Terminal
}

/** Options that every command takes, as given. */
interface CommonOptions {
  readonly home?: string
  readonly json?: true
  readonly agent?: string
}

/** One run of one command: its common options, resolved, and the way to answer. */
export interface Run {
  /** Absolute path of the home. */
  readonly home: string
  readonly json: boolean
  /** `{agent}` when `--agent` was given: owner routes else take the node's only agent. */
  readonly pick: { readonly agent?: string }
  /** Name of the agent whose token agent routes use. */
  readonly agentName: string
  readonly session: Session
  /** A command to run next, on the same home and agent: `words` follow the program's name. */
  command(words: string): string
  /** A sentence whose commands in backticks reach the same home and agent. */
  worded(sentence: string): string
  /** Rows under headings, as wide as the window is. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): string
  /** Prints the answer: `value` for programs, what `text` makes of it for people. */
  print(value: unknown, text: () => string | Promise<string>): Promise<void>
}

/**
 * Reads the common options of the command that is being run.
 * @throws CommandFailure (exit code 2) on an empty `--home`: a script's unset variable must not mean the owner's real home
 */
export function runOf(context: Context, command: Command): Run {
  const options = command.optsWithGlobals<CommonOptions>()
  if (options.home === '') throw new CommandFailure(EXIT.usage, '--home is empty; say a directory, or leave it out')
  const home = chooseHome(options.home, context.terminal.environment)
  const json = options.json === true
  return {
    home,
    json,
    pick: options.agent === undefined ? {} : { agent: options.agent },
    agentName: options.agent ?? DEFAULT_AGENT,
    session: openSession(home),
    command: (words) => commandFor(words, options),
    worded: (sentence) => inCommands(sentence, options),
    table: (headings, rows) => table(headings, rows, context.terminal.columns),
    async print(value, text) {
      context.terminal.out(json ? asJson(value) : await text())
    }
  }
}
