import { play } from './cast.js'

/** `npm run demo`. Exits with 0 only if everything came out as it has to. */
await play(() => Promise.resolve())
