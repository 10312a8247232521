import { expect } from 'chai'
import fc from 'fast-check'
import { visible } from '../../src/base/visible.js'
import { shortened, wrapped } from '../../src/clients/cli/fit.js'
import { contactOffersText, offerTable, offerText } from '../../src/clients/cli/offer-text.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { makeHome } from './home.js'
import { agentlink, type Shown } from './screen.js'
import { table } from '../../src/clients/cli/table.js'

const ID = '3'.repeat(32)
const LOGO = {
  title: 'A logo',
  description: 'Drawn by hand',
  deliverable: 'One SVG file',
  price: '0.25',
  turnaroundHours: 72
}
const FLAGS = [
  '--title',
  'A logo',
  '--description',
  'Drawn by hand',
  '--deliverable',
  'One SVG file',
  '--price',
  '0.25'
]

describe('agentlink offer', () => {
  let api: TestApi

  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  function run(...words: string[]): Promise<Shown> {
    return agentlink(['--home', api.home, 'offer', ...words], { columns: 80 })
  }

  const doing: ReadonlyArray<[string, string[], readonly [string, object], string]> = [
    [
      'create',
      ['create', ...FLAGS, '--hours', '72'],
      ['createOffer', { offer: LOGO }],
      'Offered to all active contacts'
    ],
    ['edit', ['edit', ID, '--price', '0.3'], ['changeOffer', { offerId: ID, offer: { price: '0.3' } }], '0.3 SOL'],
    [
      'edit of the hours',
      ['edit', ID, '--hours', '1'],
      ['changeOffer', { offerId: ID, offer: { turnaroundHours: 1 } }],
      '1 hour'
    ],
    ['withdraw', ['withdraw', ID], ['withdrawOffer', { offerId: ID }], `Withdrawn: ${ID}`],
    ['list of a contact', ['list', '--contact', '@bob'], ['contactOffers', { contact: '@bob' }], "contact's own words"],
    ['show of a contact', ['show', ID, '--contact', '@bob'], ['contactOffers', { contact: '@bob' }], 'Drawn by hand']
  ]
  for (const [what, words, expected, part] of doing) {
    it(`hands a ${what} to the owner's door, and answers with one line of JSON on --json`, async () => {
      const shown = await run(...words)
      expect(shown).to.include({ code: 0, err: '' })
      expect(shown.out).to.include(part)
      expect([api.doors.calls.names.at(-1), api.doors.calls.inputs.at(-1)]).to.deep.equal(expected)
      const json = await run(...words, '--json')
      expect(json.out.split('\n')).to.have.length(1)
      expect(json.out).to.include(ID)
    })
  }

  it('shows what your agent offers, as a table and each whole', async () => {
    expect((await run('list')).out).to.match(/^OFFER +TITLE +PRICE +TAKES\n3{32} +A logo +0\.25 SOL +72 hours$/)
    expect((await run('show', ID)).out).to.include('deliverable  One SVG file')
  })

  it('says which agent is meant when the owner says it', async () => {
    await run('withdraw', ID, '--agent', 'work')
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ offerId: ID, agent: 'work' })
  })

  it('says where to look for one that is not there', async () => {
    const shown = await run('show', 'x', '--contact', '@bob')
    expect(shown.code).to.equal(1)
    expect(shown.err).to.include(`agentlink offer list --contact @bob --home ${api.home}`)
    const own = await run('show', 'x', '--agent', 'work')
    expect(own.err).to.include(`agentlink offer list --home ${api.home} --agent work`)
    expect(JSON.parse((await run('show', 'x', '--json')).out)).to.have.nested.property('error.code', 'not_found')
  })

  const wrong: ReadonlyArray<readonly [string[], string]> = [
    [['create', ...FLAGS], '--hours'],
    [['create', '--title', 'A logo'], '--description'],
    [['edit', ID], 'say what changes'],
    [['edit', '--price', '1'], "'offer'"],
    ...['0', '721', '1.5', '-1', '1e2', ' 7', 'x', ''].map(
      (hours) => [['edit', ID, '--hours', hours], 'whole number'] as [string[], string]
    ),
    [['sell'], 'unknown command'],
    [['list', '@bob'], 'too many arguments']
  ]
  for (const [words, reason] of wrong) {
    it(`ends with 2, and asks the node nothing: offer ${words.join(' ')}`, async () => {
      const before = api.doors.calls.names.length
      const shown = await run(...words)
      expect([shown.code, api.doors.calls.names.length]).to.deep.equal([2, before])
      expect(shown.err).to.include(reason)
    })
  }

  for (const name of ['create', 'edit', 'withdraw', 'list', 'show']) {
    it(`explains ${name} with an example that names no option that is not there`, async () => {
      const { out } = await run(name, '--help')
      const [, examples = ''] = /Examples?:\n([\s\S]*)/.exec(out) ?? []
      expect(examples).to.include(`agentlink offer ${name}`)
      for (const [flag] of examples.matchAll(/--[a-z]+/g)) expect(out.split('Example')[0]).to.include(flag)
    })
  }
})

describe('offers on the screen', () => {
  const EVIL = `${'A'.repeat(30)}\noffer  ${'4'.repeat(32)}\u001b[2J\u202e ${'x'.repeat(500)}`
  const evil = { offerId: ID, ...LOGO, title: EVIL.slice(0, 80), description: EVIL, deliverable: EVIL }

  it('begin no line with a word of a stranger, in a window of any width', () => {
    for (const columns of [30, 80, 200, undefined]) {
      const lines = offerText(evil, columns).split('\n')
      expect(lines.every((line) => line.length <= Math.max(columns ?? 100, 45))).to.equal(true)
      expect(lines.filter((line) => !line.startsWith(' '.repeat(13))).map((line) => line.split(' ')[0])).to.deep.equal([
        'offer',
        'title',
        'description',
        'deliverable',
        'price',
        'takes'
      ])
    }
  })

  it('have one line each in a table, however long and odd a title is', () => {
    const lines = offerTable([evil, { ...evil, title: '\u202e'.repeat(80) }], { table }).split('\n')
    expect(lines).to.have.length(3)
    for (const line of lines) expect(line.length).to.be.below(100)
  })

  it('tell a contact that said nothing from one that offers nothing', () => {
    const none = { contact: 'al1bob', items: [] }
    expect(contactOffersText(none, { table })).to.include('no offers')
    expect(contactOffersText({ ...none, receivedAt: '2026-12-02T10:00:00.000Z' }, { table })).to.match(
      /^As of .*: no offers\.$/
    )
  })

  it('keep every word when they are broken, and fit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 12, max: 60 }), (text, width) => {
        const lines = wrapped(text, width)
        const bare = (words: string): string => words.replace(/[ \n]/g, '')
        expect(bare(lines.join(''))).to.equal(bare(text))
        for (const line of lines) expect([...visible(line)].length).to.be.at.most(Math.max(width, 8))
        expect([...visible(shortened(text, width))].length).to.be.at.most(width)
      })
    )
  })
})
