import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The Chromium of this machine: Debian's package `chromium`, or what AGENTLINK_CHROMIUM names. */

const PROGRAM = process.env['AGENTLINK_CHROMIUM'] ?? '/usr/bin/chromium'
/** Nothing of its own may go out, not even for a new version of itself: what a page asks for is all that there is. */
const QUIET = [
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  ...['--disable-quic', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  // Its sandbox does not start for root, as whom machines that test run.
  '--no-sandbox'
]

/** Why there is none, and what helps; undefined when there is one. */
export function missingChromium(): string | undefined {
  if (existsSync(PROGRAM)) return undefined
  return `there is no Chromium at ${PROGRAM} (Debian: chromium; another place: AGENTLINK_CHROMIUM)`
}

export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: QUIET })
}
