import { expect } from 'chai'
import { BY_NAME } from '../../src/node/settings.js'
import { WAITS_FOR, REACHES as ALL } from '../../src/flows/views/health.js'
import { REACHES, connectedWords, messagesWords, waitWords } from '../../src/dashboard/words/health.js'
import { type AgentNews, needsOf, needsWords } from '../../src/dashboard/words/needs.js'

const NOW = Date.parse('2026-12-02T12:00:00.000Z')
const contact = (more: object) =>
  ({ agent: 'al1bob', handle: '@bob', status: 'active', since: '2026-12-02T10:00:00.000Z', ...more }) as never
const money = (more: object) => ({ taskUid: 'T', paid: [], received: [], ...more }) as never
const news = (more: Partial<AgentNews>): AgentNews => ({
  agent: 'default',
  contacts: [],
  payments: [],
  waiting: [],
  ...more
})
const titles = (more: Partial<AgentNews>) => needsOf([news(more)], NOW).map((need) => need.title)

describe('the first page of the owner', () => {
  it('names who asks and what is frozen, and where each is decided', () => {
    const [need] = needsOf([news({ contacts: [contact({ status: 'pending', alias: 'Bob' })] })], NOW)
    expect(need).to.deep.include({ title: 'Bob wants to be a contact', tone: 'wait', href: '#/contacts/al1bob' })
    expect(titles({ contacts: [contact({ frozen: true })] })).to.deep.equal(['Nothing goes to @bob'])
  })

  it('is silent about contacts with whom all is well, money that paid, and payments that go their way', () => {
    const settled = money({ received: [{ code: 'paid' }], paid: [{ state: 'landed' }, { state: 'dead' }] })
    expect(titles({ contacts: [contact({})], payments: [settled] })).to.deep.equal([])
  })

  it('tells of a payment that is lost for as long as it is, and of odd money for two weeks', () => {
    const odd = (at: string) => ({ code: 'too_late', lamports: '500000000', signature: at, attempt: 1, at })
    const payments = [
      money({ paid: [{ state: 'lost', attempt: 1, at: '2026-01-01T00:00:00.000Z' }] }),
      money({ received: [odd('2026-12-01T00:00:00.000Z'), odd('2026-11-01T00:00:00.000Z')] })
    ]
    expect(titles({ payments })).to.deep.equal([
      '0.5 SOL came that does not pay a job',
      'Nobody can tell yet whether a payment was made'
    ])
    const short = money({ received: [{ ...odd('2026-12-01T00:00:00.000Z'), code: 'short' }] })
    expect(needsOf([news({ payments: [short] })], NOW)[0]?.says).to.match(/^It is less than the price \(short\)[.] /)
  })

  it('leads to work that waits for a right, with the agent whose it is', () => {
    const waiting = [{ agent: 'al1us', taskUid: 'T', contract: { objective: 'Mend it' }, createdAt: 'x' } as never]
    const [need] = needsOf([news({ agent: 'second', waiting })], NOW)
    expect(need).to.deep.include({ title: 'Mend it', agent: 'second', href: '#/envelopes/T?agent=al1us' })
  })

  it('shows the words of others as text, with what deceives written out', () => {
    expect(titles({ contacts: [contact({ status: 'pending', handle: '@b\u202eob' })] })[0]).not.to.contain('\u202e')
  })

  it('says how many things need the owner', () => {
    expect([0, 1, 2].map((count) => needsWords(count, 'all'))).to.deep.equal([
      'Nothing needs you',
      'One thing needs you',
      '2 things need you'
    ])
    expect(needsWords(5, 'more')).to.equal('More than 5 things need you')
  })
})

describe('the health of the node on the owner’s page', () => {
  it('has plain words for every reach, and says what to do where something can be done', () => {
    expect(Object.keys(REACHES)).to.have.members([...ALL])
    for (const reach of ALL) expect(REACHES[reach].todo).to.be.a('string')
    for (const reach of ALL) expect([undefined, ...BY_NAME.keys()]).to.include(REACHES[reach].setting)
  })

  it('counts contacts as a person would', () => {
    const said = [
      [0, 0],
      [1, 0],
      [1, 1],
      [3, 0],
      [3, 2],
      [3, 3]
    ].map(([active = 0, connected = 0]) => connectedWords({ active, connected }))
    expect(new Set(said).size).to.equal(said.length)
    expect(said[4]).to.equal('2 of your 3 contacts are connected.')
  })

  it('says of every wait why it is and what happens next', () => {
    for (const reason of WAITS_FOR) {
      const { why, next } = waitWords({ reason, status: 'active' })
      expect(why).to.match(/[.]$/)
      expect(next).to.match(/[.]$/)
    }
    expect(waitWords({ reason: 'unreachable', status: 'requested' }).next).to.contain('accept you')
    expect(waitWords({ reason: 'not_contact', status: 'requested' })).to.deep.include({
      badge: { tone: 'wait', text: 'Asked' }
    })
    expect([messagesWords(1), messagesWords(3)]).to.deep.equal(['One message', '3 messages'])
  })
})
