import type { HomePaths } from '../../api/home.js'
import type { Finding } from '../../clients/cli/launch.js'
import { openSession, readRunFile, type Session } from '../../clients/cli/session.js'
import { verifyLog } from '../../clients/cli/verify-log.js'
import { failed } from './finding.js'
import { clockAfter } from './state.js'

/** A node that runs, as it tells of itself. */
export async function lookAtNode(paths: HomePaths): Promise<Finding[]> {
  const session = openSession(paths.home)
  try {
    const status = await session.owner('owner.status.read')
    const { active, connected } = status.contacts
    const pid = readRunFile(paths)?.pid
    return [
      { check: 'node', state: 'ok', found: `it runs${pid === undefined ? '' : `, process ${pid}`}` },
      lookAtAddresses(status.addrs),
      lookAtContacts(active, connected, status.undelivered),
      ...(await lookAtLog(session))
    ]
  } catch (error) {
    return [failed('node', error)]
  }
}

/** It audited its store when it started; what can be held against itself from outside is the log. */
async function lookAtLog(session: Session): Promise<Finding[]> {
  try {
    const { seq } = await verifyLog(session, undefined)
    const newest = await session.owner('owner.audit.list', { query: { limit: 1 } })
    const found = `whole when it started; its audit log of ${seq} entries holds`
    return [{ check: 'store', state: 'ok', found }, clockAfter(newest.items[0]?.at)]
  } catch (error) {
    return [failed('store', error)]
  }
}

function lookAtAddresses(addrs: readonly string[]): Finding {
  if (addrs.length === 0) {
    return { check: 'ports', state: 'fail', found: 'it listens nowhere', advice: 'say a place in net.listen' }
  }
  const found = addrs.join(', ')
  if (addrs.every(isLoopback)) return { check: 'ports', state: 'ok', found: `${found}, for this machine alone` }
  if (!addrs.every(isLocal)) return { check: 'ports', state: 'ok', found }
  const advice = 'contacts elsewhere reach it only by an address in net.announce, such as a forwarded port'
  return { check: 'ports', state: 'warn', found, advice }
}

/** Loopback, private and link-local addresses. */
const LOCAL =
  /^\/ip4\/(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.|^\/ip6\/(?:::1|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/

function isLoopback(address: string): boolean {
  return /^\/ip4\/127\.|^\/ip6\/::1\//.test(address)
}

function isLocal(address: string): boolean {
  return LOCAL.test(address)
}

function lookAtContacts(active: number, connected: number, undelivered: number): Finding {
  const found = `${connected} of ${active} connected, ${undelivered} messages undelivered`
  if (connected === active || undelivered === 0) return { check: 'contacts', state: 'ok', found }
  const advice = 'they leave when those contacts are reached; `agentlink contact list` shows which are not'
  return { check: 'contacts', state: 'warn', found, advice }
}
