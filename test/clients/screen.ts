import type { Launch } from '../../src/clients/cli/launch.js'
import { runCommand } from '../../src/clients/cli/run.js'
import type { Terminal } from '../../src/clients/cli/terminal.js'

export interface Shown {
  readonly code: number
  readonly out: string
  readonly err: string
}

export const NOTHING_TO_LAUNCH: Launch = {
  init: () => Promise.reject(new Error('this test has no node to make')),
  doctor: () => Promise.reject(new Error('this test has no home to look at')),
  backup: () => Promise.reject(new Error('this test has no home to keep')),
  verifyBackup: () => Promise.reject(new Error('this test has no backup')),
  restore: () => Promise.reject(new Error('this test has no backup to restore')),
  repair: () => Promise.reject(new Error('this test has no home to mend')),
  start: () => Promise.reject(new Error('this test has no node to start')),
  verifyTranscript: () => Promise.reject(new Error('this test has no transcript')),
  wallet: () => Promise.reject(new Error('this test has no wallet')),
  localnet: () => Promise.reject(new Error('this test has no chain'))
}

/** Runs `agentlink …words` in this process on a screen of its own. */
export async function agentlink(
  words: readonly string[],
  given: {
    readonly stdin?: string
    readonly environment?: NodeJS.ProcessEnv
    readonly launch?: Launch
    readonly columns?: number
    /** What a person types at each question; absent: nobody is there. */
    readonly types?: string
  } = {}
): Promise<Shown> {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    readInput: () => Promise.resolve(given.stdin ?? ''),
    interactive: false,
    ...(given.types === undefined ? {} : { ask: askFrom(err, given.types) }),
    ...(given.columns === undefined ? {} : { columns: given.columns }),
    environment: given.environment ?? {},
    left: new AbortController().signal
  }
  const code = await runCommand(words, given.launch ?? NOTHING_TO_LAUNCH, terminal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

function askFrom(err: string[], typed: string): NonNullable<Terminal['ask']> {
  return (question) => {
    err.push(question)
    return Promise.resolve(typed)
  }
}
