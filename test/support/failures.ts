import { CommandFailure, type ExitCode } from '../../src/clients/cli/failure.js'

/** The CommandFailure that `work` throws or rejects with. Anything else is a failure of the test. */
async function failureOf(work: () => unknown): Promise<CommandFailure> {
  try {
    await work()
  } catch (error) {
    if (error instanceof CommandFailure) return error
    throw error
  }
  throw new Error('it was expected to fail')
}

/** `[exit code, message]` of a failure. */
export async function said(work: () => unknown): Promise<readonly [ExitCode, string]> {
  const failure = await failureOf(work)
  return [failure.exitCode, failure.message]
}
