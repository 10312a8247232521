import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '../../api/client.js'
import { refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'

/**
 * The line to an agent's own socket, all that is in the agent's directory: `token` and `agent.sock`. The token is read
 * anew for each call, so that a changed one needs no restart.
 */
export interface NodeLine {
  /** Refuses with `unavailable` when the token can't be read. */
  open(): Result<Client>
  close(): void
}

export function createNodeLine(directory: string): NodeLine {
  let current: { readonly token: string; readonly client: Client } | undefined
  return {
    open() {
      const token = readToken(join(directory, 'token'))
      if (!token.ok) return token
      if (current?.token !== token.value) {
        current?.client.close()
        const client = createClient({ socketPath: join(directory, 'agent.sock'), token: token.value })
        current = { token: token.value, client }
      }
      return ok(current.client)
    },
    close: () => current?.client.close()
  }
}

function readToken(path: string): Result<string> {
  try {
    return ok(readFileSync(path, 'utf8').trim())
  } catch (error) {
    return fail(refusal('unavailable', `the agent's token can't be read: ${(error as NodeJS.ErrnoException).code}`))
  }
}
