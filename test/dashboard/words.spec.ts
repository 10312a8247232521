import { expect } from 'chai'
import fc from 'fast-check'
import { type Approval, answersTo, deedOf, outcomeOf, placeOfSubject } from '../../src/dashboard/words/approvals.js'
import { badgeOf } from '../../src/dashboard/words/badges.js'
import { capabilityWords } from '../../src/dashboard/words/capabilities.js'
import { explorerOf, solOf } from '../../src/api/words/money.js'
import { fileStem } from '../../src/dashboard/words/files.js'
import { addressOf, placeIn, upFrom } from '../../src/dashboard/words/place.js'
import { NO_ANSWER, refusalWords } from '../../src/dashboard/words/refusals.js'
import { distanceOf } from '../../src/dashboard/words/times.js'
import { compare, countWords, rowsOf } from '../../src/dashboard/words/values.js'
import { TASK_STATUSES } from '../../src/api/words.js'
import { refusal } from '../../src/base/refusal.js'

const json = fc.dictionary(
  fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/),
  fc.oneof(fc.string(), fc.integer(), fc.boolean())
)

describe('a plan on the owner’s page', () => {
  it('shows what is new, changed and gone against the plan before, and what stays', () => {
    const rows = compare({ time: '19:00', size: 2, note: 'x' }, { time: '19:45', size: 2, cuisine: 'Thai' })
    expect(rows.map((row) => [row.path, row.change, row.shown.text, row.was?.text])).to.deep.equal([
      ['cuisine', 'new', 'Thai', undefined],
      ['note', 'gone', 'x', undefined],
      ['size', 'same', '2', undefined],
      ['time', 'changed', '19:45', '19:00']
    ])
    expect(countWords(rows)).to.equal('3 things differ.')
  })

  it('differs in nothing from itself', () => {
    fc.assert(fc.property(json, (plan) => countWords(compare(plan, plan)) === 'Nothing differs.'))
  })

  it('tells text from a number of the same look, and writes out what would deceive the eye', () => {
    const rows = rowsOf({ a: '4', b: 4, c: '\u202egpj', d: [], e: true })
    expect(rows.map((row) => [row.shown.as, row.shown.text])).to.deep.equal([
      ['text', '4'],
      ['exact', '4'],
      ['text', '\\u{202e}gpj'],
      ['exact', 'none'],
      ['exact', 'yes']
    ])
  })
})

describe('words of the owner’s page', () => {
  it('has a word for every status of a task', () => {
    for (const status of TASK_STATUSES) expect(badgeOf('task', status).text).not.to.equal(status)
  })

  it('shows a state that it does not know by its own name, names of every object among them', () => {
    for (const state of ['later', 'constructor', '__proto__']) {
      expect(badgeOf('task', state)).to.deep.equal({ tone: 'quiet', text: state })
    }
    expect(capabilityWords('toString')).to.equal('toString')
  })

  it('leaves out of a refusal what only a program that calls routes can use', () => {
    const titled = (message: string): string => refusalWords(refusal('conflict', message)).title
    expect(titled('There is no such task. GET /v1/agent/tasks lists them.')).to.equal('There is no such task.')
    expect(titled('GET /v1/agent/tasks lists them.')).to.equal('GET /v1/agent/tasks lists them.')
  })

  it('says once what the node said, beside other words only, and that it does not answer only when nothing came', () => {
    expect(refusalWords(refusal('conflict', 'no comma'))).to.deep.equal({ title: 'No comma.', next: '' })
    expect(refusalWords(refusal('rate_limited', 'later'))).to.include({ title: 'That was too fast.', said: 'Later.' })
    expect(refusalWords(refusal('unavailable', 'the node is starting')).title).to.equal('The node is starting.')
    expect(refusalWords(NO_ANSWER)).to.not.have.property('said')
    expect(refusalWords(NO_ANSWER).next).to.contain('agentlink start').and.contain('agentlink dashboard')
  })

  it('names files after what they are about, in characters that every file system takes', () => {
    const uid = '9a31c0de'.repeat(4)
    const cases = [
      ['Dinner with Bob', 'dinner-with-bob-9a31c0de'],
      ['../../etc/pass\u202ewd', 'etc-pass-wd-9a31c0de'],
      ['夕食', '9a31c0de']
    ] as const
    for (const [title, name] of cases) expect(fileStem(title, uid)).to.equal(name)
    expect(fileStem('long '.repeat(100), uid)).to.have.length.below(50)
  })

  it('names the category that a type made up', () => {
    expect(capabilityWords('disclose.x.allergies')).to.contain('allergies')
  })

  it('offers the answers that a question takes, and asks once more for what reaches further', () => {
    const base = { kind: 'disclosure', capabilities: ['disclose.budget'] }
    const all = answersTo({ ...base, scopes: ['once', 'contact', 'always'] } as unknown as Approval, '@bob')
    expect(all.map(({ decision, scope, grave }) => [decision, scope, grave])).to.deep.equal([
      ['approve', 'once', false],
      ['approve', 'contact', true],
      ['approve', 'always', true],
      ['deny', 'once', false]
    ])
    const action = { ...base, kind: 'action', scopes: ['once', 'contact'] } as unknown as Approval
    for (const { does } of answersTo(action, '@bob').slice(0, 2)) expect(does).to.match(/^Your agent may record /)
    const pay = answersTo(
      { kind: 'payment', capabilities: ['pay.solana'], scopes: ['once'] } as unknown as Approval,
      '@bob'
    )
    expect(pay.map(({ text, grave }) => [text, grave])).to.deep.equal([
      ['Yes, pay', true],
      ['No', false]
    ])
  })

  it('says what a question is about, what came of it, and where that stands', () => {
    const asks = (more: object): Approval =>
      ({ agent: 'al1alice', taskUid: 't', kind: 'envelope', content: {}, status: 'approved', ...more }) as never
    const verdict = { action: 'envelope.verdict', title: 'Make the failing\n test pass' }
    expect(deedOf(asks({ ...verdict, content: { passed: true } }))).to.equal(
      'Say that the check of delegated work passed: “Make the failing test pass”'
    )
    expect(deedOf(asks(verdict))).to.include('did not pass')
    const begins = { kind: 'disclosure', action: 'create', type: { name: 'dinner.coordination', version: 1 } }
    expect(deedOf(asks({ ...begins, title: 'Dinner' }))).to.equal('Begin a task with this plan: “Dinner”')
    expect(outcomeOf(asks({ kind: 'action' }))).to.include('records it when it asks again')
    expect(outcomeOf(asks(begins))).to.equal('You said yes.')
    expect(placeOfSubject(asks(verdict))).to.equal('#/envelopes/t?agent=al1alice')
    expect(placeOfSubject(asks({ kind: 'payment' }))).to.equal('#/tasks/t?agent=al1alice')
    for (const none of [begins, { action: 'envelope.submit' }, { kind: 'type' }, { taskUid: undefined }]) {
      expect(placeOfSubject(asks(none))).to.equal(undefined)
    }
  })

  it('says what to do about a refusal, and else what the node said', () => {
    expect(refusalWords(refusal('conflict', 'x', { code: 'preset_stale' })).next).to.contain('preview')
    expect(refusalWords(refusal('bad_request', 'time must be a time')).title).to.equal('Time must be a time.')
  })
})

describe('amounts on the owner’s page', () => {
  it('are exact to the lamport', () => {
    const cases = [
      ['0', '0 SOL'],
      ['1', '0.000000001 SOL'],
      ['500000000', '0.5 SOL'],
      ['9223372036854775807', '9223372036.854775807 SOL'],
      ['-1', '-1 lamports']
    ] as const
    for (const [lamports, text] of cases) expect(solOf(lamports)).to.equal(text)
  })

  it('are looked up where everybody can, and only there', () => {
    const signature = '5'.repeat(88)
    expect(explorerOf('solana:devnet', signature)).to.contain(`/tx/${signature}?cluster=devnet`)
    expect(explorerOf('solana:localnet', signature)).to.equal(undefined)
    expect(explorerOf('solana:devnet', '../evil?x=')).to.equal(undefined)
  })
})

describe('times on the owner’s page', () => {
  const now = Date.parse('2026-12-02T12:00:00.000Z')
  it('are told by their distance', () => {
    const cases = [
      ['2026-12-02T12:00:30.000Z', 'in less than a minute'],
      ['2026-12-02T11:59:30.000Z', 'just now'],
      ['2026-12-02T15:00:00.000Z', 'in 3 hours'],
      ['2026-12-02T14:59:40.000Z', 'in 3 hours'],
      ['2026-12-02T10:40:00.000Z', '1 hour ago'],
      ['2026-12-02T12:59:40.000Z', 'in 1 hour'],
      ['2026-12-04T11:59:40.000Z', 'in 2 days'],
      ['2026-11-30T12:00:00.000Z', '2 days ago'],
      ['soon', 'soon']
    ] as const
    for (const [at, text] of cases) expect(distanceOf(at, now)).to.equal(text)
  })

  it('are told from a day on by the calendar of the owner', () => {
    const evening = new Date(2026, 11, 2, 22).getTime()
    const cases = [
      [new Date(2026, 11, 3, 23), 'tomorrow'],
      [new Date(2026, 11, 4, 1), 'in 2 days'],
      [new Date(2026, 11, 1, 1), 'yesterday'],
      [new Date(2026, 10, 30, 23), '2 days ago']
    ] as const
    for (const [at, text] of cases) expect(distanceOf(at.toISOString(), evening)).to.equal(text)
  })
})

describe('an address of the owner’s page', () => {
  it('reads back as it was written, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (id, status) => {
        fc.pre(isWhole(id) && isWhole(status))
        const place = placeIn(addressOf(['tasks', id], { status }))
        expect(place).to.deep.equal({ page: 'tasks', rest: [id], query: { status } })
      })
    )
  })

  it('may say from where it was opened, which the way back goes by', () => {
    const list = { href: '#/tasks', text: 'Tasks' }
    expect(upFrom('money', list)).to.deep.equal({ href: '#/money', text: 'Jobs & money' })
    for (const odd of [undefined, '', 'constructor', 'https://evil.example']) {
      expect(upFrom(odd, list)).to.equal(list)
    }
  })

  it('that is not well formed leads nowhere instead of breaking', () => {
    expect(placeIn('#/%E0%A4%A/x').page).to.equal('')
  })
})

function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
