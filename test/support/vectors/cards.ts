/** Cases for cards: opening, and which card replaces which. */
import { toHex, toUtf8 } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import type { Json } from '../../../src/base/json.js'
import { CARD_NODE_PURPOSE, CARD_PURPOSE } from '../../../src/wire/card.js'
import type { Signer } from '../../../src/wire/ed25519.js'
import { sealEnvelope } from '../../../src/wire/signed-envelope.js'
import type { VectorCase } from './form.js'
import { AT, alice, aliceNode, bob, bobNode, mallory } from './people.js'

export const about =
  'Cards (identity.md). op open: bytes (hex) are opened; card is what stands in it. op replaces: whether card next may take the place of old. Signers: alice seed 01, her node seed 11, each 32 times.'

const HOME = `/ip4/192.168.1.20/tcp/4001/p2p/${aliceNode.peerId}`

export const CARD = {
  agent: alice.id,
  handle: '@alice',
  peerId: aliceNode.peerId,
  addrs: [HOME, `/dns4/alice.example.org/tcp/443/ws/p2p/${aliceNode.peerId}`],
  seq: 7,
  at: AT
}

interface Signers {
  readonly agent?: Signer
  readonly node?: Signer
  readonly domain?: string
  readonly nodeDomain?: string
}

export function sign(text: string, by: Signers = {}): Uint8Array {
  const inner = sealEnvelope(
    by.agent ?? alice.signer,
    by.domain ?? CARD_PURPOSE.domain,
    CARD_PURPOSE.payloadType,
    toUtf8(text)
  )
  return sealEnvelope(
    by.node ?? aliceNode.signer,
    by.nodeDomain ?? CARD_NODE_PURPOSE.domain,
    CARD_NODE_PURPOSE.payloadType,
    inner
  )
}

function takes(name: string, over: Readonly<Record<string, Json>>): VectorCase {
  const card = { ...CARD, ...over }
  return { name, op: 'open', bytes: toHex(sign(canonicalText(card))), card }
}

function refuses(
  name: string,
  over: Readonly<Record<string, Json | undefined>>,
  refused = 'malformed_card',
  by: Signers = {}
): VectorCase {
  const members = Object.entries({ ...CARD, ...over }).filter(([, value]) => value !== undefined)
  return { name, op: 'open', bytes: toHex(sign(canonicalText(Object.fromEntries(members) as Json), by)), refused }
}

function address(name: string, addr: string): VectorCase {
  return refuses(`address: ${name}`, { addrs: [addr] })
}

function addressCases(): VectorCase[] {
  const peer = `/p2p/${aliceNode.peerId}`
  const good = [
    `/ip4/203.0.113.7/tcp/1${peer}`,
    `/ip6/2001:db8::1/tcp/65535${peer}`,
    `/ip6/::/tcp/4001${peer}`,
    `/dns/a-b.example/tcp/80/ws${peer}`,
    `/dns6/xn--bcher-kva.example/tcp/443${peer}`
  ]
  return [
    takes('every form of address', { addrs: good }),
    address('no peer id', '/ip4/203.0.113.7/tcp/4001'),
    address('another node', `/ip4/203.0.113.7/tcp/4001/p2p/${bobNode.peerId}`),
    address('UDP', `/ip4/203.0.113.7/udp/4001/quic-v1${peer}`),
    address('a relay', `/ip4/203.0.113.7/tcp/4001${peer}/p2p-circuit${peer}`),
    address('TLS', `/dns4/alice.example.org/tcp/443/wss${peer}`),
    address('a unix socket', `/unix/tmp/x.sock${peer}`),
    address('port 0', `/ip4/203.0.113.7/tcp/0${peer}`),
    address('port 65536', `/ip4/203.0.113.7/tcp/65536${peer}`),
    address('a leading zero in the port', `/ip4/203.0.113.7/tcp/080${peer}`),
    address('a leading zero in an octet', `/ip4/203.0.113.07/tcp/80${peer}`),
    address('an octet above 255', `/ip4/203.0.113.256/tcp/80${peer}`),
    address('three octets', `/ip4/203.0.113/tcp/80${peer}`),
    address('two gaps in IPv6', `/ip6/2001::db8::1/tcp/80${peer}`),
    address('IPv6 in upper case', `/ip6/2001:DB8::1/tcp/80${peer}`),
    address('IPv6 with a zone', `/ip6/fe80::1%eth0/tcp/80${peer}`),
    address('a number as a name', `/dns4/2130706433/tcp/80${peer}`),
    address('a name with an underscore', `/dns4/a_b.example/tcp/80${peer}`),
    address('a URL', 'http://alice.example.org/'),
    address('a blank at the end', `${HOME} `),
    refuses('address: the same twice', { addrs: [HOME, HOME] }),
    refuses('address: nine of them', {
      addrs: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `/ip4/203.0.113.${n}/tcp/1${peer}`)
    })
  ]
}

function openCases(): VectorCase[] {
  return [
    takes('a card', {}),
    takes('without addresses', { addrs: [] }),
    takes('the longest handle', { handle: `@${'a'.repeat(31)}` }),
    takes('the highest seq', { seq: 9007199254740991 }),
    refuses('a handle without @', { handle: 'alice' }),
    refuses('a handle in upper case', { handle: '@Alice' }),
    refuses('a handle that begins with a dash', { handle: '@-alice' }),
    refuses('a handle that is too long', { handle: `@${'a'.repeat(32)}` }),
    refuses('seq 0', { seq: 0 }),
    refuses('no time', { at: undefined }),
    refuses('an unknown member', { website: 'http://alice.example.org' }),
    refuses('the peer id of no Ed25519 key', { peerId: 'QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N' }),
    refuses('signed by another agent', {}, 'wrong_sender', { agent: mallory.signer }),
    refuses('signed by another node', {}, 'wrong_sender', { node: bobNode.signer }),
    refuses('both signatures by the agent', {}, 'wrong_sender', { node: alice.signer }),
    refuses('another agent named', { agent: bob.id }, 'wrong_sender'),
    refuses('the domain of a message', {}, 'bad_signature', { domain: 'agentlink/message/1' }),
    refuses('the inner domain outside', {}, 'bad_signature', { nodeDomain: CARD_PURPOSE.domain }),
    {
      name: 'without the signature of the node',
      op: 'open',
      bytes: toHex(
        sealEnvelope(alice.signer, CARD_PURPOSE.domain, CARD_PURPOSE.payloadType, toUtf8(canonicalText(CARD)))
      ),
      refused: 'bad_envelope'
    },
    { name: 'not canonical', op: 'open', bytes: toHex(sign(` ${canonicalText(CARD)}`)), refused: 'not_canonical' },
    { name: 'too large', op: 'open', bytes: toHex(sign('x'.repeat(4096))), refused: 'too_large' }
  ]
}

function replaceCases(): VectorCase[] {
  const step = (name: string, nextSeq: number, refused?: string): VectorCase => ({
    name: `replaces: ${name}`,
    op: 'replaces',
    old: CARD,
    next: { ...CARD, seq: nextSeq },
    ...(refused === undefined ? {} : { refused })
  })
  return [
    step('one more', 8),
    step('a million more', 1_000_007),
    step('a million and one more', 1_000_008, 'malformed_card'),
    step('the same', 7, 'malformed_card'),
    step('one less', 6, 'malformed_card'),
    {
      name: 'replaces: another agent',
      op: 'replaces',
      old: CARD,
      next: { ...CARD, agent: bob.id, seq: 8 },
      refused: 'malformed_card'
    },
    { name: 'replaces: the first that is met', op: 'replaces', old: null, next: { ...CARD, seq: 5_000_000 } }
  ]
}

export function cases(): VectorCase[] {
  return [...openCases(), ...addressCases(), ...replaceCases()]
}
