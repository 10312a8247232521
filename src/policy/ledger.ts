/** The tools that an owner gave one of their agents. No sender can reach it. Source: protocols/policy.md, "Tool ledger". */
import { badRequest } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { toolName } from '../wire/envelope-bodies.js'

/** Tools of one agent: more than any has, and few enough to be one value. */
const LEDGER_TOOLS = 500

/** Reads a ledger: names are exact and case-sensitive, sorted, each once. Refuses with `invalid_field`. */
export function parseLedger(tools: readonly string[]): Result<readonly string[]> {
  const wrong = tools.findIndex((tool) => toolName.fault(tool) !== undefined)
  if (wrong >= 0) {
    const want = toolName.fault(tools[wrong] ?? '')?.want ?? 'must be the name of a tool'
    return fail(badRequest('invalid_field', `tools[${wrong}] ${want}`, `tools[${wrong}]`))
  }
  const ledger = [...new Set(tools)].sort()
  if (ledger.length <= LEDGER_TOOLS) return ok(ledger)
  return fail(badRequest('invalid_field', `tools takes at most ${LEDGER_TOOLS} names`, 'tools'))
}
