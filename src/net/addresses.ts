import { lookup } from 'node:dns/promises'
import { isIP, isIPv4 } from 'node:net'
import type { Target } from '../flows/ports.js'
import { isPrivateAddr, isPrivateIp, parseAddress } from '../wire/address.js'
import { LIMITS } from '../wire/limits.js'

/**
 * Which of a card's addresses may be dialled, which of our own are worth publishing, and by what an address is counted.
 * Their form is fixed in protocols/identity.md, "Addresses".
 */

/** Looks a name up. `family` 0 = both. */
export type Resolve = (host: string, family: 0 | 4 | 6) => Promise<ReadonlyArray<{ address: string; family: number }>>

const resolveBySystem: Resolve = (host, family) => lookup(host, { all: true, family })

/**
 * What limits per address count by: the IPv4 address, or the /64 of an IPv6 address, because that is what one household
 * or one rented machine gets. `addr` is a multiaddr in text.
 */
export function addressKey(addr: string): string {
  const host = hostOf(addr)
  if (isIP(host) !== 6) return host
  const groups = groupsOf(host)
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return mapped ? asIp4(groups) : `${groups.slice(0, 4).join(':')}::/64`
}

/** The addresses of `target` that may be dialled, each ending in its peer id; at most as many as a card may hold. */
export async function dialable(target: Target, resolve: Resolve = resolveBySystem): Promise<string[]> {
  const wanted = target.addrs.filter((addr) => parseAddress(addr)?.peerId === target.peerId).slice(0, LIMITS.cardAddrs)
  if (target.allowPrivate) return wanted
  const found = await Promise.all(
    wanted.filter((addr) => !isPrivateAddr(addr)).map((addr) => publicOnly(addr, resolve))
  )
  return found.flat().slice(0, LIMITS.cardAddrs)
}

// A public name may answer with a private address, and then we would knock at doors inside the owner's network. So the
// name is looked up here, and what is dialled is the answer.
async function publicOnly(addr: string, resolve: Resolve): Promise<string[]> {
  const [, kind, host = '', ...rest] = addr.split('/')
  if (kind === 'ip4' || kind === 'ip6') return [addr]
  const answers = await resolve(host, kind === 'dns4' ? 4 : kind === 'dns6' ? 6 : 0).catch(() => [])
  return answers
    .filter((answer) => !isPrivateIp(answer.address))
    .map((answer) => `/ip${answer.family}/${answer.address}/${rest.join('/')}`)
}

/** Of the addresses that this node has, those that belong into a card: the most widely reachable first. */
export function cardAddresses(addrs: readonly string[]): string[] {
  const known = [...new Set(addrs)].filter((addr) => parseAddress(addr) !== undefined)
  const open = known.filter((addr) => !isPrivateAddr(addr))
  const house = known.filter((addr) => isPrivateAddr(addr) && !isLoopback(addr))
  // Loopback is of use to nobody else, unless it is all there is (two nodes on one machine).
  const useful = [...open, ...house]
  return (useful.length > 0 ? useful : known).slice(0, LIMITS.cardAddrs)
}

function hostOf(addr: string): string {
  return addr.split('/')[2] ?? ''
}

function isLoopback(addr: string): boolean {
  const host = hostOf(addr)
  return isIPv4(host) ? host.startsWith('127.') : isIP(host) === 6 && groupsOf(host).join(':') === '0:0:0:0:0:0:0:1'
}

/** The eight groups of an IPv6 address, lower-case hex without leading zeros. */
function groupsOf(ip: string): string[] {
  const plain = ip.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const pair = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16)
    return `${pair(a, b)}:${pair(c, d)}`
  })
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return [...front, ...middle, ...back].map((group) => parseInt(group, 16).toString(16))
}

function asIp4(groups: readonly string[]): string {
  const [high = 0, low = 0] = groups.slice(6).map((group) => parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
