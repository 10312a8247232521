import type { IncomingMessage } from 'node:http'
import { type DetailCode, type Refusal, refusal } from '../base/refusal.js'

/**
 * What a request over loopback TCP must look like before anything else is read. A web page in the owner's browser can
 * reach this port, and a name of its own can be made to point here; so only our exact names pass, and no foreign page.
 */

export type Gate = (request: IncomingMessage) => Refusal | undefined

/** The gate of a listener: exact `Host` with port, `Origin` absent or ours, `Sec-Fetch-Site` absent, own or typed. */
export function loopbackGate(host: '127.0.0.1' | '::1', port: number): Gate {
  const hosts = new Set([`${host === '::1' ? '[::1]' : host}:${port}`, `localhost:${port}`])
  const origins = new Set([...hosts].map((name) => `http://${name}`))
  const sites = new Set(['same-origin', 'none'])
  return (request) => {
    const { host: named, origin, 'sec-fetch-site': site } = request.headersDistinct
    if (named?.length !== 1 || !hosts.has(named[0] as string)) {
      return foreign('foreign_host', `the Host header must be ${[...hosts].join(' or ')}`)
    }
    if (origin !== undefined && (origin.length !== 1 || !origins.has(origin[0] as string))) {
      return foreign('foreign_origin', 'pages of other origins may not call this node')
    }
    if (site !== undefined && !isLedHere(request) && (site.length !== 1 || !sites.has(site[0] as string))) {
      return foreign('foreign_origin', 'pages of other sites may not call this node')
    }
    return undefined
  }
}

/** The front page of the owner shows nothing by itself: whatever leads a browser there (a chat, a file) may. */
function isLedHere({ method, url, headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  return method === 'GET' && url === '/dashboard/' && mode === 'navigate' && dest === 'document'
}

function foreign(code: DetailCode, message: string): Refusal {
  return refusal('policy_denied', message, { code })
}
