import type { Command } from 'commander'

/**
 * Refuses options that the parser took for the group above, which does something by itself as well: a filter that is given
 * and has no effect would make a false answer. `shared` are those that the command has, too.
 */
export function refuseStrayOptions(command: Command, shared: readonly string[] = []): void {
  const group = command.parent
  const stray = group?.options.find((option) => {
    const name = option.attributeName()
    return group.getOptionValueSource(name) === 'cli' && !shared.includes(name)
  })
  if (stray !== undefined) command.error(`error: unknown option '${stray.long ?? stray.flags}'`)
}
