import type { Refusal } from '../base/refusal.js'
import { Button } from './parts/basics.js'
import { Mark } from './parts/mark.js'

interface SignedOutProps {
  readonly session: { readonly refusal?: Refusal; readonly left?: true }
  readonly again: () => void
}

/** What stands here without a session: how to get one. */
export function SignedOut({ session, again }: SignedOutProps) {
  const { refusal, left } = session
  const down = refusal !== undefined && refusal.code !== 'unauthorized'
  const title = left === true ? 'You have signed out' : down ? 'Your node does not answer' : 'Sign in to your node'
  return (
    <main class="door">
      <div class="card door-card">
        <Mark />
        <h1>{title}</h1>
        {down ? (
          <p>
            Start it with <code>agentlink start</code>, then try again.
          </p>
        ) : (
          <p>
            On the machine that your node runs on, run <code>agentlink dashboard</code>. It opens this page with a link
            that works once, for two minutes.
          </p>
        )}
        <p class="small">This page has no password: whoever may run commands as you may make a link.</p>
        <Button kind="main" onClick={again}>
          Try again
        </Button>
      </div>
    </main>
  )
}
