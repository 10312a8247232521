import { Argument, type Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { PRESETS } from '../../../api/words.js'
import { type ConsentFlags, insistOnYes } from '../consent.js'
import { type Context, type Run, runOf } from '../context.js'
import { grantTable } from '../grant-text.js'
import { contactNames, type NameOf } from '../names.js'
import { table } from '../table.js'

type Preset = AnswerOf<'owner.presets.read'>['preset']

/** `agentlink grant preset NAME`: shows what a preset changes, and puts it in place on the owner's word. */
export function addPreset(group: Command, context: Context): void {
  group
    .command('preset')
    .summary('put a whole set of rules in place, after showing it')
    .description(
      'Shows what a preset changes for each capability, and applies it when you say so. It replaces every rule for all ' +
        'contacts (*); rules for one contact stay, and come first. None lets an agent pay. Questions that wait for you and ' +
        'that it denies are dropped at once.'
    )
    .addArgument(
      new Argument('<name>', 'open: tell everything; balanced: time and taste; private: little').choices(PRESETS)
    )
    .option('--yes', 'apply it without asking; it is shown all the same')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink grant preset balanced\n  agentlink grant preset private --agent work --yes'
    )
    .action(async (name: string, flags: ConsentFlags, self: Command) => {
      const run = runOf(context, self)
      const params = { preset: name }
      const { preset } = await run.session.owner('owner.presets.read', { params, query: run.pick })
      await show(context, run, preset)
      await insistOnYes(context, flags, {
        question: 'Apply it?',
        undone: 'Nothing was applied. Say --yes to apply it.',
        answer: { applied: false, preset }
      })
      const applied = await run.session.owner('owner.presets.apply', {
        params,
        body: { ...run.pick, digest: preset.digest }
      })
      await run.print({ applied: true, ...applied }, () => `\nApplied: ${name}.`)
    })
}

/** To a program it comes with the answer. */
async function show({ terminal }: Context, run: Run, preset: Preset): Promise<void> {
  const text = presetText(preset, await contactNames(run))
  if (run.json) terminal.err(text)
  else terminal.out(text)
}

function presetText({ preset, agent, capabilities, removes, keeps }: Preset, nameOf: NameOf): string {
  const rows = capabilities.map(({ capability, now, becomes }) => [capability, now, now === becomes ? '' : becomes])
  const parts = [
    `The preset "${preset}" for ${nameOf(agent)}. An empty "becomes" means no change.`,
    table(['capability', 'now', 'becomes'], rows)
  ]
  if (removes.length > 0) parts.push(`Rules for all contacts that go:\n${grantTable(removes, nameOf)}`)
  if (keeps.length > 0) {
    parts.push(`Rules for one contact that stay, and come first:\n${grantTable(keeps, nameOf)}`)
  }
  return parts.join('\n\n')
}
