import type { Context } from './context.js'
import { CommandFailure, EXIT } from './failure.js'

/**
 * One rule for commands that take away what the owner can't simply put back: they are done on the owner's word alone,
 * typed at a terminal or said as `--yes`. Where no person is at the terminal nothing is taken for a yes.
 */

export interface ConsentFlags {
  readonly yes?: true
}

interface Doubt {
  readonly question: string
  /** The whole sentence for who said no, or could not be asked. */
  readonly undone: string
  /** What `--json` prints then. */
  readonly answer?: object
}

/** @throws CommandFailure (exit code 1) when there is no yes */
export async function insistOnYes({ terminal }: Context, flags: ConsentFlags, doubt: Doubt): Promise<void> {
  if (flags.yes === true) return
  const word = await terminal.ask?.(`${doubt.question} Type yes: `)
  if (word?.trim() !== 'yes') throw new CommandFailure(EXIT.refused, doubt.undone, doubt.answer)
}
