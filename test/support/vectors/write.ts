/**
 * Writes protocols/vectors/*.json. Run it (`npx tsx test/support/vectors/write.ts`) only when the bytes or the decisions of
 * the protocol change, together with the spec page and its revision: otherwise a changed vector is a bug. The tests never
 * run it; they read what is committed.
 */
import { writeFileSync } from 'node:fs'
import * as canonical from './canonical.js'
import * as cards from './cards.js'
import * as ed25519 from './ed25519.js'
import { type VectorCase, type VectorName, vectorUrl } from './form.js'
import * as frames from './frames.js'
import * as keys from './keys.js'
import * as links from './links.js'
import * as messages from './messages.js'
import * as payments from './payments.js'
import * as receipts from './receipts.js'
import * as transcripts from './transcripts.js'

const SOURCES: Readonly<Record<VectorName, { readonly about: string; readonly cases: () => VectorCase[] }>> = {
  canonical,
  keys,
  ed25519,
  messages,
  cards,
  receipts,
  links,
  frames,
  transcripts,
  payments
}

for (const name of Object.keys(SOURCES) as VectorName[]) {
  const { about, cases } = SOURCES[name]
  writeFileSync(
    vectorUrl(name),
    `${JSON.stringify({ status: 'draft', revision: 1, about, cases: cases() }, null, 2)}\n`
  )
}
