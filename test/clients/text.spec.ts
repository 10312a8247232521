import { expect } from 'chai'
import type { Run } from '../../src/clients/cli/context.js'
import { contactNames } from '../../src/clients/cli/names.js'
import fc from 'fast-check'
import type { JsonObject } from '../../src/base/json.js'
import { visible } from '../../src/base/visible.js'
import { JOB_TYPE } from '../../src/types/job-type.js'
import { asJson } from '../../src/clients/cli/json.js'
import { changesBetween, linesOf } from '../../src/api/plan-lines.js'
import { shortTime } from '../../src/clients/cli/times.js'
import { table } from '../../src/clients/cli/table.js'
import { taskTitle } from '../../src/clients/cli/task-title.js'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const plan = fc.dictionary(
  fc.constantFrom('date', 'time', 'venue', 'notes'),
  fc.jsonValue({ maxDepth: 2 })
) as fc.Arbitrary<JsonObject>

describe('text for the screen', () => {
  it('shows plain text as it is, in any script', () => {
    for (const text of ['Trattoria Nonna', 'Trattoria “Là”', '東京', 'שלום', 'Привет', '🍝'])
      expect(visible(text)).to.equal(text)
  })

  it('makes what is hidden visible', () => {
    const cases: ReadonlyArray<[string, string]> = [
      ['\u001b[31m', '\\u{1b}[31m'],
      ['a\nb\tc', 'a\\nb\\tc'],
      ['\u202egnp.exe', '\\u{202e}gnp.exe'],
      ['pay\u200bpal', 'pay\\u{200b}pal'],
      ['\u{e0041}', '\\u{e0041}'],
      ['\u009b', '\\u{9b}'],
      ['\ud800', '\\u{d800}'],
      ['\ufe0f', '\\u{fe0f}']
    ]
    for (const [text, shown] of cases) expect(visible(text)).to.equal(shown)
  })

  it('never leaves a control character, whatever comes in', () => {
    fc.assert(fc.property(anyText, (text) => !/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/u.test(visible(text))))
  })

  it('writes JSON that reads back as the same value and holds no control character', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = asJson(value)
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)))
        expect(text).not.to.match(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/u)
      })
    )
  })

  it('keeps every row of a table on one line', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }), (rows) => {
        expect(table(['one', 'two'], rows).split('\n')).to.have.length(rows.length + 1)
      })
    )
  })

  it('makes a block of each row where the window is too narrow for the table, and leaves out what is empty', () => {
    const rows = [
      ['@bob', 'active', '東京'],
      ['@carol', '', 'Rome']
    ]
    const wide = table(['name', 'status', 'city'], rows)
    expect(table(['name', 'status', 'city'], rows, 20)).to.equal(wide)
    expect(table(['name', 'status', 'city'], rows, 19)).to.equal(
      'name    @bob\nstatus  active\ncity    東京\n\nname  @carol\ncity  Rome'
    )
  })

  it('shortens the times of the API and nothing else', () => {
    expect(shortTime('2026-11-14T19:45:00.000Z')).to.equal('2026-11-14 19:45 UTC')
    expect(shortTime('yesterday')).to.equal('yesterday')
  })
})

describe('the title of a task', () => {
  const dinner = { name: 'dinner.coordination', version: 1, hash: 'aa' }
  const job = { ...JOB_TYPE, hash: 'bb' }
  const types = [{ ...dinner, builtin: true, definition: { title: 'Dinner' }, actions: [] }]
  const brief = 'A sun with eight rays, drawn by hand on one page'
  const plan = (proposal: JsonObject) => [{ proposal }] as unknown as Parameters<typeof taskTitle>[0]['proposals']
  const cases: ReadonlyArray<readonly [string, Parameters<typeof taskTitle>[0], string]> = [
    ['the label of the own agent', { type: dinner, title: 'With Bob', proposals: [] }, 'With Bob'],
    ['what its type is called where it has no label', { type: dinner, proposals: [] }, 'Dinner'],
    ['the brief of a job', { type: job, proposals: plan({ brief }) }, 'A sun with eight rays, drawn by hand on…'],
    ['nothing where the type is gone', { type: { ...dinner, hash: 'cc' }, proposals: [] }, '']
  ]
  for (const [what, task, title] of cases) {
    it(`is ${what}`, () => expect(taskTitle(task, types)).to.equal(title))
  }
})

describe('the names of agents', () => {
  it('are those of contacts, and say which agents are the owner’s own', async () => {
    const answers: Record<string, unknown> = {
      'owner.contacts.list': { items: [{ agent: 'al1bob', handle: '@bob' }] },
      'owner.agents.list': { items: [{ agent: 'al1alice', name: 'default', handle: '@alice' }] }
    }
    const session = { owner: (route: string) => Promise.resolve(answers[route]) }
    const nameOf = await contactNames({ pick: {}, session } as unknown as Run)
    expect(['al1bob', 'al1alice', 'al1carol'].map(nameOf)).to.deep.equal(['@bob', '@alice (yours)', 'al1carol'])
  })
})

describe('a plan for the screen', () => {
  it('has a line for each leaf, empty ones included', () => {
    const lines = linesOf({
      venue: { name: 'Nonna', area: null },
      dietaryNotes: ['a', 'b'],
      notes: '',
      list: [],
      group: {}
    })
    expect(lines.map((line) => `${line.path} ${line.value}`)).to.deep.equal([
      'dietaryNotes[0] "a"',
      'dietaryNotes[1] "b"',
      'group {}',
      'list []',
      'notes ""',
      'venue.area null',
      'venue.name "Nonna"'
    ])
  })

  it('differs from itself in nothing', () => {
    fc.assert(fc.property(plan, (one) => changesBetween(one, one).length === 0))
  })

  it('shows every change, in both directions', () => {
    fc.assert(
      fc.property(plan, plan, (before, after) => {
        const there = changesBetween(before, after)
        const back = changesBetween(after, before)
        const turned = back.map(({ path, value, sign }) => `${sign === '+' ? '-' : '+'} ${path} ${value}`)
        expect(turned.sort()).to.deep.equal(there.map(({ path, value, sign }) => `${sign} ${path} ${value}`).sort())
        const same = JSON.stringify(linesOf(before)) === JSON.stringify(linesOf(after))
        expect(there.length === 0).to.equal(same)
      })
    )
  })
})
