import { expect } from 'chai'
import {
  type Envelope,
  canCancel,
  directionWords,
  objectiveOf,
  pathWords
} from '../../src/dashboard/words/envelopes.js'
import { whyWords, workWords } from '../../src/api/words/reasons.js'
import {
  AGENT_CANCEL_CODES,
  NODE_CANCEL_CODES,
  NODE_REJECT_CODES,
  REPORT_CODES
} from '../../src/wire/envelope-bodies.js'
import { CANCEL_REASONS, TASK_REFUSE_CODES } from '../../src/wire/forms.js'
import {
  type Task,
  canCancel as canCancelTask,
  deliveryWords,
  endsByTime,
  hasCalendar,
  timelineOf
} from '../../src/dashboard/words/timeline.js'

const proposal = (version: number, at: string) => ({ proposalId: `p${version}`, version, by: 'self', at })

describe('a task on the owner’s page', () => {
  const task = {
    proposals: [proposal(1, '2026-12-02T10:00:00.000Z'), proposal(2, '2026-12-02T11:00:00.000Z')],
    confirms: [{ recordId: 'r', at: '2026-12-02T12:00:00.000Z' }],
    job: {
      attempts: [{ attempt: 1, at: '2026-12-02T11:30:00.000Z' }],
      completedAt: '2026-12-02T13:00:00.000Z'
    }
  } as unknown as Task

  it('is told oldest first, each plan beside the one before it', () => {
    const moments = timelineOf(task)
    expect(moments.map((moment) => moment.kind)).to.deep.equal([
      'proposal',
      'proposal',
      'attempt',
      'confirm',
      'completed'
    ])
    const [first, second] = moments
    expect(first?.kind === 'proposal' && first.before).to.equal(undefined)
    expect(second?.kind === 'proposal' && second.before?.proposalId).to.equal('p1')
  })

  it('is a calendar file once an action is recorded, and can be cancelled until something was done about it', () => {
    expect(hasCalendar(task)).to.equal(true)
    expect(hasCalendar({} as Task)).to.equal(false)
    for (const status of ['open', 'negotiating', 'agreed', 'awaiting_approval']) {
      expect(canCancelTask({ status } as Task), status).to.equal(true)
      expect(canCancelTask({ status, cancelRequested: true } as Task), status).to.equal(false)
    }
    for (const status of ['confirmed', 'paying', 'paid', 'delivered', 'completed', 'cancelled', 'expired']) {
      expect(canCancelTask({ status } as Task), status).to.equal(false)
    }
  })

  it('says when it ends by itself only where time alone can end it', () => {
    const ending = (name: string): string[] =>
      ['open', 'negotiating', 'agreed', 'awaiting_approval', 'confirmed', 'paying', 'paid', 'completed'].filter(
        (status) => endsByTime({ status, type: { name, version: 1 } } as Task)
      )
    expect(ending('dinner.coordination')).to.deep.equal(['open', 'negotiating'])
    expect(ending('job.request')).to.deep.equal(['open', 'negotiating', 'agreed', 'awaiting_approval'])
  })

  it('says how far what we sent has come', () => {
    expect(deliveryWords({ state: 'delivered', pending: 0 })).to.contain('lies on the other node')
    expect(deliveryWords({ state: 'queued', pending: 1 })).to.equal('One message is on the way.')
    expect(deliveryWords({ state: 'queued', pending: 2 })).to.equal('2 messages are on the way.')
    expect(deliveryWords({ state: 'refused', pending: 1, reason: 'not_contact' })).to.contain('refused')
  })

  it('says why in words with the code behind them, and repeats what somebody wrote', () => {
    for (const code of [...TASK_REFUSE_CODES, ...CANCEL_REASONS, 'unreachable', 'not_contact', 'busy']) {
      expect(whyWords(code))
        .to.match(/^(?!\w+_)/)
        .and.match(new RegExp(`.{15,} \\(${code}\\)$`))
    }
    expect(deliveryWords({ state: 'refused', pending: 0, reason: 'type_retired' })).to.contain(
      'no more (type_retired).'
    )
    expect(whyWords('We eat at home\u202e')).to.equal('We eat at home\\u{202e}')
    expect(whyWords('constructor')).to.equal('constructor')
  })
})

describe('delegated work on the owner’s page', () => {
  const work = (more: object): Envelope =>
    ({ role: 'sender', state: 'working', taskId: 't', participantHandle: '@bob', contract: {}, ...more }) as never

  it('is cancelled by its sender alone, and only while it lives', () => {
    expect(canCancel(work({}))).to.equal(true)
    for (const more of [{ role: 'recipient' }, { state: 'completed' }, { cancelRequested: true }]) {
      expect(canCancel(work(more))).to.equal(false)
    }
  })

  it('goes by its objective, with everything deceptive written out, or else by its name', () => {
    expect(objectiveOf(work({ contract: { objective: 'Parse\u202e' } }))).to.equal('Parse\\u{202e}')
    expect(objectiveOf(work({ contract: { objective: 7 } }))).to.equal('t')
  })

  it('says in words why it ended or stopped, with the code behind them', () => {
    const own = [...REPORT_CODES, ...NODE_REJECT_CODES, ...AGENT_CANCEL_CODES, ...NODE_CANCEL_CODES]
    for (const code of [...own, ...TASK_REFUSE_CODES]) {
      expect(workWords(code), code)
        .to.match(/^(?!\w+_)/)
        .and.match(new RegExp(`.{15,} \\(${code}\\)$`))
    }
    expect(workWords('busy'), 'a node that is busy is another thing').to.include('the agent')
    expect(workWords('odd\u202e')).to.equal('odd\\u{202e}')
  })

  it('says who delegated it to whom, and what a path stands for', () => {
    expect(directionWords(work({}))).to.equal('Delegated to @bob')
    expect(directionWords(work({ role: 'recipient', participantHandle: '' }))).to.equal(
      'Delegated by a contact that is gone'
    )
    expect(['', 'src/a'].map(pathWords)).to.deep.equal(['everything in it', 'src/a'])
  })
})
