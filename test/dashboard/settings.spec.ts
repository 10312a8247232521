import { expect } from 'chai'
import {
  NODE_PARTS,
  type Setting,
  fromWords,
  keyInSection,
  placeOfSetting,
  subjectsOf,
  valueWords
} from '../../src/dashboard/words/settings.js'
import { BY_NAME } from '../../src/node/settings.js'

const setting = (key: string): Setting => ({ name: key, key, from: 'default' }) as Setting

describe('settings on the owner’s page', () => {
  it('stand by subject, in the order of the node, and each subject has a title of its own', () => {
    const subjects = subjectsOf([...BY_NAME.keys()].map(setting))
    expect(subjects.map(({ section }) => section).slice(0, 3)).to.deep.equal(['', 'net', 'limits'])
    for (const { section, title } of subjects) expect(title, section).to.not.equal(section)
    expect(subjects.flatMap(({ settings }) => settings)).to.have.length(BY_NAME.size)
  })

  it('go by their own name where this page does not know it', () => {
    expect(subjectsOf([setting('constructor.x')])[0]?.title).to.equal('constructor')
    expect([keyInSection(setting('net.listen')), keyInSection(setting('handle'))]).to.deep.equal(['listen', 'handle'])
  })

  it('are parts of one page that no other part shares its place with, and other pages lead to', () => {
    const subjects = subjectsOf([...BY_NAME.keys()].map(setting))
    const parts = [...Object.values(NODE_PARTS), ...subjects].map(({ part }) => part)
    expect(new Set(parts).size).to.equal(parts.length)
    for (const { part, settings } of subjects) {
      for (const { key } of settings) expect(placeOfSetting(key), key).to.equal(`#/settings?part=${part}`)
    }
  })

  it('are each described in words that stand alone, with the unit of every number that has one', () => {
    for (const [name, { summary }] of BY_NAME) {
      expect(summary, name).to.match(/^[A-Z].{24,}[.]$/)
      expect(summary, name).not.to.match(/^The same\b|^It /)
      const unit = /_ms$/.test(name) ? 'milliseconds' : /_sol$/.test(name) ? 'SOL' : /hours$/.test(name) ? 'hours' : ''
      expect(summary, name).to.contain(unit)
    }
  })

  const values: ReadonlyArray<[string, Setting['value'], string]> = [
    ['handle', undefined, 'not set'],
    ['api.tcp', true, 'yes'],
    ['net.announce', [], 'none'],
    ['net.listen', ['/ip4/1', '/ip6/2'], '/ip4/1, /ip6/2'],
    ['chain.rpc_url', '', 'empty'],
    ['delivery.max_ms', 300_000, '300000 (5 minutes)'],
    ['delivery.first_ms', 1_000, '1000 (1 second)'],
    ['chain.poll_ms', 1_500, '1500 (1.5 seconds)'],
    ['spend.per_job_sol', '0.5', '0.5 SOL'],
    ['quotas.tasks', 1_000, '1000']
  ]
  for (const [name, value, words] of values) {
    it(`shows ${JSON.stringify(value)} of ${name} as ${words}`, () => {
      expect(valueWords(name, value)).to.equal(words)
    })
  }

  it('say where they are from', () => {
    expect((['default', 'file', 'environment', 'flag'] as const).map(fromWords)).to.have.length(4)
  })
})
