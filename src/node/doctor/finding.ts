import { CommandFailure } from '../../clients/cli/failure.js'
import type { Finding } from '../../clients/cli/launch.js'

/** The sentences of a CommandFailure say what to do after their last semicolon. */
export function failed(check: Finding['check'], error: unknown): Finding {
  const message = (error as Error).message
  if (!(error instanceof CommandFailure)) return { check, state: 'fail', found: message }
  const [found = message, ...advice] = message.split('; ')
  return { check, state: 'fail', found, ...(advice.length === 0 ? {} : { advice: advice.join('; ') }) }
}
