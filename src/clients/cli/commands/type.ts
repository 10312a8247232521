import type { Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { contactNames } from '../names.js'
import { shortTime } from '../times.js'
import { definitionIn, readBytes } from '../type-files.js'
import { inspectionText, typeName } from '../type-text.js'
import { addCheck, addDiff, addHash, addNew } from './type-file.js'

/** `agentlink type …`. */
export function addType(program: Command, context: Context): void {
  const group = program
    .command('type')
    .summary('the kinds of tasks that your agent may take part in')
    .description(
      'Task types are plain data: fields with bounds, and for each what disclosing it needs. A type is known by its hash; ' +
        'two may share name and version. What is installed never changes.'
    )
  addNew(group, context)
  addCheck(group, context)
  addHash(group, context)
  addInstall(group, context)
  addList(group, context)
  addShow(group, context)
  addDiff(group, context)
  addRetire(group, context)
  addDeclines(group, context)
  addLift(group, context)
}

interface InstallFlags {
  readonly hash?: string
  readonly yes?: true
}

function addInstall(group: Command, context: Context): void {
  group
    .command('install')
    .summary('install a type from its file')
    .description(
      'Shows what each field of a type needs, and installs it. A person at a terminal is asked first. Tasks that wait for ' +
        'it open. A retired type is active again.'
    )
    .argument('<file>', 'definition file')
    .option('--hash <hash>', 'what it must be: refused when the file is another')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink type install quote.json\n  agentlink type install quote.json --yes --hash HASH'
    )
    .action(async (path: string, flags: InstallFlags, self: Command) => {
      const run = runOf(context, self)
      definitionIn(path)
      const file = Buffer.from(readBytes(path)).toString('utf8')
      const ask = run.json || flags.yes === true ? undefined : context.terminal.ask
      if (ask !== undefined) {
        const { inspection } = await run.session.owner('owner.types.inspect', { body: { file } })
        context.terminal.err(`${inspectionText(inspection)}\n`)
        const word = await ask('Install it? Type yes: ')
        if (word.trim() !== 'yes') return context.terminal.out('Not installed.')
      }
      const body = { file, ...(flags.hash === undefined ? {} : { hash: flags.hash }) }
      const answer = await run.session.owner('owner.types.install', { body })
      await run.print(answer, async () => {
        const done = `Installed ${typeName(answer.type)}.`
        if (ask !== undefined) return done
        const seen = await run.session.owner('owner.types.read', { params: { type: answer.type.hash } })
        return `${done}\n\n${inspectionText(seen.inspection)}`
      })
    })
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('the types of this node')
    .description('Lists the types of this node, the retired ones too.')
    .addHelpText('after', '\nExample:\n  agentlink type list')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.owner('owner.types.list')
      await run.print(page, () => listText(page, run))
    })
}

function listText(page: AnswerOf<'owner.types.list'>, run: Run): string {
  const rows = page.items.map((type) => [
    typeName(type),
    type.state,
    type.builtin ? 'built in' : type.installedAt === undefined ? '' : shortTime(type.installedAt),
    JSON.stringify(type.title)
  ])
  return run.table(['type', 'state', 'since', 'title (written by its author)'], rows)
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('what a type asks for, field by field')
    .description('Shows a type: what each field needs, and what can carry any text without a capability.')
    .argument('<type>', 'hash, name@version or name')
    .addHelpText('after', '\nExample:\n  agentlink type show quote.request')
    .action(async (type: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.types.read', { params: { type } })
      await run.print(answer, () => inspectionText(answer.inspection))
    })
}

function addRetire(group: Command, context: Context): void {
  group
    .command('retire')
    .summary('start no new tasks of a type')
    .description('Retires a type: running tasks go on, none is started, and invites of it are refused.')
    .argument('<type>', 'hash, name@version or name')
    .addHelpText('after', '\nExample:\n  agentlink type retire quote.request@1')
    .action(async (type: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.types.retire', { params: { type } })
      await run.print(answer, () => `Retired ${typeName(answer.type)}; its running tasks go on.`)
    })
}

function addDeclines(group: Command, context: Context): void {
  group
    .command('declines')
    .summary('types that were said no to, by you or by a contact')
    .description(
      'Lists who said no to invites of a type. After a no of a contact none of it is sent to them; after yours, you are not ' +
        'asked again.'
    )
    .addHelpText('after', '\nExample:\n  agentlink type declines')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.owner('owner.declines.list', { query: run.pick })
      await run.print(page, async () => declinesText(page, await contactNames(run), run))
    })
}

function declinesText(page: AnswerOf<'owner.declines.list'>, nameOf: (agent: string) => string, run: Run): string {
  if (page.items.length === 0) return 'Nothing was declined.'
  const rows = page.items.map((one) => [
    nameOf(one.participant),
    one.by === 'peer' ? 'their no' : 'your no',
    `${one.type.name}@${one.type.version}`,
    one.type.hash,
    one.code,
    shortTime(one.at)
  ])
  return run.table(['contact', 'whose', 'type', 'hash', 'code', 'since'], rows)
}

function addLift(group: Command, context: Context): void {
  group
    .command('lift')
    .summary('forget a no: invites of the type may go and come again')
    .description('Lifts what was declined between your agent and a contact for one type.')
    .argument('<contact>', 'al1…, alias or handle')
    .argument('<hash>', 'hash of the type, see `agentlink type declines`')
    .addHelpText('after', '\nExample:\n  agentlink type lift @bob HASH')
    .action(async (contact: string, type: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      if (!/^[0-9a-f]{64}$/.test(type)) throw new CommandFailure(EXIT.usage, 'say the whole hash, 64 digits')
      const answer = await run.session.owner('owner.declines.lift', { query: { ...run.pick, contact, type } })
      await run.print(answer, () => 'Lifted.')
    })
}
