import { expect } from 'chai'
import { approvalText } from '../../src/clients/cli/approval-text.js'
import { commandFor } from '../../src/clients/cli/hints.js'
import { UID } from '../api/views.js'

const TERMS = {
  cluster: 'solana:devnet',
  payer: 'PayerAddress',
  recipient: 'RecipientAddress',
  lamports: '250000000',
  reference: 'Reference',
  memo: `agentlink:1:${UID}:${'ab'.repeat(32)}`
}
const PLAN = {
  brief: 'A sun\u001b[2J\nfor this plan',
  deliverable: 'sun.svg',
  deadline: '2027-12-24',
  price: '0.25',
  payTo: 'RecipientAddress',
  cluster: 'solana:devnet'
}
const APPROVAL = {
  approvalId: UID,
  kind: 'payment',
  status: 'pending',
  participant: 'al1bob',
  participantHandle: '@bob',
  agent: 'al1alice',
  taskUid: UID,
  createdAt: '2026-12-02T10:00:00.000Z',
  expiresAt: '2026-12-03T10:00:00.000Z',
  capabilities: ['pay.solana'],
  scopes: ['once'],
  proposalId: 'ab'.repeat(32),
  attempt: 2,
  terms: TERMS,
  proposal: PLAN
} as const

describe('the approval of a payment, as the owner reads it', () => {
  const text = approvalText(
    { ...APPROVAL, scopes: [...APPROVAL.scopes], capabilities: [...APPROVAL.capabilities] },
    new Map(),
    {
      command: (words) => commandFor(words, { home: '/h' })
    }
  )

  it('names every parameter that a yes binds', () => {
    const { lamports: _, ...exact } = TERMS
    for (const value of [...Object.values(exact), APPROVAL.proposalId]) expect(text).to.include(value)
    expect(text)
      .to.match(/^amount +0\.25 SOL$/m)
      .and.match(/^paid to +"RecipientAddress"$/m)
      .and.match(/^attempt +2$/m)
  })

  it('says who is paid, what for, until when, that there is no way back, and how to answer', () => {
    for (const part of [
      '@bob al1bob',
      UID,
      '2027-12-24',
      'sun.svg',
      'PAYS 0.25 SOL. There are no refunds.',
      'pay.solana'
    ]) {
      expect(text).to.include(part)
    }
    expect(text).to.include(`agentlink approval approve ${UID} --home /h`)
  })

  it('shows the words of the plan as text alone', () => {
    expect(text).not.to.include('\u001b')
    expect(text.split('\n').filter((line) => /for this plan/i.test(line) && !/^brief/.test(line))).to.have.length(1)
  })

  const withLimits = (left: string, perJob = '500000000'): string =>
    approvalText(
      {
        ...APPROVAL,
        scopes: [...APPROVAL.scopes],
        capabilities: [...APPROVAL.capabilities],
        limits: { perJob, perDay: '600000000', left }
      },
      new Map(),
      { command: (words) => commandFor(words, {}) }
    )

  it('says what is left of the limits, and that a yes above them pays nothing', () => {
    expect(text).not.to.match(/^limits/m)
    expect(withLimits('250000000')).to.match(/^limits +0\.25 SOL of 0\.6 SOL are left .*, 0 SOL after this payment/m)
    expect(withLimits('249999999')).to.match(/^limits +ABOVE what is left: 0\.249999999 SOL .* a yes pays nothing$/m)
    expect(withLimits('600000000', '249999999')).to.match(/^limits +ABOVE your limit of 0\.249999999 SOL for one job/m)
  })
})
