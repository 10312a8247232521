/** Faults to plant, one at a time: each opens one way out for an agent that was taken over. */
import { MUTANTS as SIM_MUTANTS } from '../sim/faults.js'
import type { Mutant } from '../support/planted-faults.js'

/** Faults that the simulator is tested with as well. */
const SHARED: ReadonlySet<string> = new Set([
  'one denied field among others is let through',
  'an action that should be asked for is recorded',
  'a yes to some params is good for others'
])

export const MUTANTS: readonly Mutant[] = [
  ...SIM_MUTANTS.filter(({ name }) => SHARED.has(name)),
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
