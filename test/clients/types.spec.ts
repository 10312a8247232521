import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIELD_HELP } from '../../src/clients/cli/type-field.js'
import { KINDS } from '../../src/types/kinds.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { makeHome } from './home.js'
import { agentlink } from './screen.js'

const QUOTE = 'protocols/types/quote.request@1.json'
const HASH = 'd46800320af04abbc9676c97423bd155d625ab83ced83ec5491c0cf7ae11dc62'
const ESCAPE = '\u001b'

describe('the commands about type files', () => {
  let place: string

  beforeEach(() => (place = mkdtempSync(join(tmpdir(), 'agentlink-types-'))))
  afterEach(() => rmSync(place, { recursive: true, force: true }))

  function file(name: string, content: unknown): string {
    const path = join(place, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  it('hash prints what identifies the type', async () => {
    expect(await agentlink(['type', 'hash', QUOTE])).to.deep.equal({ code: 0, out: HASH, err: '' })
    const json = await agentlink(['type', 'hash', QUOTE, '--json'])
    expect(JSON.parse(json.out)).to.deep.equal({ name: 'quote.request', version: 1, hash: HASH })
  })

  it('check shows what each field needs', async () => {
    const { code, out } = await agentlink(['type', 'check', QUOTE])
    expect(code).to.equal(0)
    for (const part of [
      'd46800320af04abb',
      'deliverTo.town',
      'disclose.x.purchasing',
      'NONE',
      'x.quote.request.order'
    ]) {
      expect(out).to.include(part)
    }
  })

  it('check names every fault by its field, and ends with 1', async () => {
    const bad = file('bad.json', {
      format: 'ttd1',
      name: 'Quote',
      version: 0,
      fields: [
        { name: 'a', kind: 'text', label: 'A', pattern: '(a+)+$' },
        { name: 'b', kind: 'group', label: 'B', fields: [{ name: 'c', kind: 'choice', label: 'C', options: [] }] },
        { name: 'd', kind: 'integer', label: '', capability: 'disclose.*' }
      ]
    })
    const { code, err, out } = await agentlink(['type', 'check', bad])
    expect([code, out]).to.deep.equal([1, ''])
    const named = [
      'name',
      'version',
      'title',
      'fields[0].pattern',
      'fields[0].maxLength',
      'fields[1].fields[0].options'
    ]
    for (const field of [...named, 'fields[2].label', 'fields[2].capability']) expect(err).to.include(`  ${field} `)
    const json = JSON.parse((await agentlink(['type', 'check', bad, '--json'])).out) as { faults: { field: string }[] }
    expect(json.faults.map((fault) => fault.field).sort()).to.include.members([...named].sort())
  })

  it('check shows no escape of the author of a file to the terminal', async () => {
    const sly = file('sly.json', `{"${ESCAPE}[2J":1,"format":"ttd1"}`.replace(ESCAPE, '\\u001b'))
    const { code, err } = await agentlink(['type', 'check', sly])
    expect(code).to.equal(1)
    expect(err).to.not.include(ESCAPE)
    expect(err).to.include('\\u{1b}')
  })

  it('check says when only the canonical form is missing, and writes it when told to', async () => {
    const loose = file('loose.json', JSON.stringify(JSON.parse(readFileSync(QUOTE, 'utf8')), null, 2))
    expect((await agentlink(['type', 'check', loose])).err).to.include('--fix')
    expect((await agentlink(['type', 'check', loose, '--fix'])).code).to.equal(0)
    expect(readFileSync(loose, 'utf8')).to.equal(readFileSync(QUOTE, 'utf8'))
  })

  for (const [what, content] of [
    ['nothing', ''],
    ['text', 'quote'],
    ['seven levels', '{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}'],
    ['a member twice', '{"a":1,"a":2}'],
    ['a prototype key', '{"__proto__":{}}'],
    ['a megabyte', 'x'.repeat(1 << 20)]
  ] as const) {
    it(`check refuses a file with ${what} in one sentence`, async () => {
      const { code, err } = await agentlink(['type', 'check', file('odd.json', content)])
      expect(code).to.be.oneOf([1, 2])
      expect(err.length).to.be.lessThan(400)
    })
  }

  it('check says that a file is missing', async () => {
    const { code, err } = await agentlink(['type', 'check', join(place, 'nowhere.json')])
    expect(code).to.equal(2)
    expect(err).to.include("can't be read")
  })

  it('new writes a canonical file from flags, once', async () => {
    const out = join(place, 'made.json')
    const words = ['type', 'new', '--name', 'errand.run', '--title', 'An errand', '--out', out]
    const fields = [
      'what:text;maxLength=200;required;capability=disclose.notes;label=What to do',
      'price:amount;scale=2;unit=EUR;maximum=99.50',
      'how:choice;options=on foot|by bike',
      'people:integer;minimum=1;maximum=4',
      '{"name":"where","kind":"group","label":"Where","fields":[{"name":"town","kind":"text","label":"Town","maxLength":50}]}'
    ].flatMap((field) => ['--field', field])
    const made = await agentlink([...words, ...fields, '--json'])
    expect(made.code, made.err).to.equal(0)
    const { hash } = JSON.parse(made.out) as { hash: string }
    expect((await agentlink(['type', 'hash', out])).out).to.equal(hash)
    const again = await agentlink([...words, ...fields])
    expect([again.code, again.err.includes('--force')]).to.deep.equal([2, true])
    expect((await agentlink([...words, ...fields, '--force'])).code).to.equal(0)
  })

  it('new takes a draft that is not canonical', async () => {
    const from = file('draft.json', JSON.stringify(JSON.parse(readFileSync(QUOTE, 'utf8')), null, 2))
    const out = join(place, 'quote.json')
    expect((await agentlink(['type', 'new', '--from', from, '--out', out])).code).to.equal(0)
    expect((await agentlink(['type', 'hash', out])).out).to.equal(HASH)
  })

  it('new takes actions by their slug, and fields in groups and params as it takes fields', async () => {
    const out = join(place, 'made.json')
    const where = '{"name":"where","kind":"group","label":"Where","fields":["town:text;maxLength=50"]}'
    const order = '{"name":"order","label":"Order it","params":["number:text;maxLength=40;required"]}'
    const words = ['type', 'new', '--name', 'errand.run', '--field', where, '--action', order, '--out', out]
    const made = await agentlink(words)
    expect(made.code, made.err).to.equal(0)
    expect(made.out).to.include(`agentlink type install ${out}`)
    const { fields, actions } = JSON.parse(readFileSync(out, 'utf8')) as { fields: object[]; actions: object[] }
    const town = { kind: 'text', label: 'town', maxLength: 50, name: 'town' }
    expect(fields).to.deep.equal([{ fields: [town], kind: 'group', label: 'Where', name: 'where' }])
    const number = { kind: 'text', label: 'number', maxLength: 40, name: 'number', required: true }
    expect(actions).to.deep.equal([{ label: 'Order it', name: 'x.errand.run.order', params: [number] }])
  })

  it('new says in its help all kinds, and all that each of them can say', async () => {
    for (const [kind, { bounds }] of Object.entries(KINDS)) {
      for (const word of [kind, ...Object.keys(bounds)]) expect(FIELD_HELP, `${kind} ${word}`).to.include(word)
    }
  })

  for (const content of ['null', '[]', '1', '"text"', '{}', '[null]']) {
    it(`new refuses a draft of ${content} in one sentence, and writes nothing`, async () => {
      const out = join(place, 'none.json')
      for (const more of [[], ['--out', out]]) {
        const { code, err } = await agentlink(['type', 'new', '--from', file('draft.json', content), ...more])
        expect([code, err.includes('internal fault')], err).to.deep.equal([1, false])
      }
      expect(() => readFileSync(out)).to.throw()
    })
  }

  for (const [what, words, code] of [
    ['no flags', [], 2],
    ['an action that is none', ['--name', 'errand.run', '--field', 'what:boolean', '--action', 'order'], 2],
    ['an action of null', ['--name', 'errand.run', '--field', 'what:boolean', '--action', 'null'], 2],
    ['an action of another type', ['--name', 'a.b', '--field', 'what:boolean', '--action', '{"name":"x.c.d.e"}'], 1],
    ['no fields', ['--name', 'errand.run'], 1],
    ['a field that is none', ['--name', 'errand.run', '--field', 'what'], 2],
    ['a field with a number that is none', ['--name', 'errand.run', '--field', 'what:text;maxLength=many'], 2],
    ['a field that is broken JSON', ['--name', 'errand.run', '--field', '{'], 2],
    ['a reserved name', ['--name', 'pay.me', '--field', 'what:boolean'], 1],
    ['a version that is none', ['--name', 'errand.run', '--type-version', 'two', '--field', 'what:boolean'], 1]
  ] as const) {
    it(`new refuses ${what}, and writes nothing`, async () => {
      const out = join(place, 'none.json')
      const shown = await agentlink(['type', 'new', ...words, '--out', out])
      expect(shown.code, shown.err).to.equal(code)
      expect(() => readFileSync(out)).to.throw()
    })
  }

  it('diff shows two files side by side, by the names of fields', async () => {
    const value = JSON.parse(readFileSync(QUOTE, 'utf8')) as {
      version: number
      fields: { name: string; maxLength?: number }[]
    }
    value.version = 2
    value.fields = value.fields.filter((field) => field.name !== 'notes')
    const item = value.fields.find((field) => field.name === 'item')
    if (item !== undefined) item.maxLength = 300
    const from = file('draft.json', value)
    const other = join(place, 'two.json')
    await agentlink(['type', 'new', '--from', from, '--out', other])
    const { code, out } = await agentlink(['type', 'diff', QUOTE, other])
    expect(code).to.equal(0)
    expect(out).to.match(/fields\.item\.maxLength\s+200\s+300/)
    expect(out).to.match(/version\s+1\s+2/)
    expect(out).to.include('fields.notes.kind')
    expect(out).to.not.include('fields.extras')
    expect(out).to.include('quote.request@1 d46800320af04abb')
    expect((await agentlink(['type', 'diff', QUOTE, QUOTE])).out).to.include('one and the same')
  })
})

describe('the commands about the types of a node', () => {
  let api: TestApi

  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  const run = (...words: string[]): ReturnType<typeof agentlink> => agentlink(['--home', api.home, 'type', ...words])

  for (const [words, parts] of [
    [['list'], ['quote.request@1 efefefefefefefef', 'active', '"Quote"']],
    [
      ['show', 'quote.request'],
      ['installed here', 'item', 'NONE', 'your agent can say anything there: item']
    ],
    [
      ['install', QUOTE],
      ['Installed quote.request@1', 'item']
    ],
    [['retire', 'quote.request'], ['Retired quote.request@1']],
    [['declines'], ['@bob', 'their no', 'type_not_installed']],
    [['lift', '@bob', 'ab'.repeat(32)], ['Lifted.']]
  ] as const) {
    it(`${words.join(' ')} says what it did, and one line of JSON on --json`, async () => {
      const shown = await run(...words)
      expect(shown, shown.err).to.include({ code: 0 })
      for (const part of parts) expect(shown.out).to.include(part)
      const json = await run(...words, '--json')
      expect(JSON.parse(json.out)).to.be.an('object')
    })
  }

  it('install hands over the exact text of the file, and nothing that is no definition', async () => {
    await run('install', QUOTE, '--hash', HASH)
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ file: readFileSync(QUOTE, 'utf8'), hash: HASH })
    const before = api.doors.calls.names.length
    expect((await run('install', 'package.json')).code).to.be.oneOf([1, 2])
    expect(api.doors.calls.names.length).to.equal(before)
  })

  it('install shows a person what the fields need, and installs on a yes alone', async () => {
    const words = ['--home', api.home, 'type', 'install', QUOTE]
    const before = api.doors.calls.names.length
    const not = await agentlink(words, { types: 'no' })
    expect([not.code, not.out]).to.deep.equal([0, 'Not installed.'])
    expect(not.err).to.include('your agent can say anything there: item')
    expect(api.doors.calls.names.slice(before)).to.deep.equal(['inspectType'])
    const done = await agentlink(words, { types: 'yes' })
    expect(done.out).to.match(/^Installed quote\.request@1 [0-9a-f]{16}\.$/)
    expect((await agentlink([...words, '--yes'], { types: 'no' })).out).to.include('Installed')
    expect((await agentlink([...words, '--json'], { types: 'no' })).code).to.equal(0)
  })

  it('lift takes a whole hash only', async () => {
    expect((await run('lift', '@bob', 'd46800')).code).to.equal(2)
  })
})
