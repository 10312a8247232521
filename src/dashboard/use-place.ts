import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Place, placeIn } from './words/place.js'

/** Where the owner is, as it changes. */
export function usePlace(): Place {
  const [hash, setHash] = useState(window.location.hash)
  useEffect(() => {
    const moved = () => setHash(window.location.hash)
    window.addEventListener('hashchange', moved)
    // The owner may have moved on since the page was first drawn, while nobody listened.
    moved()
    return () => window.removeEventListener('hashchange', moved)
  }, [])
  return useMemo(() => placeIn(hash), [hash])
}
