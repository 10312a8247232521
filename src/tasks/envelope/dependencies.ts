/** Which dependencies a task may name. Source: protocols/envelopes.md, "Dependencies". */

export type DependencyFault = 'self_dependency' | 'duplicate_dependency' | 'unknown_dependency' | 'dependency_cycle'

/** What the node that judges knows of other tasks: what each depends on; undefined for a task that it does not know. */
export type KnownTasks = (taskId: string) => readonly string[] | undefined

/** An entry that may not be named: its place in the list, and why. */
export interface EntryFault {
  readonly at: number
  readonly code: DependencyFault
}

/** What is wrong with a list by itself, for each entry at fault. */
export function faultsInList(taskId: string, dependsOn: readonly string[]): EntryFault[] {
  return dependsOn.flatMap((id, at): EntryFault[] => {
    if (id === taskId) return [{ at, code: 'self_dependency' }]
    return dependsOn.indexOf(id) < at ? [{ at, code: 'duplicate_dependency' }] : []
  })
}

/** What is wrong with each entry beside what else is known; the list itself is sound. */
export function faultsAmongTasks(taskId: string, dependsOn: readonly string[], known: KnownTasks): EntryFault[] {
  return dependsOn.flatMap((id, at): EntryFault[] => {
    if (known(id) === undefined) return [{ at, code: 'unknown_dependency' as const }]
    return leadsTo(id, taskId, known) ? [{ at, code: 'dependency_cycle' }] : []
  })
}

/** Whether `from` depends on `target`, at any remove. Each task is looked at once, so a cycle elsewhere ends too. */
export function leadsTo(from: string, target: string, known: KnownTasks): boolean {
  const seen = new Set([from])
  const queue = [from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const next of known(id) ?? []) {
      if (next === target) return true
      if (!seen.has(next)) queue.push(next)
      seen.add(next)
    }
  }
  return false
}
