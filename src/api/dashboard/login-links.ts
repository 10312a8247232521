import { refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { isoOf } from '../../base/time.js'
import type { Logins } from './logins.js'

/** Makes a link that logs a browser in once. The secret stands in the fragment: it is in no request and in no log. */
export type LoginLinks = () => Result<{ readonly url: string; readonly expiresAt: string }>

const LOOPBACK_OFF = refusal(
  'unavailable',
  'the page needs loopback TCP; set api.tcp = true in the config and restart',
  {
    code: 'loopback_off'
  }
)

/** `urlOf`: the loopback URL of the node, when it listens there. Refuses with `loopback_off`. */
export function createLoginLinks(logins: Logins, urlOf: () => string | undefined): LoginLinks {
  return () => {
    const base = urlOf()
    if (base === undefined) return fail(LOOPBACK_OFF)
    const { token, expiresAt } = logins.link()
    return ok({ url: `${base}/dashboard/#login=${token}`, expiresAt: isoOf(expiresAt) })
  }
}
