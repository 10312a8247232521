import { useEffect, useState } from 'preact/hooks'
import { type Place, placeIn } from './words/place.js'

/** Where the owner is, as it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeIn(window.location.hash))
  useEffect(() => {
    const moved = () => setPlace(placeIn(window.location.hash))
    window.addEventListener('hashchange', moved)
    return () => window.removeEventListener('hashchange', moved)
  }, [])
  return place
}
