import { expect } from 'chai'
import { commandFor } from '../../src/clients/cli/hints.js'
import { type Money, paymentList, paymentText } from '../../src/clients/cli/payment-text.js'
import { PAYMENT_FAULTS } from '../../src/payments/finding.js'
import { table } from '../../src/clients/cli/table.js'

const TERMS = {
  cluster: 'solana:devnet',
  payer: 'PayerAddress',
  recipient: 'RecipientAddress',
  lamports: '250000000',
  reference: 'Reference',
  memo: 'agentlink:1:task:plan'
} as const
const SIGNATURE = '5'.repeat(88)
const AT = '2026-12-02T10:00:00.000Z'
const nameOf = (): string => '@bob'
const hints = { command: (words: string): string => commandFor(words, { home: '/h', agent: 'work' }), table }

function money(more: Partial<Money>): Money {
  const parties = { agent: 'al1alice', participant: 'al1bob', taskUid: 'uid', role: 'hirer' } as const
  return { ...parties, status: 'paying', price: '0.25', cluster: 'solana:devnet', paid: [], received: [], ...more }
}

function seen(code: string, lamports = '250000000') {
  return { signature: SIGNATURE, attempt: 1, code, lamports, at: AT }
}

describe('the money of jobs on the screen', () => {
  it('has every parameter of an attempt, and how far it came', () => {
    const attempt = { attempt: 1, state: 'landed', terms: TERMS, at: AT, signature: SIGNATURE } as const
    const text = paymentText(money({ detail: 'landed', paid: [attempt] }), nameOf, hints)
    for (const part of Object.values(TERMS).slice(1)) {
      expect(text).to.include(part === TERMS.lamports ? '0.25 SOL' : part)
    }
    expect(text).to.include('landed: finalized on the chain').and.include('(landed)')
    expect(text).to.include('https://explorer.solana.com/tx/5')
  })

  it('says why an attempt is dead, and that nothing was paid', () => {
    const attempt = { attempt: 1, state: 'dead', terms: TERMS, at: AT, code: 'insufficient_funds' } as const
    const text = paymentText(money({ status: 'agreed', paid: [attempt] }), nameOf, hints)
    expect(text).to.include('nothing was paid').and.include('agentlink wallet airdrop --home /h')
  })

  it('has words for whatever a verifier finds, beside the code', () => {
    for (const code of ['paid', 'double', 'already_spent', ...PAYMENT_FAULTS]) {
      const text = paymentText(money({ role: 'provider', received: [seen(code)] }), nameOf, hints)
      expect(text, code).to.match(new RegExp(`: [^\\n]{12,} \\(${code}\\)\\n`))
      expect(text.includes('nothing back'), code).to.equal(code !== 'paid')
    }
  })

  it('shows a code that it does not know as it is, with nothing hidden', () => {
    const text = paymentText(money({ received: [seen('odd\u202e')] }), nameOf, hints)
    expect(text).to.include('odd\\u{202e}')
  })

  it('lists a line for each job, and points to money that does not pay for one', () => {
    const odd = money({ role: 'provider', status: 'paid', received: [seen('paid'), seen('double')] })
    const text = paymentList({ items: [money({}), odd] }, nameOf, hints)
    expect(text).to.include('paid, double').and.include('agentlink payment show uid --home /h --agent work')
    expect(paymentList({ items: [] }, nameOf, hints)).to.equal('No payments.')
    expect(paymentList({ items: [money({})] }, nameOf, hints))
      .to.include('nothing yet')
      .and.not.include('Odd')
  })
})
