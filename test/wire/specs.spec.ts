/** The pages in protocols/ against the code, where both hold the same list. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { DETAIL_CODES, REFUSAL_CODES } from '../../src/base/refusal.js'
import { CANCEL_REASONS, TASK_REFUSE_CODES } from '../../src/wire/forms.js'
import { KINDS } from '../../src/wire/kinds.js'
import { LIMITS } from '../../src/wire/limits.js'

function page(name: string): string {
  return readFileSync(new URL(`../../protocols/${name}`, import.meta.url), 'utf8')
}

/** Rows of the tables of a section: the cells without their marks. */
function rows(text: string, heading?: string): string[][] {
  const section = heading === undefined ? text : (text.split(`## ${heading}\n`)[1] ?? '').split('\n## ')[0]
  const lines = (section ?? '').split('\n').filter((line) => line.startsWith('| '))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/[`*]/g, ''))
  )
}

describe('The pages of the wire', () => {
  it('give every refusal code its row, and no other', () => {
    const text = page('refusal-codes.md')
    const codes = rows(text, 'Codes')
      .map(([code]) => code)
      .slice(1)
    expect(codes).to.have.members([...REFUSAL_CODES])
    const details = [
      'Details of bad_request',
      'Details of rate_limited',
      'Faults of a task envelope',
      'What does not authenticate',
      'Details of conflict',
      'Details of policy_denied',
      'Details of unavailable',
      'Codes of task.refuse'
    ]
      .flatMap((heading) => rows(text, heading).slice(1))
      .map(([code]) => code)
    expect([...new Set([...details, 'late_refuse'])]).to.have.members([...DETAIL_CODES])
  })

  it('list the codes of task.refuse and the reasons of task.cancel', () => {
    expect(
      rows(page('refusal-codes.md'), 'Codes of task.refuse')
        .map(([code]) => code)
        .slice(1)
    ).to.have.members([...TASK_REFUSE_CODES])
    const members = new Map(rows(page('messages.md'), 'Members').map(([name, value]) => [name, value ?? '']))
    for (const code of TASK_REFUSE_CODES) expect(members.get('code')).to.include(code)
    for (const reason of CANCEL_REASONS) expect(members.get('reason')).to.include(reason)
  })

  it('give every kind its row, with its task and its writer', () => {
    const table = rows(page('messages.md')).filter(([kind]) => kind?.includes('.') === true)
    expect(table.map(([kind]) => kind)).to.have.members(Object.keys(KINDS))
    for (const [kind, task, writer] of table) {
      const row = KINDS[kind as keyof typeof KINDS]
      expect(task, kind).to.equal(row.task ? 'yes' : 'no')
      expect(writer?.includes(row.writer), kind).to.equal(true)
    }
  })

  it('give every limit its value', () => {
    const table = new Map(rows(page('wire.md'), 'Limits').map(([name, value]) => [name, value?.replaceAll(',', '')]))
    table.delete('name')
    expect(Object.fromEntries(table)).to.deep.equal(
      Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, String(value)]))
    )
  })
})
