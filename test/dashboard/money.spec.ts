import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { Refusal } from '../../src/base/refusal.js'
import { badRequest, conflict } from '../../src/base/refusal.js'
import { ok } from '../../src/base/result.js'
import { faultsAt } from '../../src/dashboard/words/faults.js'
import { type Approval, deedOf, planTypeOf, stepOf } from '../../src/dashboard/words/approvals.js'
import { briefIn, jobPrice, jobTitle } from '../../src/dashboard/words/job-plans.js'
import {
  agreedIn,
  detailWords,
  hiringWords,
  isLate,
  questionOf,
  questionsBeside,
  receiptWords
} from '../../src/dashboard/words/jobs.js'
import { type StandingJob, turnOf } from '../../src/api/words/jobs.js'
import { explorerOf, solOf } from '../../src/api/words/money.js'
import { MOST_WORDS, changesTo, draftOf, hoursWords, offerIn } from '../../src/dashboard/words/offers.js'
import { deadWords, receivedWords } from '../../src/api/words/payments.js'
import { hasOdd } from '../../src/dashboard/words/payments.js'
import { titleOf } from '../../src/dashboard/words/timeline.js'
import { clusterWords, dayWords, leftWords, meterOf } from '../../src/dashboard/words/wallet.js'
import { TASK_STATUSES } from '../../src/api/words.js'
import { PAYMENT_FAULTS } from '../../src/payments/finding.js'

const SIGNATURE = '5'.repeat(88)
const SPOOF = 'a\u202eb\u001b[2J'

describe('limits on the owner’s page', () => {
  const LIMITS = { perJob: '500000000', perDay: '2000000000', left: '1750000000' }

  it('are a meter with its sentence', () => {
    expect(meterOf({ counted: '250000000', perDay: '2000000000' })).to.equal(125)
    expect(meterOf({ counted: '0', perDay: '2000000000' })).to.equal(0)
    for (const counted of ['2000000000', '9000000000', 'nonsense']) {
      expect(meterOf({ counted, perDay: '2000000000' })).to.equal(1000)
    }
    expect(meterOf({ counted: '0', perDay: '0' })).to.equal(1000)
    expect(dayWords({ ...LIMITS, counted: '250000000' })).to.equal(
      '0.25 SOL of 2 SOL promised or spent, 1.75 SOL left to spend'
    )
  })

  const asked: ReadonlyArray<readonly [string, 'within' | 'above', string]> = [
    ['250000000', 'within', '1.5 SOL after this payment'],
    ['500000000', 'within', '1.25 SOL after this payment'],
    ['500000001', 'above', 'one job may cost'],
    ['x', 'within', '1.75 SOL of the 2 SOL']
  ]
  for (const [lamports, state, part] of asked) {
    it(`say what ${lamports} lamports leave of them`, () => {
      const words = leftWords(LIMITS, lamports)
      expect(words.state).to.equal(state)
      expect(words.text).to.include(part)
    })
  }

  it('say that a yes pays nothing when too little is left of the day', () => {
    expect(leftWords({ ...LIMITS, left: '1' }, '2')).to.have.property('state', 'above')
    expect(leftWords({ ...LIMITS, left: '2' }, '2')).to.have.property('state', 'within')
  })

  it('never let play money look like real money', () => {
    for (const cluster of ['solana:devnet', 'solana:localnet', SPOOF]) {
      expect(clusterWords(cluster)).to.match(/^Play money on /)
      expect(clusterWords(cluster)).not.to.include('\u202e')
    }
  })
})

describe('payments on the owner’s page', () => {
  it('name every fault that a verifier finds, with its code', () => {
    for (const fault of [...PAYMENT_FAULTS, 'paid', 'double', 'already_spent']) {
      expect(receivedWords(fault))
        .to.match(/^[A-Z]/)
        .and.include(`(${fault})`)
    }
    for (const code of ['insufficient_funds', 'payment_too_late', 'paid_before', 'not_landed', 'failed', 'refused']) {
      expect(deadWords(code)).to.include(`(${code})`)
    }
    expect(receivedWords('constructor')).to.equal('constructor')
    expect(deadWords(SPOOF)).not.to.include('\u202e')
  })

  it('mark money that did not pay for the job', () => {
    const came = (code: string) => ({ signature: SIGNATURE, attempt: 1, code, lamports: '1', at: '' })
    expect(hasOdd({ received: [came('paid')] })).to.equal(false)
    expect(hasOdd({ received: [came('paid'), came('double')] })).to.equal(true)
  })

  it('link to the explorer for devnet alone, and only what is a signature', () => {
    expect(explorerOf('solana:devnet', SIGNATURE)).to.equal(
      `https://explorer.solana.com/tx/${SIGNATURE}?cluster=devnet`
    )
    for (const odd of [
      '',
      '5'.repeat(63),
      '5'.repeat(89),
      `${'5'.repeat(80)}/../x`,
      `${'5'.repeat(80)}?a`,
      `0${SIGNATURE}`
    ]) {
      expect(explorerOf('solana:devnet', odd)).to.equal(undefined)
    }
    for (const cluster of ['solana:localnet', 'solana:mainnet', 'https://evil.example']) {
      expect(explorerOf(cluster, SIGNATURE)).to.equal(undefined)
    }
    expect(solOf('1')).to.equal('0.000000001 SOL')
  })
})

describe('jobs on the owner’s page', () => {
  const task = (more: object) =>
    ({ agent: 'al1alice', taskUid: 't', role: 'inviter', participantHandle: '@bob', proposals: [], ...more }) as never

  it('are told by label or brief, price and direction', () => {
    const plan = { proposals: [{ proposal: { brief: `A sun ${SPOOF}`, price: '0.25' } }] }
    expect(jobTitle(task(plan)))
      .to.match(/^A sun/)
      .and.not.include('\u202e')
    expect(jobTitle(task({ ...plan, title: 'Mine' }))).to.equal('Mine')
    expect(jobTitle(task({}))).to.equal('A job')
    expect(jobPrice(task(plan))).to.equal('0.25 SOL')
    expect(jobPrice(task({}))).to.equal(undefined)
    expect(hiringWords(task({}))).to.equal('You hire @bob')
    expect(hiringWords(task({ role: 'invitee' }))).to.equal('@bob hires you')
    expect(hiringWords(task({ participantHandle: '' }))).to.include('a contact that is gone')
  })

  it('say what is waited for, and what is late', () => {
    expect(detailWords('payment_due')).to.include('pay')
    expect(detailWords(undefined)).to.equal(undefined)
    expect(detailWords('toString')).to.equal('toString')
    expect(['not_landed', 'delivery_overdue', 'completion_overdue'].every(isLate)).to.equal(true)
    expect(isLate('on_its_way') || isLate(undefined)).to.equal(false)
  })

  it('are paid by what the agreed plan says, whatever other plans say', () => {
    const plan = { price: '0.25', payTo: 'B', cluster: 'solana:devnet' }
    const proposals = [
      { proposalId: 'p', proposal: plan },
      { proposalId: 'q', proposal: { price: '9' } }
    ]
    expect(agreedIn(task({ proposals, agreedProposalId: 'p' }))).to.deep.equal({ ...plan, price: '0.25 SOL' })
    const nothing = { price: undefined, payTo: undefined, cluster: '' }
    expect(agreedIn(task({ proposals }))).to.deep.equal(nothing)
    expect(agreedIn(task({ proposals: [{ proposalId: 'p', proposal: { payTo: 7, cluster: [] } }] }))).to.deep.equal(
      nothing
    )
  })

  it('have their money by the word of whoever found it', () => {
    expect(receiptWords(task({}), { price: '0.25 SOL' })).to.equal('The provider says that it has 0.25 SOL')
    expect(receiptWords(task({ role: 'invitee' }), { price: undefined })).to.include('Your node has found the money')
  })

  it('lead to the question that waits, of this agent and this task alone', () => {
    const asks = (more: object) => ({ agent: 'al1alice', taskUid: 't', status: 'pending', ...more }) as never
    const right = asks({})
    const others = [asks({ agent: 'al1work' }), asks({ taskUid: 'u' }), asks({ status: 'used' })]
    expect(questionOf(task({}), [...others, right])).to.equal(right)
    expect(questionOf(task({}), others)).to.equal(undefined)
  })
})

describe('who acts next in a paid job', () => {
  const plan = (by: 'self' | 'peer', status = 'pending', payTo?: string) => ({
    ...{ version: 2, by, status },
    proposal: payTo === undefined ? {} : { payTo }
  })
  const job = (more: Partial<StandingJob>): StandingJob => ({
    ...{ taskUid: 't', role: 'inviter', status: 'negotiating', proposals: [] },
    ...more
  })
  const [hirer, provider] = [{ role: 'inviter' }, { role: 'invitee' }] as const
  const detail = (name: 'landed' | 'on_its_way') => ({ job: { detail: name } })

  const told: ReadonlyArray<readonly [Partial<StandingJob>, string, string?]> = [
    [{ ...hirer, proposals: [plan('self')] }, 'The provider acts next: it quotes, or cancels.'],
    [{ ...provider, proposals: [plan('peer')] }, 'Your agent acts next: it quotes, or cancels.', 'job quote t'],
    [
      { ...hirer, proposals: [plan('peer', 'pending', 'A')] },
      'Your agent acts next: it accepts plan 2',
      'job accept t 2'
    ],
    [{ ...provider, proposals: [plan('self', 'pending', 'A')] }, 'The hirer acts next: it accepts plan 2'],
    [{ ...hirer, proposals: [plan('peer')] }, 'Your agent acts next: it proposes another plan'],
    [{ proposals: [plan('self', 'rejected')] }, 'Either side acts next'],
    [{ ...hirer, status: 'agreed' }, 'Your agent acts next: it pays', 'job pay t'],
    [{ ...provider, status: 'agreed' }, 'The hirer acts next: it pays'],
    [{ ...hirer, status: 'agreed', ...detail('landed') }, 'Nobody has to act: the payment has landed'],
    [{ status: 'awaiting_approval' }, 'You act next', 'approval list'],
    [{ status: 'paying', ...detail('on_its_way') }, 'Nobody has to act: the payment is on its way'],
    [{ status: 'paying', ...detail('landed') }, 'Nobody has to act: the payment has landed'],
    [{ ...provider, status: 'paid' }, 'Your agent acts next: it delivers', 'job deliver t --artifact FILE'],
    [{ ...hirer, status: 'paid' }, 'The provider acts next: it delivers'],
    [{ ...hirer, status: 'delivered' }, 'Your agent acts next: it looks', 'job complete t'],
    [{ ...provider, status: 'delivered' }, 'The hirer acts next: it looks'],
    [{ status: 'agreed', cancelRequested: true }, 'Nobody has to act: the cancel is on its way']
  ]
  for (const [more, says, command] of told) {
    it(`is said of a job that is ${JSON.stringify(more)}`, () => {
      const turn = turnOf(job(more), undefined)
      expect(turn.says.startsWith(says), turn.says).to.equal(true)
      expect(turn.command).to.equal(command)
    })
  }

  const ENDED: readonly string[] = ['completed', 'confirmed', 'cancelled', 'expired']
  it('is one sentence in every state, and the owner wherever a question waits', () => {
    for (const status of TASK_STATUSES) {
      for (const role of ['inviter', 'invitee'] as const) {
        expect(turnOf(job({ status, role }), undefined).says, status).to.match(/^[A-Z][^.]+\.$/)
        const { whose } = turnOf(job({ status, role }), 'q')
        expect(whose, status).to.equal(ENDED.includes(status) ? 'nobody' : 'owner')
      }
    }
    for (const status of ['completed', 'cancelled', 'expired'] as const) {
      expect(turnOf(job({ status }), undefined).says).to.match(/^Nothing more happens: /)
    }
  })
})

describe('questions about paid jobs on the owner’s page', () => {
  const PLAN = { brief: 'Draw a sun', price: '0.25' }
  const JOB = { name: 'job.request', version: 1, hash: 'h' }
  const asks = (more: object) =>
    ({
      agent: 'al1alice',
      taskUid: 't',
      status: 'pending',
      kind: 'disclosure',
      proposal: PLAN,
      ...more
    }) as unknown as Approval

  const said: ReadonlyArray<readonly [object, string]> = [
    [{ action: 'create', type: JOB }, 'Ask for a paid job at 0.25 SOL: “Draw a sun”'],
    [{ action: 'propose', type: JOB }, 'Send this plan of a paid job at 0.25 SOL: “Draw a sun”'],
    [{ action: 'propose', type: JOB, proposal: {} }, 'Send this plan of a paid job'],
    [{ kind: 'payment' }, 'Pay 0.25 SOL for a job: “Draw a sun”'],
    [{ kind: 'delivery' }, 'Hand over the work of a paid job at 0.25 SOL: “Draw a sun”'],
    [{ kind: 'delivery', proposal: undefined }, 'Hand over the work of a paid job'],
    [{ action: 'create', type: { ...JOB, name: 'x.request' } }, 'Begin a task with this plan'],
    [{ action: 'create', type: { ...JOB, version: 2 } }, 'Begin a task with this plan']
  ]
  for (const [question, words] of said) it(`read: ${words}`, () => expect(deedOf(asks(question))).to.equal(words))

  it('are told apart from others by their words, and those by the type of their task', () => {
    const dinner = { ...JOB, name: 'dinner.coordination' }
    const types = [asks({ type: JOB }), asks({ kind: 'payment' }), asks({ type: dinner })].map(planTypeOf)
    expect(types).to.deep.equal([undefined, undefined, 'dinner.coordination@1'])
  })

  it('leave the title out where it stands beside them', () => {
    expect(stepOf(asks({ kind: 'payment' }))).to.equal('Pay 0.25 SOL for a job')
  })

  it('stand by themselves while no card of a job has them', () => {
    const begins = asks({ action: 'create', type: JOB, taskUid: 'new' })
    const others = [
      asks({ kind: 'payment' }),
      asks({ action: 'create', type: { ...JOB, name: 'dinner.coordination' } }),
      asks({ action: 'create', type: JOB, status: 'denied' })
    ]
    const job = { agent: 'al1alice', taskUid: 't' }
    expect(questionsBeside([job], [...others, begins])).to.deep.equal([begins])
    expect(questionsBeside([{ ...job, agent: 'al1work' }], [begins, ...others])).to.deep.equal([begins, others[0]])
  })

  it('show the beginning of a brief on one line, with what deceives written out', () => {
    expect(briefIn({ brief: `  A\n\n sun ${SPOOF} ` })).to.equal('A sun a\\u{202e}b\\u{1b}[2J')
    expect(briefIn({ brief: '☀'.repeat(81) })).to.equal(`${'☀'.repeat(79)}…`)
    expect(briefIn({ brief: '☀'.repeat(80) })).to.equal('☀'.repeat(80))
    for (const none of [undefined, {}, { brief: 7 }, { brief: ' ' }]) expect(briefIn(none as never)).to.equal(undefined)
  })

  it('and a task that is a job goes by its brief everywhere, where its agent gave it no label', () => {
    const job = { type: JOB, typeTitle: 'Paid job', proposals: [{ proposal: PLAN }] } as never
    expect(titleOf(job)).to.equal('Draw a sun')
  })
})

describe('the form of an offer', () => {
  const OFFER = {
    offerId: '3'.repeat(32),
    title: 'A sun',
    description: 'Drawn',
    deliverable: 'sun.svg',
    price: '0.25',
    turnaroundHours: 24
  }
  const { offerId: _, ...TEXT } = OFFER
  const JOB = JSON.parse(readFileSync('protocols/types/job.request@1.json', 'utf8')) as {
    readonly fields: ReadonlyArray<{ readonly name: string; readonly maximum?: string }>
  }
  /** The field that keeps a draft from being sent. */
  const fieldOf = (more: object): unknown => {
    const read = offerIn({ ...draftOf(OFFER), ...more })
    return read.ok ? undefined : read.refusal.details.field
  }

  it('sends what stands there, and of an edit what differs', () => {
    const draft = draftOf(OFFER)
    expect(offerIn(draft)).to.deep.equal(ok(TEXT))
    expect(offerIn({ ...draft, title: '  A sun ', turnaroundHours: ' 48 ' })).to.deep.equal(
      ok({ ...TEXT, turnaroundHours: 48 })
    )
    expect(changesTo(OFFER, TEXT)).to.deep.equal({})
    expect(changesTo(OFFER, { ...TEXT, price: '0.3' })).to.deep.equal({ price: '0.3' })
  })

  it('sends no hours that are no number, and leaves what is too much to the node', () => {
    for (const hours of ['', 'x', '1.5', '-1', '1e3', '9'.repeat(10)]) {
      expect(fieldOf({ turnaroundHours: hours })).to.equal('turnaroundHours')
    }
    expect(fieldOf({ turnaroundHours: '721' })).to.equal(undefined)
  })

  it('asks for a point in the price, and for one that a job can cost', () => {
    const most = JOB.fields.find(({ name }) => name === 'price')?.maximum ?? ''
    expect(MOST_WORDS).to.equal(`${most.replace(/(?=(?:...)+$)/g, ',').replace(/^,/, '')} SOL`)
    for (const odd of ['0,5', '1,000', ',5', `${most}.000000001`, '100000001', '999999999', '9'.repeat(30)]) {
      expect(fieldOf({ price: odd }), odd).to.equal('price')
    }
    for (const left of [most, `${most}.0`, '0.5', '0', '-1', '', 'free', '0.0000000001']) {
      expect(fieldOf({ price: left }), `${left} is for the node`).to.equal(undefined)
    }
    const comma = offerIn({ ...draftOf(OFFER), price: '0,5' })
    expect(comma.ok ? '' : comma.refusal.message)
      .to.include('a point')
      .and.include('0.5')
  })

  it('says a refusal at the field that it is about, and any other above the form', () => {
    const fields = ['title', 'price']
    const priced: Refusal = badRequest('invalid_field', `body member price: must be SOL${SPOOF}`, 'price')
    const { fault, rest } = faultsAt(priced, fields)
    expect(fault('price'))
      .to.match(/^Must be SOL/)
      .and.not.include('\u202e')
    expect([fault('title'), rest]).to.deep.equal([undefined, undefined])
    for (const other of [conflict('too_many_offers', 'Too many.'), badRequest('invalid_field', 'no', 'agent')]) {
      const faults = faultsAt(other, fields)
      expect([faults.fault('price'), faults.rest]).to.deep.equal([undefined, other])
    }
    expect(faultsAt(undefined, fields).rest).to.equal(undefined)
  })

  it('says hours as days where they are days', () => {
    expect([1, 5, 24, 72, 25].map(hoursWords)).to.deep.equal(['one hour', '5 hours', 'one day', '3 days', '25 hours'])
  })
})
