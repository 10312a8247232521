/** Cases for contact links and invite proofs. */
import { toBase64url, toHex } from '../../../src/base/bytes.js'
import { canonicalText } from '../../../src/base/canonical.js'
import { inviteId, inviteProof, proofKeyOf, writeLink } from '../../../src/wire/link.js'
import { CARD, sign } from './cards.js'
import type { VectorCase } from './form.js'
import { alice, bob, mallory } from './people.js'

export const about =
  'Contact links and invite proofs (identity.md). op link: the text is read; card is the card in it, invite the secret (hex). op proof: id, proofKey and mac of a secret for a request from from to to.'

export const SECRET = Uint8Array.from({ length: 16 }, (_, i) => i * 17)

const card = sign(canonicalText(CARD))
const link = writeLink({ agent: alice.id, card, invite: SECRET })
const bare = writeLink({ agent: alice.id, card })

function refuses(name: string, text: string, refused = 'malformed_link'): VectorCase {
  return { name, op: 'link', link: text, refused }
}

function proof(name: string, secret: Uint8Array, pair: { from: typeof alice.id; to: typeof alice.id }): VectorCase {
  const made = { id: inviteId(secret), proofKey: toHex(proofKeyOf(secret)), mac: inviteProof(secret, pair) }
  return { name, op: 'proof', secret: toHex(secret), ...pair, ...made }
}

export function cases(): VectorCase[] {
  const toBob = writeLink({ agent: bob.id, card })
  const broken = sign(canonicalText(CARD), { agent: mallory.signer })
  return [
    { name: 'with a secret', op: 'link', link, card: CARD, invite: toHex(SECRET) },
    { name: 'without a secret', op: 'link', link: bare, card: CARD },
    { name: 'white space around it', op: 'link', link: `  ${link}\n`, card: CARD, invite: toHex(SECRET) },
    proof('the proof of bob', SECRET, { from: bob.id, to: alice.id }),
    proof('the proof of mallory is another', SECRET, { from: mallory.id, to: alice.id }),
    proof('a secret of zeros', new Uint8Array(16), { from: bob.id, to: alice.id }),
    refuses('empty', ''),
    refuses('another scheme', link.replace('agentlink:', 'https:')),
    refuses('the scheme in upper case', link.replace('agentlink:', 'AGENTLINK:')),
    refuses('an authority', link.replace('agentlink:', 'agentlink://')),
    refuses('no card', `agentlink:${alice.id}`),
    refuses('a secret that is too short', `${bare}&invite=${toBase64url(SECRET.slice(0, 15))}`),
    refuses('a secret that is too long', `${bare}&invite=${toBase64url(new Uint8Array(17))}`),
    refuses('a secret with stray bits', link.replace(/.$/, 'x')),
    refuses('a secret that is empty', `${bare}&invite=`),
    refuses('the secret first', `agentlink:${alice.id}?invite=${toBase64url(SECRET)}&card=${toBase64url(card)}`),
    refuses('an unknown part', `${link}&more=1`),
    refuses('a card with padding', `agentlink:${alice.id}?card=${toBase64url(card)}==`),
    refuses('the card of another agent', toBob),
    refuses('a blank inside', link.replace('?', ' ?')),
    refuses('too long', `${bare}${'A'.repeat(8192)}`),
    refuses('a card that is none', `agentlink:${alice.id}?card=AAAA`, 'bad_envelope'),
    refuses('a card with a forged signature', `agentlink:${alice.id}?card=${toBase64url(broken)}`, 'wrong_sender')
  ]
}
