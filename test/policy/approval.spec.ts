import { expect } from 'chai'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import type { TaskUid, TypeHash } from '../../src/base/ids.js'
import {
  type Approval,
  answer,
  grantsOf,
  markStale,
  type DisclosureSubject,
  markUsed,
  payloadOf,
  permits,
  statusAt
} from '../../src/policy/approval.js'

const { approval: start } = JSON.parse(readFileSync('protocols/vectors/approvals.json', 'utf8')) as {
  approval: Approval<DisclosureSubject>
}
const END = start.expiresAt
const taskUid = start.taskUid as TaskUid
const { agent, contact, subject, payload } = start
const exact = { agent, contact, taskUid, subject, payload }

type Move = readonly ['approve' | 'deny' | 'stale' | 'use', number]

/** Clocks jump: the times of the moves are in no order. */
const moves = fc.array(
  fc.tuple(fc.constantFrom('approve' as const, 'deny' as const, 'stale' as const, 'use' as const), fc.nat(END + 9)),
  { maxLength: 12 }
)

interface Life {
  readonly approval: Approval
  readonly yeses: number
  readonly answers: number
  readonly uses: number
}

function live({ approval, yeses, answers, uses }: Life, [what, at]: Move): Life {
  if (what === 'stale') return { approval: markStale(approval), yeses, answers, uses }
  if (what === 'use') {
    const used = markUsed(approval, at)
    return used.ok ? { approval: used.value, yeses, answers, uses: uses + 1 } : { approval, yeses, answers, uses }
  }
  const answered = answer(approval, { decision: what, scope: 'once' }, at)
  if (!answered.ok) return { approval, yeses, answers, uses }
  return { approval: answered.value, yeses: yeses + (what === 'approve' ? 1 : 0), answers: answers + 1, uses }
}

function lifeOf(all: readonly Move[]): Life {
  return all.reduce(live, { approval: start, yeses: 0, answers: 0, uses: 0 })
}

describe('an approval', () => {
  it('takes one answer and is spent at most once, never without a yes, in whatever order things happen', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const { yeses, answers, uses } = lifeOf(all)
        return answers <= 1 && uses <= yeses && uses <= 1
      }),
      { numRuns: 10_000 }
    )
  })

  it('permits exactly when an unspent, unexpired yes is there, which is when it can be spent', () => {
    fc.assert(
      fc.property(moves, fc.nat(END + 9), (all, now) => {
        const { approval, yeses, uses } = lifeOf(all)
        const expected = yeses === 1 && uses === 0 && now < END
        expect(permits(approval, exact, now)).to.equal(expected)
        expect(markUsed(approval, now).ok).to.equal(expected)
      }),
      { numRuns: 5000 }
    )
  })

  it('never changes what it binds', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const { status: _, answeredAt: _a, decision: _d, scope: _s, ...bound } = lifeOf(all).approval
        const { status: _status, ...asked } = start
        expect(bound).to.deep.equal(asked)
      })
    )
  })

  it('does not reach anything that differs by one character', () => {
    const { approval } = lifeOf([['approve', 1]])
    const texts = { agent, contact, taskUid, payload, hash: subject.type.hash }
    const bent = fc.constantFrom(...(Object.keys(texts) as (keyof typeof texts)[])).chain((member) =>
      fc.tuple(fc.constant(member), fc.nat(texts[member].length - 1)).map(([name, place]) => {
        const text = texts[name].slice(0, place) + '~' + texts[name].slice(place + 1)
        const type = { ...subject.type, hash: text as TypeHash }
        return name === 'hash' ? { ...exact, subject: { ...subject, type } } : { ...exact, [name]: text }
      })
    )
    fc.assert(fc.property(bent, (other) => !permits(approval, other, 2)))
  })

  it('shows what ended as it ended, however late one looks', () => {
    fc.assert(
      fc.property(moves, fc.nat(), (all, later) => {
        const { approval } = lifeOf(all)
        const ended = approval.status === 'used' || approval.status === 'denied'
        expect(statusAt(approval, END + later)).to.equal(ended ? approval.status : 'expired')
      })
    )
  })

  it('adds no grant before it was answered', () => {
    expect(grantsOf(start)).to.deep.equal([])
    expect(grantsOf(markStale(start))).to.deep.equal([])
  })

  it('binds the canonical text, so that the order of members is of no account', () => {
    expect(payloadOf({ time: '19:00', date: '2026-11-14' })).to.equal(payloadOf({ date: '2026-11-14', time: '19:00' }))
  })
})
