/** Cases for agent ids and peer ids. */
import { base58, bech32, bech32m } from '@scure/base'
import { concat, fromHex, toHex } from '../../../src/base/bytes.js'
import { agentIdOf, peerIdOf } from '../../../src/wire/keys.js'
import { unsoundKeys } from './ed25519.js'
import type { VectorCase } from './form.js'
import { alice, aliceNode, bob, seedOf } from './people.js'

export const about =
  'Agent ids and peer ids (identity.md). op agent: text is parsed and its key checked in full. op peer: text is a peer id. seed and publicKey are hex.'

function write(prefix: string, bytes: Uint8Array): string {
  return bech32m.encode(prefix, bech32m.toWords(bytes), false)
}

function agent(
  name: string,
  text: string,
  expected: { readonly publicKey: string } | { readonly refused: string }
): VectorCase {
  return { name, op: 'agent', text, ...expected }
}

function peer(
  name: string,
  text: string,
  expected: { readonly publicKey: string } | { readonly refused: string }
): VectorCase {
  return { name, op: 'peer', text, ...expected }
}

function agentCases(): VectorCase[] {
  const key = alice.signer.publicKey
  const versioned = concat(Uint8Array.of(1), key)
  const malformed = { refused: 'malformed_id' }
  return [
    agent('alice', alice.id, { publicKey: toHex(key) }),
    agent('bob', bob.id, { publicKey: toHex(bob.signer.publicKey) }),
    agent('upper case', alice.id.toUpperCase(), malformed),
    agent('mixed case', alice.id.slice(0, -1) + alice.id.slice(-1).toUpperCase(), malformed),
    agent('one character changed', alice.id.slice(0, -1) + (alice.id.endsWith('q') ? 'p' : 'q'), malformed),
    agent(
      'two characters swapped',
      alice.id.slice(0, 10) + alice.id.charAt(11) + alice.id.charAt(10) + alice.id.slice(12),
      malformed
    ),
    agent('cut short', alice.id.slice(0, -1), malformed),
    agent('a blank after it', `${alice.id} `, malformed),
    agent('bech32 in place of bech32m', bech32.encode('al', bech32.toWords(versioned)), malformed),
    agent('another prefix', write('bl', versioned), malformed),
    agent('version 0', write('al', concat(Uint8Array.of(0), key)), malformed),
    agent('version 2', write('al', concat(Uint8Array.of(2), key)), malformed),
    agent('31 bytes', write('al', versioned.slice(0, 32)), malformed),
    agent('33 bytes', write('al', concat(versioned, Uint8Array.of(0))), malformed),
    agent('padding bits that are not zero', withStrayBits(versioned), malformed),
    agent('an empty agent id', '', malformed),
    ...unsoundKeys().map(({ name, key: bad }) =>
      agent(name, write('al', concat(Uint8Array.of(1), bad)), { refused: 'bad_key' })
    )
  ]
}

/** 33 bytes fill 53 groups of 5 bits with one bit to spare. */
function withStrayBits(bytes: Uint8Array): string {
  const words = [...bech32m.toWords(bytes)]
  words[words.length - 1] = (words.at(-1) as number) | 1
  return bech32m.encode('al', words)
}

function peerCases(): VectorCase[] {
  const key = aliceNode.signer.publicKey
  const malformed = { refused: 'malformed_id' }
  const secp = concat(fromHex('00250802122102') as Uint8Array, new Uint8Array(32).fill(7))
  const hashed = concat(fromHex('1220') as Uint8Array, new Uint8Array(32).fill(7))
  return [
    peer('the node of alice', aliceNode.peerId, { publicKey: toHex(key) }),
    peer('one character less', aliceNode.peerId.slice(0, -1), malformed),
    peer('a character outside of base58', aliceNode.peerId.slice(0, -1) + '0', malformed),
    peer('a secp256k1 key', base58.encode(secp), malformed),
    peer('a hashed key', base58.encode(hashed), malformed),
    peer('a CID', 'bafzaajaiaejcbz2gyobjt3ijt5jmmvmnzqkbiwsu5pmxhnxmg4xkcjbjtpmuu7r3', malformed),
    peer('an empty peer id', '', malformed)
  ]
}

export function cases(): VectorCase[] {
  const named = [1, 2, 0x11].map((byte) => {
    const signer = byte === 1 ? alice.signer : byte === 2 ? bob.signer : aliceNode.signer
    const names = { agentId: agentIdOf(signer.publicKey), peerId: peerIdOf(signer.publicKey) }
    return {
      name: `names of seed ${byte}`,
      op: 'names',
      seed: toHex(seedOf(byte)),
      publicKey: toHex(signer.publicKey),
      ...names
    }
  })
  return [...named, ...agentCases(), ...peerCases()]
}
