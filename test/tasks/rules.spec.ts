import { expect } from 'chai'
import { type ReportInput, report } from '../../src/tasks/report.js'
import { type TaskDraft, wouldApply } from '../../src/tasks/rules.js'
import { LIMITS } from '../../src/wire/limits.js'
import { EXPIRES, type Line, logOf, say } from './entries.js'

const INVITE: Line = { id: 'p1', say: say.invite(), coverHead: 0 }
const ACCEPT: Line = { id: 'x', say: say.accept('p1'), seen: 1 }
const COUNTER: Line = { id: 'p2', say: say.propose(), seen: 1 }

function input(inviter: Line[], invitee: Line[], change: Partial<ReportInput> = {}): ReportInput {
  const log = logOf(inviter, invitee)
  return {
    log,
    self: 'inviter',
    now: EXPIRES - 1,
    inSeq: invitee.length,
    expired: false,
    awaitingApproval: false,
    ...change
  }
}

const invitee = { self: 'invitee', inSeq: 1 } as const
const states = {
  open: input([INVITE], []),
  openForInvitee: input([INVITE], [], invitee),
  countered: input([INVITE], [COUNTER]),
  rejected: input([INVITE], [{ id: 'y', say: say.reject('p1'), seen: 1 }]),
  agreed: input([INVITE], [ACCEPT]),
  awaiting: input([INVITE], [ACCEPT], { awaitingApproval: true }),
  unsettled: input([INVITE], [ACCEPT], invitee),
  settledByReceipt: input([INVITE], [{ ...ACCEPT, coverHead: 1 }], invitee),
  coveredButBehind: input([INVITE], [{ ...ACCEPT, coverHead: 2 }], invitee),
  confirmed: input([INVITE, { id: 'r', say: say.confirm('p1', 1), seen: 1 }], [ACCEPT]),
  cancelling: input([INVITE, { id: 'c', say: say.cancel() }], []),
  cancelled: input([INVITE, { id: 'c', say: say.cancel(), coverHead: 0 }], []),
  expired: input([INVITE], [], { now: EXPIRES + 1 }),
  latched: input([INVITE], [COUNTER], { expired: true }),
  refused: input([INVITE], [{ id: 'f', say: say.refuse('p1', 'type_mismatch'), seen: 1 }])
}
const drafts = {
  propose: say.propose(),
  acceptFirst: say.accept('p1'),
  acceptSecond: say.accept('p2'),
  rejectSecond: say.reject('p2'),
  acceptNothing: say.accept('none'),
  confirm: say.confirm('p1', 1),
  confirmAgain: say.confirm('p1', 2),
  confirmOther: say.confirm('p2', 3),
  cancel: say.cancel()
}

describe('what a side may write', () => {
  const rows: [keyof typeof states, keyof typeof drafts, string | undefined][] = [
    ['open', 'propose', undefined],
    ['open', 'cancel', undefined],
    ['open', 'acceptFirst', 'version_conflict'],
    ['open', 'confirm', 'illegal_transition'],
    ['openForInvitee', 'acceptFirst', undefined],
    ['openForInvitee', 'acceptNothing', 'version_conflict'],
    ['countered', 'acceptFirst', 'version_conflict'],
    ['countered', 'acceptSecond', undefined],
    ['countered', 'rejectSecond', undefined],
    ['countered', 'propose', undefined],
    ['rejected', 'propose', undefined],
    ['rejected', 'acceptFirst', 'version_conflict'],
    ['agreed', 'propose', 'illegal_transition'],
    ['agreed', 'acceptFirst', 'version_conflict'],
    ['agreed', 'confirm', undefined],
    ['agreed', 'confirmOther', 'version_conflict'],
    ['agreed', 'cancel', undefined],
    ['awaiting', 'confirm', undefined],
    ['awaiting', 'cancel', undefined],
    ['awaiting', 'propose', 'illegal_transition'],
    ['unsettled', 'confirm', 'agreement_not_settled'],
    ['unsettled', 'cancel', undefined],
    ['coveredButBehind', 'confirm', 'agreement_not_settled'],
    ['settledByReceipt', 'confirm', undefined],
    ['confirmed', 'confirm', 'illegal_transition'],
    ['confirmed', 'confirmAgain', undefined],
    ['confirmed', 'confirmOther', 'version_conflict'],
    ['confirmed', 'propose', 'illegal_transition'],
    ['confirmed', 'acceptFirst', 'illegal_transition'],
    ['confirmed', 'cancel', 'illegal_transition'],
    ['cancelling', 'cancel', 'illegal_transition'],
    ['cancelling', 'propose', 'illegal_transition'],
    ['cancelled', 'cancel', 'illegal_transition'],
    ['cancelled', 'acceptFirst', 'illegal_transition'],
    ['expired', 'propose', 'illegal_transition'],
    ['expired', 'cancel', 'illegal_transition'],
    ['latched', 'acceptSecond', 'illegal_transition'],
    ['latched', 'cancel', 'illegal_transition'],
    ['refused', 'propose', 'illegal_transition']
  ]
  for (const [state, draft, code] of rows) {
    it(`${state}: ${draft} is ${code ?? 'allowed'}`, () => {
      const result = wouldApply(states[state], drafts[draft] as TaskDraft)
      expect(result.ok ? undefined : result.refusal.details.code).to.equal(code)
      if (!result.ok) expect(result.refusal.code).to.equal('conflict')
    })
  }

  it('says the status and what is possible instead', () => {
    const result = wouldApply(states.confirmed, drafts.cancel as TaskDraft)
    expect(result.ok ? '' : result.refusal.message).to.match(/confirmed.*further actions/)
  })

  it('ends with task_full at the limit', () => {
    const own = Array.from({ length: LIMITS.taskMessages - 1 }, (_, i) => ({ id: `p${i + 2}`, say: say.propose() }))
    const result = wouldApply(input([INVITE, ...own], []), drafts.propose as TaskDraft)
    expect(result.ok ? undefined : result.refusal.details.code).to.equal('task_full')
  })
})

describe('the reported status', () => {
  const rows: [keyof typeof states, string, boolean, string | undefined][] = [
    ['open', 'open', false, undefined],
    ['awaiting', 'awaiting_approval', false, undefined],
    ['cancelling', 'open', true, undefined],
    ['cancelled', 'cancelled', false, 'changed_plans'],
    ['expired', 'expired', false, undefined],
    ['latched', 'expired', false, undefined],
    ['refused', 'cancelled', false, 'type_mismatch']
  ]
  for (const [state, status, cancelRequested, reason] of rows) {
    it(`${state}: ${status}`, () => {
      const seen = report(states[state])
      expect([seen.status, seen.cancelRequested, seen.statusReason]).to.deep.equal([status, cancelRequested, reason])
    })
  }

  it('stays what it was while an own cancel of an agreement is under way, approval or not', () => {
    const lines: [Line[], Line[]] = [[INVITE, { id: 'c', say: say.cancel(), seen: 1 }], [ACCEPT]]
    expect(report(input(...lines, { awaitingApproval: true }))).to.include({ status: 'agreed', cancelRequested: true })
  })

  it('is not expired while an own cancel is under way, and is once that was refused', () => {
    const cancel: Line = { id: 'c', say: say.cancel() }
    const late = { now: EXPIRES + 1 }
    expect(report(input([INVITE, cancel], [], late))).to.include({ status: 'open', cancelRequested: true })
    const refusal: Line = { id: 'f', say: say.refuse('c', 'task_expired'), seen: 2 }
    expect(report(input([INVITE, cancel], [refusal], late))).to.include({ status: 'expired', cancelRequested: false })
  })
})
