/** The keys of every vector: seeds of one repeated byte, so that a second implementation can make the same bytes. */
import { type Signer, signerOf } from '../../../src/wire/ed25519.js'
import { agentIdOf, peerIdOf } from '../../../src/wire/keys.js'

export function seedOf(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte)
}

function agent(byte: number): {
  readonly seed: Uint8Array
  readonly signer: Signer
  readonly id: ReturnType<typeof agentIdOf>
} {
  const signer = signerOf(seedOf(byte))
  return { seed: seedOf(byte), signer, id: agentIdOf(signer.publicKey) }
}

function node(byte: number): { readonly signer: Signer; readonly peerId: ReturnType<typeof peerIdOf> } {
  const signer = signerOf(seedOf(byte))
  return { signer, peerId: peerIdOf(signer.publicKey) }
}

export const alice = agent(1)
export const bob = agent(2)
export const mallory = agent(3)
export const aliceNode = node(0x11)
export const bobNode = node(0x12)

export const AT = '2026-11-14T19:00:00.000Z'
/** A message id that stands for "some message". */
export const SOME_ID = 'ab'.repeat(32)
export const SOME_UID = 'cd'.repeat(16)
