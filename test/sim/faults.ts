import { DELEGATION } from './faults-delegation.js'
import { JOBS } from './faults-jobs.js'

/** Faults to plant, one at a time: each is one of the promises broken in one place of `src`. */
import type { Mutant } from '../support/planted-faults.js'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the badges and grants of all agents of a node lie under one key',
    file: 'flows/keys.ts',
    replace: '`offers`: the agent id itself. */\nexport function agentKey(agent: AgentId): string {\n  return agent\n',
    by: '`offers`: the agent id itself. */\nexport function agentKey(agent: AgentId): string {\n  return agent.slice(0, 3)\n'
  },
  {
    name: 'no duplicate check: what is known is taken for a second truth',
    file: 'flows/receive.ts',
    replace: 'if (known.id === message.id && into.id',
    by: 'if (known.id === undefined && into.id'
  },
  {
    name: 'what is known is not acknowledged again',
    file: 'flows/listening.ts',
    replace: "      case 'duplicate':\n        return receiptSoon(outcome)",
    by: "      case 'duplicate':\n        return undefined"
  },
  {
    name: 'a gap in the chain is stepped over',
    file: 'flows/receive.ts',
    replace: "if (seq > head.seq + 1) return { what: 'gap', from: head.seq + 1 }",
    by: ''
  },
  {
    name: 'what a message follows is not checked',
    file: 'flows/receive.ts',
    replace: 'if (message.header.prev !== head.id) return freeze',
    by: 'if (message.header.prev === undefined) return freeze'
  },
  {
    name: 'answers and receipts leave before the sync',
    file: 'flows/steps.ts',
    replace: '    await durable\n    committed(done.tx.tables)',
    by: '    await Promise.race([durable, undefined])\n    committed(done.tx.tables)'
  },
  {
    name: 'a batch counts as written before the disk has it',
    file: 'store/group-commit.ts',
    replace: '    await this.#write(batch)\n',
    by: '    batch.resolve()\n    await this.#write(batch)\n'
  },
  {
    name: 'who a message is for is not checked',
    file: 'wire/open.ts',
    replace: 'if (header.to !== expected.to) return',
    by: 'if (header.to === undefined) return'
  },
  {
    name: 'whom a message names as its sender is not checked',
    file: 'wire/open.ts',
    replace: 'if (header.from !== expected.from) return',
    by: 'if (header.from === undefined) return'
  },
  {
    name: 'a hello is not bound to the node at the other end',
    file: 'flows/hello.ts',
    replace: 'card.value.peerId !== peerId',
    by: 'card.value.peerId === undefined'
  },
  {
    name: 'a replacement beats the acceptance that it crossed',
    file: 'tasks/merge.ts',
    replace: 'const ACCEPT = 0',
    by: 'const ACCEPT = 3.5'
  },
  {
    name: 'one side counts concurrent messages by who wrote them',
    file: 'tasks/merge.ts',
    replace: 'return byRank === 0 ? a.id < b.id : byRank < 0',
    by: 'return byRank === 0 ? a.coverHead !== undefined : byRank < 0'
  },
  {
    name: 'settled although what the peer had written is not held yet',
    file: 'tasks/settle.ts',
    replace: 'coverHead !== undefined && inSeq >= coverHead',
    by: 'coverHead !== undefined && inSeq >= 0'
  },
  {
    name: 'our own cancel is reported at once',
    file: 'tasks/report.ts',
    replace: 'const cancelRequested = !input.expired && cancelIsOpen(reduced, log, self, inSeq)',
    by: 'const cancelRequested = input.expired && cancelIsOpen(reduced, log, self, inSeq)'
  },
  {
    name: 'what is too late is ignored without a signed refusal',
    file: 'flows/task-intake.ts',
    replace: "const next = book.add(tx, record, 'theirs', message, now)",
    by: "if (code === 'task_expired') return code\n    const next = book.add(tx, record, 'theirs', message, now)"
  },
  {
    name: 'backdated messages count',
    file: 'tasks/rules.ts',
    replace: 'unseen.coverHead !== undefined && entry.seq > unseen.coverHead',
    by: 'unseen.coverHead !== undefined && entry.seq < 0'
  },
  {
    name: 'late refusals count',
    file: 'tasks/refusals.ts',
    replace: "refuse.seq > target.coverHead ? 'late_refuse' : 'applied'",
    by: "refuse.seq < 0 ? 'late_refuse' : 'applied'"
  },
  {
    name: 'an expiry that was reported is forgotten when the clock jumps back',
    file: 'flows/task-book.ts',
    replace: 'if (!mustLatch(tx, record, now)) return record',
    by: 'if (now > 0) return record'
  },
  {
    name: 'an acceptance after the end counts',
    file: 'tasks/rules.ts',
    replace: "if (isOver(input)) return 'task_expired'",
    by: "if (isOver(input) && entry.kind !== 'task.respond') return 'task_expired'"
  },
  {
    name: 'idempotency keys are not kept',
    file: 'flows/once.ts',
    replace: "tx.put('once', once.key, {",
    by: "tx.put('once', once.key + now, {"
  },
  {
    name: 'a yes of the owner is not used up',
    file: 'flows/approvals.ts',
    replace: '    return used.value\n',
    by: '    return approval\n'
  },
  {
    name: "what is denied by now leaves on the owner's older yes",
    file: 'flows/submit.ts',
    replace: 'return denied.ok ? commit(tx, planned.value, now, asked.approvalId) : denied',
    by: 'return denied.ok || now > 0 ? commit(tx, planned.value, now, asked.approvalId) : denied',
    also: {
      file: 'flows/disclosures.ts',
      replace: "needs).effect === 'deny') return false",
      by: "needs).effect === 'deny' && now < 0) return false"
    }
  },
  {
    name: 'a question that has expired can still be answered',
    file: 'policy/approval.ts',
    replace: "return open && now >= approval.expiresAt ? 'expired' : approval.status",
    by: "return open && now >= approval.expiresAt * 2 ? 'expired' : approval.status"
  },
  {
    name: 'a rule for everybody beats the rule for one contact',
    file: 'policy/grants.ts',
    replace: "(grant.contact === '*' ? 2 : 0)",
    by: "(grant.contact === '*' ? 0 : 2)"
  },
  {
    name: 'one denied field among others is let through',
    file: 'policy/disclosure.ts',
    replace: 'if (denied.length > 0) {',
    by: 'if (denied.length > 1) {'
  },
  {
    name: 'an action that should be asked for is recorded',
    file: 'flows/actions.ts',
    replace: "if (asks.verdict(tx, deed.question).effect === 'allow') return perform",
    by: "if (asks.verdict(tx, deed.question).effect !== 'deny') return perform"
  },
  {
    name: 'a record is made anew at every call',
    file: 'flows/actions.ts',
    replace: 'if (done !== undefined) return ok(recorded(done))',
    by: 'if (done !== undefined && now < 0) return ok(recorded(done))'
  },
  {
    name: 'a yes to some params is good for others',
    file: 'policy/approval.ts',
    replace: '    approval.payload === exact.payload &&\n',
    by: ''
  },
  {
    name: "what is denied by now is recorded on the owner's older yes",
    file: 'flows/actions.ts',
    replace: 'if (!denied.ok) return denied\n',
    by: 'if (!denied.ok && now < 0) return denied\n'
  },
  {
    name: 'a confirm carries every word that the agent wrote',
    file: 'flows/action-deed.ts',
    replace: 'params: sharedParams(action, plan, params)',
    by: 'params: { ...params, ...sharedParams(action, plan, params) }'
  },
  {
    name: 'a cancel beats the confirm that it crossed',
    file: 'tasks/merge.ts',
    replace: 'const CONFIRM = 2',
    by: 'const CONFIRM = 4.5'
  },
  {
    name: 'a confirm leaves before the agreement is settled',
    file: 'tasks/rules.ts',
    replace: 'if (!reported.settled) {',
    by: 'if (!reported.settled && reported.cancelRequested) {'
  },
  {
    name: 'the outbox forgets what was sent before the receipt came',
    file: 'flows/speaking.ts',
    replace: '      next++\n',
    by: "      next++\n      const sentTo = next - 1\n      void steps.runLazily((tx) => tx.put('chains', name, { ...chainOf(tx, pair), acked: Math.max(sentTo, chainOf(tx, pair).acked) })).catch(() => undefined)\n"
  },
  {
    name: 'after a reconnect sending goes on where it stopped, not where the peer is',
    file: 'flows/speaking.ts',
    replace: '    next = held + 1\n',
    by: '    next = durable() + 1\n'
  },
  {
    name: 'a receipt names the head of the wrong chain',
    file: 'flows/receive.ts',
    replace: 'head: chainOf(tx, pair).out.seq',
    by: 'head: chainOf(tx, pair).in.seq'
  },
  {
    name: 'a one-time link lets in everybody who has it',
    file: 'flows/contact-book.ts',
    replace: 'invite.usedBy !== undefined || ',
    by: ''
  },
  {
    name: 'a contact that was blocked is still let in',
    file: 'flows/contact.ts',
    replace: "return record.state === 'active' || record.state === 'requested'\n}\n\n/** Whether the node",
    by: "return record.state !== 'pending'\n}\n\n/** Whether the node"
  },
  {
    name: 'a task that waits for the owner is shown to the agent',
    file: 'flows/task-intake.ts',
    replace: '...(hidden ? { hidden: true } : {})',
    by: "...(hidden && verdict.is !== 'held' ? { hidden: true } : {})"
  },
  {
    name: 'a yes to a type leaves the tasks waiting',
    file: 'flows/type-questions.ts',
    replace: '    held.settle(tx, now)\n',
    by: ''
  },
  {
    name: 'a type that was said no to is sent again',
    file: 'flows/declines.ts',
    replace: 'if (decline === undefined) return ok()',
    by: 'if (decline?.at !== -1) return ok()'
  },
  {
    name: 'a retired type takes invites',
    file: 'flows/invite-judge.ts',
    replace: "installed.retired ? refused('type_retired') : { is: 'open' }",
    by: "{ is: 'open' }"
  },
  {
    name: 'a message says that its writer had seen less than it had',
    file: 'flows/task-book.ts',
    replace: "seen: record.theirs.length, seenId: last?.id ?? ''",
    by: "seen: 0, seenId: last === undefined ? '' : ''"
  },
  {
    name: 'the audit log tells of a message in another commit than the one that seals it',
    file: 'flows/submit.ts',
    replace: '    auditOwn(tx, pair, sealed.value, disclosedBy(tx, planned, approvalId), now, by)\n',
    by: '    const disclosed = disclosedBy(tx, planned, approvalId)\n    clock.defer(() => void steps.run((later) => auditOwn(later, pair, sealed.value, disclosed, now, by)).catch(() => undefined))\n'
  },
  {
    name: 'the audit log does not tell of a recorded action',
    file: 'flows/actions.ts',
    replace: '    tell(tx, entry, now)\n',
    by: ''
  },
  {
    name: 'the audit log does not tell of a rule that a yes made',
    file: 'flows/grants.ts',
    replace: 'for (const grant of added) {',
    by: 'for (const grant of by.under === undefined ? added : []) {'
  },
  {
    name: 'the audit log does not tell of a no of the owner',
    file: 'flows/audit-approvals.ts',
    replace: 'before.decision === undefined && decision !== undefined',
    by: "before.decision === undefined && decision === 'approve'"
  },
  {
    name: 'the audit log does not tell of a type that was installed by a yes',
    file: 'flows/type-questions.ts',
    replace: "what: 'type.installed', about, under",
    by: "what: 'approval.used', about, under"
  },
  {
    name: 'the audit log names another entry than the one before it',
    file: 'flows/audit.ts',
    replace: '{ seq: head.seq, hash: head.hash }',
    by: '{ seq: head.seq, hash: auditHead(tx).hash }'
  },
  {
    name: 'the audit log forgets how often it happened again',
    file: 'policy/denials.ts',
    replace: 'times: each.times + 1',
    by: 'times: each.times'
  },
  ...DELEGATION,
  ...JOBS
]
