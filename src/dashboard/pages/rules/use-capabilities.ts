import { useAnswer } from '../../client/use-answer.js'
import { type Rule, capabilitiesIn } from '../../words/rules.js'

/** What a rule can be about, in order: known capabilities, those of the types in use, and those that rules name. */
export function useCapabilities(rules: readonly Rule[]): readonly string[] {
  const types = useAnswer('owner.types.list', ['types'])
  return capabilitiesIn(rules, types.state === 'ready' ? types.value.items : [])
}
