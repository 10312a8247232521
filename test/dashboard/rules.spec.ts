import { expect } from 'chai'
import { CAPABILITIES } from '../../src/api/words.js'
import { capabilityWords } from '../../src/dashboard/words/capabilities.js'
import {
  type Contact,
  DEEDS,
  deedsWith,
  endedWords,
  inOrder,
  nameOf,
  undeliveredWords
} from '../../src/dashboard/words/contacts.js'
import { type Preset, changedBy } from '../../src/dashboard/words/presets.js'
import {
  type Rule,
  becauseWords,
  capabilitiesIn,
  familyOf,
  holdingFor,
  holdingWithout,
  namedIn,
  saidOf
} from '../../src/dashboard/words/rules.js'
import type { TypeEntry } from '../../src/dashboard/words/types.js'

const RULES: readonly Rule[] = [
  { contact: '*', capability: 'disclose.*', effect: 'deny' },
  { contact: '*', capability: 'disclose.notes', effect: 'allow' },
  { contact: 'al1bob', capability: 'disclose.x.allergies', effect: 'ask' }
]

describe('rules on the owner’s page', () => {
  it('hold as at the node: the contact before everybody, the exact name before the wildcard', () => {
    const cases = [
      ['al1bob', 'disclose.x.allergies', 'ask', 'by your rule for this contact'],
      ['al1bob', 'disclose.notes', 'allow', 'by your rule for everybody'],
      ['al1eve', 'disclose.budget', 'deny', 'by your rule for everybody on everything that a plan can say'],
      ['al1eve', 'pay.solana', 'ask', 'because there is no rule for it']
    ] as const
    for (const [contact, capability, effect, because] of cases) {
      const decision = holdingFor(RULES, contact, capability)
      expect([decision.effect, becauseWords(decision)]).to.deep.equal([effect, because])
    }
  })

  it('tell what was said here from what only follows, and what would follow without it', () => {
    expect(saidOf(RULES, 'al1bob', 'disclose.x.allergies')).to.equal('ask')
    expect(saidOf(RULES, 'al1bob', 'disclose.notes')).to.equal(undefined)
    expect(holdingWithout(RULES, 'al1bob', 'disclose.x.allergies').effect).to.equal('deny')
  })

  it('show every known capability, those that a type in use made up, and those that only a rule names, each in a family and in words', () => {
    const made = (state: 'active' | 'retired', name: string) =>
      ({ state, customCapabilities: [name] }) as unknown as TypeEntry
    const names = capabilitiesIn(RULES, [made('active', 'disclose.x.prices'), made('retired', 'disclose.x.old')])
    expect(names[0]).to.equal('disclose.*')
    expect(names).to.include.members([...CAPABILITIES, 'disclose.x.allergies', 'disclose.x.prices'])
    expect(names).not.to.include('disclose.x.old')
    expect(new Set(names).size).to.equal(names.length)
    for (const name of CAPABILITIES) expect(capabilityWords(name), name).not.to.equal(name)
    expect(['pay.solana', 'action.calendar.hold', 'delegate.report'].map(familyOf)).to.deep.equal([
      'Money',
      'Actions',
      'Delegated work'
    ])
  })

  it('have a column for each contact that they name', () => {
    expect(namedIn(RULES)).to.deep.equal(['al1bob'])
  })

  it('of a preset are shown where they change something', () => {
    const capabilities = [
      { capability: 'disclose.notes', now: 'ask', becomes: 'allow' },
      { capability: 'pay.solana', now: 'ask', becomes: 'ask' }
    ] as const
    expect(changedBy({ capabilities } as unknown as Preset)).to.deep.equal([capabilities[0]])
  })
})

describe('contacts on the owner’s page', () => {
  const contact = (handle: string, status: Contact['status'], more: Partial<Contact> = {}): Contact => ({
    agent: `al1${handle}`,
    handle,
    status,
    since: '2026-12-01T00:00:00.000Z',
    undelivered: 0,
    ...more
  })

  it('stand in the order in which they need the owner', () => {
    const all = [contact('@z', 'removed'), contact('@b', 'active'), contact('@a', 'active'), contact('@y', 'pending')]
    expect(inOrder(all).map(nameOf)).to.deep.equal(['@y', '@a', '@b', '@z'])
  })

  it('go by the owner’s own name for them, with everything deceptive written out', () => {
    expect(nameOf(contact('@bob', 'active', { alias: 'Bob \u202e' }))).to.equal('Bob \\u{202e}')
  })

  it('say in words why they ended and what has not arrived', () => {
    const said = ['declined_by_us', 'removed_by_peer', 'toString\u202e'].map(endedWords)
    expect(said).to.deep.equal(['you declined', 'it ended the contact', 'toString\\u{202e}'])
    expect([0, 1].map(undeliveredWords)).to.deep.equal(['all delivered', '1 not delivered yet'])
  })

  it('take what their state allows, and ask once more before something ends', () => {
    expect(deedsWith(contact('@y', 'pending'))).to.deep.equal(['accept', 'decline', 'block'])
    expect(deedsWith(contact('@b', 'active', { frozen: true }))).to.deep.equal(['unfreeze', 'block', 'remove'])
    for (const deed of ['block', 'remove', 'unblock', 'unfreeze'] as const) expect(DEEDS[deed].asks).to.be.a('string')
  })
})
