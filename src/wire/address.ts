/** Addresses in cards: the few forms of multiaddr that a node may name. Source: protocols/identity.md, "Addresses". */
import { LIMITS } from './limits.js'

export interface Address {
  /** The text between the slashes that says where. */
  readonly host: string
  readonly family: 'ip4' | 'ip6' | 'dns' | 'dns4' | 'dns6'
  readonly port: number
  readonly transport: 'tcp' | 'ws'
  readonly peerId: string
}

const FORM = /^\/(ip4|ip6|dns|dns4|dns6)\/([^/]+)\/tcp\/([1-9][0-9]{0,4})(\/ws)?\/p2p\/([1-9A-HJ-NP-Za-km-z]+)$/
const OCTET = /^(?:0|[1-9][0-9]{0,2})$/
const GROUP = /^[0-9a-f]{1,4}$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NAME_LENGTH = 253
/** Suffixes that never leave a machine or a house (RFC 6761, 6762, 8375) and the reserved `.internal`. */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa']

/** Reads an address; undefined for every other form. */
export function parseAddress(text: string): Address | undefined {
  const parts = text.length <= LIMITS.addrLength ? FORM.exec(text) : null
  if (parts === null) return undefined
  const [, family, host, port, ws, peerId] = parts as unknown as [
    string,
    Address['family'],
    string,
    string,
    string?,
    string?
  ]
  if (Number(port) > 65_535 || !isHost(family, host)) return undefined
  return { host, family, port: Number(port), transport: ws === undefined ? 'tcp' : 'ws', peerId: peerId as string }
}

/**
 * Whether an address lies within a machine, a house or any range that is not plain public unicast. Such a one is dialled
 * only for contacts that the owner accepted. What is no address at all counts as private. A public name may still resolve
 * to a private address: whoever dials checks again.
 */
export function isPrivateAddr(addr: string): boolean {
  const address = parseAddress(addr)
  if (address === undefined) return true
  switch (address.family) {
    case 'ip4':
      return isPrivateIp4(readIp4(address.host) ?? [])
    case 'ip6':
      return isPrivateIp6(readIp6(address.host) ?? [])
    default:
      return isLocalName(address.host)
  }
}

/** Whether an IP address as text, without a zone, is private in the sense of `isPrivateAddr`. */
export function isPrivateIp(ip: string): boolean {
  const octets = readIp4(ip)
  return octets === undefined ? isPrivateIp6(readIp6(ip.toLowerCase()) ?? []) : isPrivateIp4(octets)
}

function isHost(family: Address['family'], host: string): boolean {
  if (family === 'ip4') return readIp4(host) !== undefined
  return family === 'ip6' ? readIp6(host) !== undefined : isName(host)
}

function isName(name: string): boolean {
  if (name.length > NAME_LENGTH) return false
  const labels = name.split('.')
  // A name that ends in a number is read as an IP address by many resolvers.
  return labels.every((label) => LABEL.test(label)) && !/^[0-9]+$/.test(labels.at(-1) as string)
}

function isLocalName(name: string): boolean {
  if (!name.includes('.')) return true
  return LOCAL_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

function readIp4(text: string): number[] | undefined {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)) return undefined
  return octets.map(Number)
}

/** Eight groups; RFC 4291 section 2.2 forms 1 and 2 in lower case. */
function readIp6(text: string): number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [front, back] = [readGroups(halves[0] as string), readGroups(halves[1] ?? '')]
  if (front === undefined || back === undefined) return undefined
  if (halves.length === 1) return front.length === 8 ? front : undefined
  const gap = 8 - front.length - back.length
  return gap < 1 ? undefined : [...front, ...new Array<number>(gap).fill(0), ...back]
}

function readGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => GROUP.test(group)) ? groups.map((group) => parseInt(group, 16)) : undefined
}

/** IPv4 blocks that are not globally reachable (IANA special-purpose registry), multicast and reserved: [first octets, bits]. */
const SPECIAL_IP4: ReadonlyArray<readonly [readonly [number, number, number, number], number]> = [
  [[0, 0, 0, 0], 8],
  [[10, 0, 0, 0], 8],
  [[100, 64, 0, 0], 10],
  [[127, 0, 0, 0], 8],
  [[169, 254, 0, 0], 16],
  [[172, 16, 0, 0], 12],
  [[192, 0, 0, 0], 24],
  [[192, 0, 2, 0], 24],
  [[192, 168, 0, 0], 16],
  [[198, 18, 0, 0], 15],
  [[198, 51, 100, 0], 24],
  [[203, 0, 113, 0], 24],
  [[224, 0, 0, 0], 3]
]

function isPrivateIp4(octets: readonly number[]): boolean {
  if (octets.length !== 4) return true
  const address = asNumber(octets)
  return SPECIAL_IP4.some(([base, bits]) => address >>> (32 - bits) === asNumber(base) >>> (32 - bits))
}

function asNumber(octets: readonly number[]): number {
  return octets.reduce((sum, octet) => sum * 256 + octet, 0)
}

/** Only 2000::/3 is public unicast; within it, documentation and what wraps a private IPv4 address is not. */
function isPrivateIp6(groups: readonly number[]): boolean {
  if (groups.length !== 8) return true
  const [first, second] = groups as unknown as [number, number]
  if (first === 0x64 && second === 0xff9b && groups.slice(2, 6).every((group) => group === 0))
    return isPrivateTail(groups, 6)
  if (first >>> 13 !== 1) return true
  if (first === 0x2002) return isPrivateTail(groups, 1)
  // 2001::/23 is set aside for protocols (Teredo among them), 2001:db8::/32 and 3fff::/20 for documentation.
  return (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || (first === 0x3fff && second < 0x1000)
}

/** Whether the IPv4 address in two groups from `at` is private. */
function isPrivateTail(groups: readonly number[], at: number): boolean {
  const [high, low] = [groups[at] as number, groups[at + 1] as number]
  return isPrivateIp4([high >>> 8, high & 0xff, low >>> 8, low & 0xff])
}
