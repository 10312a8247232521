import type { Mutant } from '../support/planted-faults.js'

/** Faults to plant in delegated work; `faults.ts` says how they are read. */
export const DELEGATION: readonly Mutant[] = [
  {
    name: 'a completed task can be canceled afterwards',
    file: 'tasks/envelope/lifecycle.ts',
    replace: '  completed: [],',
    by: "  completed: ['canceled'],"
  },
  {
    name: 'a cancel beats the result that it crossed',
    file: 'tasks/envelope/order.ts',
    replace: 'return 4',
    by: 'return 1'
  },
  {
    name: 'what a task owned is never free again',
    file: 'flows/envelope-desk.ts',
    replace: '    release(tx, record, book.contract(tx, record).contextID)\n',
    by: ''
  },
  {
    name: 'a folder does not own what is in it',
    file: 'tasks/envelope/ownership.ts',
    replace: 'return short.every(',
    by: 'return a.length === b.length && short.every('
  },
  {
    name: 'a check that failed proves the work',
    file: 'tasks/envelope/evidence.ts',
    replace: "  if (evidence.exitStatus !== 0) return 'acceptance_check_failed'\n",
    by: ''
  },
  {
    name: 'a task is claimed before what it depends on is done',
    file: 'tasks/envelope/fold.ts',
    replace: "return known?.outcome === 'completed' && known.n <= entry.seen",
    by: "return known?.outcome !== 'failed'"
  },
  {
    name: 'the words of a result ask no owner',
    file: 'flows/envelope-plan.ts',
    replace: "    case 'envelope.result':\n      return 'delegate.report'",
    by: "    case 'envelope.result':\n      return undefined"
  },
  {
    name: 'a yes to words of delegated work holds although they are denied by now',
    file: 'flows/envelope-submit.ts',
    replace: 'return denied.ok ? commit(tx, planned.value, now, approval.id) : denied',
    by: 'return denied.ok || now > 0 ? commit(tx, planned.value, now, approval.id) : denied',
    also: {
      file: 'flows/envelope-submit.ts',
      replace: '(need === undefined || asks.denied(tx, need).ok)',
      by: '(need === undefined || now > 0)'
    }
  },
  {
    name: 'the end of a dependency is told to nobody',
    file: 'flows/envelope-desk.ts',
    replace: '      if (dependent !== undefined) catchUp(tx, dependent, now)\n',
    by: '      if (dependent !== undefined && now < 0) catchUp(tx, dependent, now)\n'
  },
  {
    name: 'an own cancel counts before it is settled',
    file: 'tasks/envelope/report.ts',
    replace: '!isSettled(log.inviter, cancel.n, inSeq)',
    by: 'inSeq < 0 && !isSettled(log.inviter, cancel.n, inSeq)'
  }
]
