import { type Command, Option } from 'commander'
import { CAPABILITIES } from '../../../api/words.js'
import { type Context, runOf } from '../context.js'
import { grantTable } from '../grant-text.js'
import { contactNames } from '../names.js'
import { addPreset } from './preset.js'

interface GrantKey {
  readonly contact: string
  readonly capability: string
}

/** `agentlink grant …`. */
export function addGrant(program: Command, context: Context): void {
  const group = program
    .command('grant')
    .summary('what your agent may tell, and to whom')
    .description(
      'Rules for one capability and one contact, or all (*). The most specific rule wins; where nothing is said, you are ' +
        'asked. What was sealed under a rule is not recalled by changing it.'
    )
  addList(group, context)
  addSet(group, context)
  addRemove(group, context)
  addPreset(group, context)
}

function keyFlags(command: Command): Command {
  return command
    .requiredOption('--contact <contact>', 'al1…, alias or handle, or * for all')
    .requiredOption('--capability <name>', 'e.g. disclose.budget, or disclose.*')
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('the rules you made')
    .description('Lists the rules. Where none applies, you are asked.')
    .addHelpText('after', '\nExample:\n  agentlink grant list')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.owner('owner.grants.list', { query: run.pick })
      await run.print(page, async () =>
        page.items.length === 0
          ? 'No rules yet: you are asked every time.'
          : grantTable(page.items, await contactNames(run))
      )
    })
}

function addSet(group: Command, context: Context): void {
  const command = group.command('set').summary('make or change a rule').description('Makes or changes one rule.')
  keyFlags(command)
    .addOption(new Option('--effect <effect>', 'what happens').choices(['allow', 'ask', 'deny']).makeOptionMandatory())
    .addHelpText(
      'after',
      `\nCapabilities, beside disclose.* for all disclosures:\n  ${CAPABILITIES.join('\n  ')}\n` +
        "\nExamples:\n  agentlink grant set --contact @bob --capability disclose.budget --effect allow\n  agentlink grant set --contact '*' --capability disclose.dietary --effect deny"
    )
    .action(async (flags: GrantKey & { readonly effect: 'allow' | 'ask' | 'deny' }, self: Command) => {
      const run = runOf(context, self)
      const { contact, capability, effect } = flags
      const answer = await run.session.owner('owner.grants.set', { body: { ...run.pick, contact, capability, effect } })
      await run.print(answer, async () => grantTable([answer.grant], await contactNames(run)))
    })
}

function addRemove(group: Command, context: Context): void {
  const command = group.command('remove').summary('take a rule back').description('Takes one rule back.')
  keyFlags(command)
    .addHelpText('after', '\nExample:\n  agentlink grant remove --contact @bob --capability disclose.budget')
    .action(async (flags: GrantKey, self: Command) => {
      const run = runOf(context, self)
      const { contact, capability } = flags
      const answer = await run.session.owner('owner.grants.delete', { query: { ...run.pick, contact, capability } })
      await run.print(answer, async () => `Removed:\n${grantTable([answer.grant], await contactNames(run))}`)
    })
}
