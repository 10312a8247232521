import type { Refusal } from '../base/refusal.js'
import { Button } from './parts/basics.js'
import { Mark } from './parts/mark.js'

interface SignedOutProps {
  readonly session: { readonly refusal?: Refusal; readonly left?: true }
  readonly again: () => void
}

/** What stands here without a session: how to get one. */
export function SignedOut({ session, again }: SignedOutProps) {
  const down = isDown(session.refusal)
  return (
    <main class="door">
      <div class="card door-card">
        <Mark />
        <h1>{titleOf(session)}</h1>
        {down ? (
          <p>
            Start it with <code>agentlink start</code>, then try again. If it runs, <code>agentlink dashboard</code>{' '}
            opens its page where it is now.
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

function titleOf({ refusal, left }: SignedOutProps['session']): string {
  if (left === true) return 'You have signed out'
  if (isDown(refusal)) return 'Your node does not answer'
  return refusal?.details.code === 'login_link_invalid'
    ? 'This link has been used, or is too old'
    : 'Sign in to your node'
}

function isDown(refusal: Refusal | undefined): boolean {
  return refusal !== undefined && refusal.code !== 'unauthorized'
}
