import { expect } from 'chai'
import { AUDIT_CHOICES, type Entry, particularsOf, sentenceOf, underWords } from '../../src/dashboard/words/audit.js'
import { toolsIn } from '../../src/dashboard/words/tools.js'
import { type TypeEntry, besideWords, typeName, typesInOrder } from '../../src/dashboard/words/types.js'
import { AUDIT_CODES } from '../../src/policy/audit.js'

const nameOf = (id: string) => (id === 'al1bob' ? '@bob' : id)

function entry(what: string, more: object = {}): Entry {
  const base = { seq: 1, prev: '', at: '2026-12-02T12:00:00.000Z', who: { kind: 'owner' }, what, about: {} }
  return { ...base, ...more } as unknown as Entry
}

describe('the audit log on the owner’s page', () => {
  it('has a sentence for every code, and offers each to search for', () => {
    for (const code of AUDIT_CODES) {
      expect(sentenceOf(entry(code), nameOf), code).to.match(/^You [a-z]/)
      expect(
        AUDIT_CHOICES.some(([value]) => value === code),
        code
      ).to.equal(true)
    }
  })

  it('says who it was', () => {
    const cases = [
      [{ kind: 'agent', id: 'al1work' }, 'Your agent al1work cancelled a task'],
      [{ kind: 'peer', id: 'al1bob' }, '@bob cancelled a task with your agent'],
      [{ kind: 'node' }, 'The node cancelled a task'],
      [{ kind: 'unknown' }, 'Somebody without a valid token cancelled a task']
    ] as const
    for (const [who, text] of cases) expect(sentenceOf(entry('task.cancelled', { who }), nameOf)).to.equal(text)
  })

  it('says in the same sentence whom it was done to and about what', () => {
    const work = { kind: 'agent', id: 'al1work' }
    const cases: ReadonlyArray<[string, object, object, string]> = [
      ['contact.accepted', {}, { contact: 'al1bob' }, 'You accepted a contact request of @bob'],
      [
        'grant.set',
        {},
        { contact: '*', capability: 'disclose.budget' },
        'You made or changed a rule for everybody: What you want to spend'
      ],
      [
        'disclosure.sent',
        { who: work },
        { contact: 'al1bob', capabilities: ['disclose.availability', 'disclose.dietary'] },
        'Your agent al1work sent something that needs your permission, to @bob: When you are free, What you eat and do not eat'
      ],
      ['approval.answered', {}, { contact: 'al1bob', decision: 'deny' }, 'You answered a question about @bob: no'],
      ['agent.added', {}, { agent: 'al1work' }, 'You added an agent: al1work']
    ]
    for (const [what, more, about, text] of cases) {
      expect(sentenceOf(entry(what, { ...more, about }), nameOf), what).to.equal(text)
    }
  })

  it('names a contact once, whoever did it', () => {
    for (const code of AUDIT_CODES) {
      const peer = entry(code, { who: { kind: 'peer', id: 'al1bob' }, about: { contact: 'al1bob' } })
      expect(sentenceOf(peer, nameOf).split('@bob'), code).to.have.length(2)
      const owner = entry(code, { about: { contact: 'al1bob' } })
      expect(sentenceOf(owner, nameOf).split('@bob'), code).to.have.length(2)
    }
  })

  it('shows a code of a newer node by its name, with everything deceptive written out', () => {
    expect(sentenceOf(entry('toString\u202e'), nameOf)).to.equal('You did toString\\u{202e}')
    expect(sentenceOf(entry('denials.counted', { times: 3 }), nameOf)).to.contain('(3 times)')
  })

  it('says what it was about and under which rule or answer', () => {
    const about = { capabilities: ['disclose.budget'], was: 'ask', effect: 'allow' }
    const under = { grants: [{ contact: '*', capability: 'disclose.budget', effect: 'allow' }], approvalId: 'a1' }
    const one = entry('grant.set', { about, under })
    expect(particularsOf(one, nameOf)).to.deep.equal([['Rule', 'ask → allow']])
    expect(underWords(one, nameOf)).to.equal(
      'your rule for everybody (disclose.budget: allow), your answer to question a1'
    )
    expect(underWords(entry('grant.set'), nameOf)).to.equal(undefined)
  })
})

describe('task types and tools on the owner’s page', () => {
  it('stand with those in use first, by name and version', () => {
    const type = (name: string, version: number, state: string) => ({ name, version, state }) as unknown as TypeEntry
    const all = [type('b', 1, 'active'), type('a', 2, 'active'), type('a', 1, 'active'), type('a', 1, 'retired')]
    expect(typesInOrder(all).map((one) => [typeName(one), one.state])).to.deep.equal([
      ['a@1', 'active'],
      ['a@2', 'active'],
      ['b@1', 'active'],
      ['a@1', 'retired']
    ])
  })

  it('say before another is installed which of its name stay in use beside it', () => {
    const type = (name: string, version: number, state: string) =>
      ({ name, version, state, hash: `${name}${version}` }) as unknown as TypeEntry
    const all = [type('a', 1, 'active'), type('a', 2, 'retired'), type('b', 1, 'active')]
    expect(besideWords(type('a', 3, 'unknown'), all)).to.match(/^You use a@1 already/)
    expect(besideWords(type('a', 1, 'active'), all)).to.equal(undefined)
  })

  it('are read one a line, each once', () => {
    expect(toolsIn(' git \n\nnode\ngit')).to.deep.equal(['git', 'node'])
  })
})
