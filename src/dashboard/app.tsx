import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Refusal } from '../base/refusal.js'
import { closeSession, openSession, takeLoginToken } from './client/session.js'
import { Opening } from './parts/states.js'
import { Room } from './room.js'
import { SignedOut } from './signed-out.js'

type Session =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly csrf: string }
  /** `refusal`: why it could not be opened; absent after the owner left, or when there was none. */
  | { readonly state: 'none'; readonly refusal?: Refusal; readonly left?: true }

/** The page as a whole: a session, or how to get one. */
export function App() {
  const [session, setSession] = useState<Session>({ state: 'opening' })

  const open = useCallback((token: string | undefined) => {
    setSession({ state: 'opening' })
    void openSession(token).then((answer) => {
      setSession(answer.ok ? { state: 'open', csrf: answer.value } : { state: 'none', refusal: answer.refusal })
    })
  }, [])

  useEffect(() => {
    open(takeLoginToken())
    // A link that is opened where the page is open already changes nothing but the address.
    const linked = () => {
      const token = takeLoginToken()
      if (token !== undefined) open(token)
    }
    window.addEventListener('hashchange', linked)
    return () => window.removeEventListener('hashchange', linked)
  }, [open])

  const ended = useCallback(() => setSession({ state: 'none' }), [])

  if (session.state === 'opening') return <Opening />
  if (session.state === 'none') return <SignedOut session={session} again={() => open(undefined)} />
  const { csrf } = session
  const leave = () => void closeSession(csrf).then(() => setSession({ state: 'none', left: true }))
  return <Room key={csrf} csrf={csrf} ended={ended} leave={leave} />
}
