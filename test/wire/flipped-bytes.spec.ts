/** Whoever changes one byte of something signed has changed it into nothing. */
import { expect } from 'chai'
import { canonicalText } from '../../src/base/canonical.js'
import { openCard } from '../../src/wire/card.js'
import type { Draft } from '../../src/wire/message.js'
import { open } from '../../src/wire/open.js'
import { openReceipt } from '../../src/wire/receipt.js'
import { seal } from '../../src/wire/seal.js'
import { CARD, sign as signCard } from '../support/vectors/cards.js'
import { payloadOf } from '../support/vectors/messages.js'
import { alice, bob } from '../support/vectors/people.js'
import { RECEIPT, sign as signReceipt } from '../support/vectors/receipts.js'

function messageBytes(): Uint8Array {
  const { v: _, ...draft } = payloadOf('task.propose')
  const made = seal(draft as unknown as Draft, alice.signer)
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.bytes
}

const SIGNED = [
  ['message', messageBytes(), (bytes: Uint8Array) => open(bytes, { from: alice.id, to: bob.id })],
  ['card', signCard(canonicalText(CARD)), openCard],
  [
    'receipt',
    signReceipt(canonicalText(RECEIPT)),
    (bytes: Uint8Array) => openReceipt(bytes, { from: bob.id, to: alice.id })
  ]
] as const

describe('Flipped bytes', () => {
  for (const [name, bytes, read] of SIGNED) {
    it(`of a ${name}: each one is refused`, () => {
      expect(read(bytes).ok).to.equal(true)
      for (let at = 0; at < bytes.length; at++) {
        for (const mask of [0x01, 0x80, 0xff]) {
          const changed = bytes.map((byte, i) => (i === at ? byte ^ mask : byte))
          expect(read(changed).ok, `byte ${at} of ${bytes.length}, mask ${mask}`).to.equal(false)
        }
      }
    })

    it(`of a ${name}: cut anywhere, it is refused`, () => {
      for (let length = 0; length < bytes.length; length++) expect(read(bytes.slice(0, length)).ok).to.equal(false)
    })
  }
})
