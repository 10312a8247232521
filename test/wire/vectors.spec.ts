/** The committed vectors against the code: what a second implementation runs as well. */
import { expect } from 'chai'
import { fromHex, toHex } from '../../src/base/bytes.js'
import { canonicalText } from '../../src/base/canonical.js'
import type { AgentId } from '../../src/base/ids.js'
import { type Result, ok } from '../../src/base/result.js'
import { readCanonicalJson, readJson } from '../../src/base/strict-json.js'
import { type Card, openCard, replaces } from '../../src/wire/card.js'
import { isSoundKey, signerOf, verifyStrict } from '../../src/wire/ed25519.js'
import { decodeFrame, encodeFrame } from '../../src/wire/frames.js'
import { agentIdOf, parseAgentId, peerIdOf, publicKeyOf, publicKeyOfPeer } from '../../src/wire/keys.js'
import { inviteId, inviteProof, proofKeyOf, readLink } from '../../src/wire/link.js'
import { open } from '../../src/wire/open.js'
import { openReceipt } from '../../src/wire/receipt.js'
import { peekEnvelope } from '../../src/wire/signed-envelope.js'
import { WIRE_VECTORS, type VectorCase, type WireVector, readVectors } from '../support/vectors/form.js'

function bytesOf(hex: unknown): Uint8Array {
  const bytes = fromHex(hex as string)
  if (bytes === undefined) throw new Error('a vector holds bad hex')
  return bytes
}

/** Plain values with hex in place of bytes, as vectors write them. */
function plain(value: unknown): unknown {
  const asHex = (_: string, inner: unknown): unknown => (inner instanceof Uint8Array ? toHex(inner) : inner)
  return JSON.parse(JSON.stringify(value, asHex)) as unknown
}

function codeOf(result: Result<unknown>): string | undefined {
  return result.ok ? undefined : (result.refusal.details.code ?? result.refusal.code)
}

function settle<T>(one: VectorCase, result: Result<T>, agrees: (value: T) => void): void {
  expect(codeOf(result)).to.equal(one.refused)
  if (result.ok) agrees(result.value)
}

const pairOf = (one: VectorCase): { from: AgentId; to: AgentId } => ({
  from: one['from'] as AgentId,
  to: one['to'] as AgentId
})

const RUN: Readonly<Record<WireVector, (one: VectorCase) => void>> = {
  canonical(one) {
    const bounds = { maxBytes: one['maxBytes'] as number, maxDepth: one['maxDepth'] as number }
    const read = one['reader'] === 'canonical' ? readCanonicalJson : readJson
    settle(one, read(bytesOf(one['bytes']), bounds), (value) => expect(canonicalText(value)).to.equal(one['canonical']))
  },
  keys(one) {
    if (one['op'] === 'names') {
      const key = signerOf(bytesOf(one['seed'])).publicKey
      expect([toHex(key), agentIdOf(key), peerIdOf(key)]).to.deep.equal([
        one['publicKey'],
        one['agentId'],
        one['peerId']
      ])
      return
    }
    const text = one['text'] as string
    const parsed = one['op'] === 'agent' ? parseAgentId(text) : ok()
    const key = parsed.ok ? (one['op'] === 'agent' ? publicKeyOf(text) : publicKeyOfPeer(text)) : parsed
    settle(one, key, (value) => expect(toHex(value)).to.equal(one['publicKey']))
  },
  ed25519(one) {
    const key = bytesOf(one['key'])
    expect(verifyStrict(key, bytesOf(one['message']), bytesOf(one['signature']))).to.equal(one.refused === undefined)
    expect(isSoundKey(key)).to.equal(one.refused !== 'bad_key')
  },
  messages(one) {
    settle(one, open(bytesOf(one['bytes']), pairOf(one)), (message) => {
      expect(message.id).to.equal(one['id'])
      expect(message.content === undefined).to.equal(one['opaque'])
      const parts = peekEnvelope(message.bytes)
      expect(parts.ok && new TextDecoder().decode(parts.value.payload)).to.equal(one['payload'])
    })
  },
  cards(one) {
    if (one['op'] === 'replaces') {
      const result = replaces((one['old'] as Card | null) ?? undefined, one['next'] as Card)
      return settle(one, result, () => undefined)
    }
    settle(one, openCard(bytesOf(one['bytes'])), (card) => expect(plain(card)).to.deep.equal(one['card']))
  },
  receipts(one) {
    const opened = openReceipt(bytesOf(one['bytes']), pairOf(one))
    settle(one, opened, (receipt) => expect(plain(receipt)).to.deep.equal(one['receipt']))
  },
  links(one) {
    if (one['op'] === 'proof') {
      const secret = bytesOf(one['secret'])
      const made = [inviteId(secret), toHex(proofKeyOf(secret)), inviteProof(secret, pairOf(one))]
      expect(made).to.deep.equal([one['id'], one['proofKey'], one['mac']])
      return
    }
    settle(one, readLink(one['link'] as string), (link) => {
      expect(plain(link.card)).to.deep.equal(one['card'])
      expect(link.invite && toHex(link.invite)).to.equal(one['invite'])
    })
  },
  frames(one) {
    const bytes = bytesOf(one['bytes'])
    settle(one, decodeFrame(bytes), (frame) => {
      expect(plain(frame)).to.deep.equal(one['frame'])
      expect(toHex(encodeFrame(frame))).to.equal(toHex(bytes))
    })
  }
}

describe('Vectors of the wire', () => {
  for (const name of WIRE_VECTORS) {
    describe(`protocols/vectors/${name}.json`, () => {
      const { cases } = readVectors(name)
      for (const one of cases) {
        it(one.refused === undefined ? `takes ${one.name}` : `refuses ${one.name} with ${one.refused}`, () =>
          RUN[name](one)
        )
      }
      it('names each case once', () => {
        expect(new Set(cases.map((one) => one.name)).size).to.equal(cases.length)
      })
    })
  }

  it('are refusals for at least one half', () => {
    const all = WIRE_VECTORS.flatMap((name) => readVectors(name).cases)
    expect(all.filter((one) => one.refused !== undefined).length * 2).to.be.at.least(all.length)
  })
})
