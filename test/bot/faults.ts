/** Faults to plant, one at a time: each opens one way out for an agent that was taken over. */
import type { Mutant } from '../support/planted-faults.js'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'policy is skipped on counter-proposals',
    file: 'flows/submit.ts',
    replace: 'const policySays = disclosures.consult(tx, planned.value, now)',
    by: "const policySays = planned.value.step === 'add' ? ok(undefined) : disclosures.consult(tx, planned.value, now)"
  },
  {
    name: 'the sentence of a confirm repeats what the agent wrote',
    file: 'flows/action-deed.ts',
    replace: 'summary: summaryOf(action),',
    by: 'summary: JSON.stringify(params).slice(0, 500),'
  },
  {
    name: 'a proposal that is refused to the agent is told to the peer as the reason of a refusal',
    file: 'flows/submit.ts',
    replace: '    if (!policySays.ok) return policySays\n',
    by: "    if (!policySays.ok) {\n      const content = { kind: 'task.echo', body: { about: planned.value.content.body } } as never\n      const { pair } = planned.value\n      const echo = appendOwn(tx, pair, { content }, { signer: keyring.signer(pair.agent), now })\n      if (echo.ok) tx.after({ do: 'deliver', pair, seq: echo.value.header.seq })\n      return policySays\n    }\n"
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
    name: 'a yes to some params is good for others',
    file: 'policy/approval.ts',
    replace: '    approval.payload === exact.payload &&\n',
    by: ''
  },
  {
    name: 'the reason of a report needs no yes',
    file: 'flows/envelope-plan.ts',
    replace: "return content.body.reason === undefined ? undefined : 'delegate.report'",
    by: "return content.body.reason === '' ? 'delegate.report' : undefined"
  },
  {
    name: 'an approval is executed although nobody said yes',
    file: 'flows/ask-book.ts',
    replace: "if (earlier !== undefined && statusAt(earlier, now) === 'pending') return ok(earlier)",
    by: "if (earlier !== undefined && statusAt(earlier, now) === 'pending') return ok({ ...earlier, status: 'used' })"
  },
  {
    name: "an agent's token opens the owner's routes",
    file: 'api/authenticate.ts',
    replace: 'if (callers.isOwner(hash)) return ok(undefined)\n',
    by: 'if (callers.isOwner(hash) || callers.agentOfToken(hash) !== undefined) return ok(undefined)\n'
  },
  {
    name: 'an agent reads the questions of another agent of its node',
    file: 'flows/approvals.ts',
    replace: 'found.ok && found.value.agent === agent && raisedBy',
    by: 'found.ok && raisedBy'
  },
  {
    name: 'a body is used before it was checked',
    file: 'api/check-input.ts',
    replace: 'const outcome = schema.safeParse(value)',
    by: "const outcome = part === 'body' ? ({ success: true, data: value } as never as ReturnType<typeof schema.safeParse>) : schema.safeParse(value)"
  },
  {
    name: 'a refusal has a code that stands in no list',
    file: 'flows/agent-door.ts',
    replace: "return fail(badRequest('invalid_field', 'after must be",
    by: "return fail(badRequest('invalid_page' as never, 'after must be"
  }
]
