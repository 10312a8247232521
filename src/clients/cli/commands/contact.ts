import type { Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import type { RoutesFor } from '../../../api/routes.js'
import { type ConsentFlags, insistOnYes } from '../consent.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { qrOf } from '../qr.js'
import type { Terminal } from '../terminal.js'
import { shortTime } from '../times.js'

type Contact = AnswerOf<'owner.contacts.list'>['items'][number]

/** Bytes of stdin that `contact add -` reads: a link with whatever text and QR stands around it. */
const INPUT_BYTES = 256 * 1024

/** Which of the two it is only the other node knows: a secret may be used, or too old. */
const ASKED =
  'You asked it. It is a contact as soon as its node has taken the secret of the link, or its owner has said yes'

/** `agentlink contact …`. */
export function addContact(program: Command, context: Context): void {
  const group = program
    .command('contact')
    .summary('the people and agents you deal with')
    .description('Contacts of your agent.')
  addInvite(group, context)
  addAdd(group, context)
  addList(group, context)
  addRename(group, context)
  addChange(group, context, 'accept', 'owner.contacts.accept', 'accept a contact request')
  addChange(group, context, 'decline', 'owner.contacts.decline', 'decline a contact request')
  addRemove(group, context)
  addChange(group, context, 'block', 'owner.contacts.block', 'stop all exchange with a contact, silently', [
    'It is not told. Lifting the block later does not bring the contact back.'
  ])
  addChange(group, context, 'unblock', 'owner.contacts.unblock', 'lift a block', [
    'It does not become a contact again by this: for that, its owner makes a link, and you add it.'
  ])
  addChange(
    group,
    context,
    'unfreeze',
    'owner.contacts.unfreeze',
    'go on with a contact that signed two messages under one number'
  )
}

function addInvite(group: Command, context: Context): void {
  group
    .command('invite')
    .summary('make a link for a new contact')
    .description(
      'Prints a link and its QR code. Whoever adds it becomes your contact at once: it carries a secret that works one ' +
        'time, for 7 days. Send it only to the person you mean.'
    )
    .option('--no-secret', 'leave the secret out: you then accept the request by hand')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink contact invite\n  agentlink contact invite --json | jq -r .link | ssh bob agentlink contact add -'
    )
    .action(async (flags: { readonly secret: boolean }, self: Command) => {
      const run = runOf(context, self)
      const invite = await run.session.owner('owner.invites.create', { body: { ...run.pick, secret: flags.secret } })
      await run.print(invite, async () => {
        const until = invite.expiresAt === undefined ? '' : `\n\nWorks once, until ${shortTime(invite.expiresAt)}.`
        return `${invite.link}\n\n${await codeFor(invite.link, context.terminal)}${until}`
      })
    })
}

/** A code whose lines a narrow window breaks can't be scanned, so it is left out there. */
async function codeFor(link: string, terminal: Terminal): Promise<string> {
  const plain = await qrOf(link, 'program')
  const width = plain.split('\n')[0]?.length ?? 0
  if (width > (terminal.columns ?? width)) return `Make the window ${width} columns wide to see its QR code.`
  return terminal.interactive ? qrOf(link, 'eye') : plain
}

function addAdd(group: Command, context: Context): void {
  group
    .command('add')
    .summary('ask the agent of a link to become your contact')
    .description(
      'Adds the agent of a link. With - the link is read from stdin, where no other user of this machine sees it.'
    )
    .argument('<link>', 'agentlink:al1…, or - for stdin')
    .option('--alias <@name>', 'your own name for this contact')
    .addHelpText(
      'after',
      "\nExamples:\n  agentlink contact add - < link.txt\n  agentlink contact add 'agentlink:al1…' --alias @bob"
    )
    .action(async (argument: string, flags: { readonly alias?: string }, self: Command) => {
      const run = runOf(context, self)
      const link = argument === '-' ? await linkFromInput(context) : argument
      const body = { ...run.pick, link, ...(flags.alias === undefined ? {} : { alias: flags.alias }) }
      const { contact } = await run.session.owner('owner.contacts.add', { body })
      const asked = contact.status === 'requested' ? `\n\n${ASKED}; see: ${run.command('contact list')}` : ''
      await run.print({ contact }, () => `${contactTable(run, [contact])}${asked}`)
    })
}

/** The first link in the text: the output of `contact invite`, QR included, may be piped in as it is. */
async function linkFromInput(context: Context): Promise<string> {
  const text = await context.terminal.readInput(INPUT_BYTES)
  const link = text.split(/\s+/).find((word) => word.startsWith('agentlink:'))
  if (link === undefined) throw new CommandFailure(EXIT.usage, 'there is no agentlink: link on stdin')
  return link
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('all contacts and their states')
    .description(
      'States: requested (you asked, no answer yet), pending (asks you: accept or decline), active, blocked, removed.'
    )
    .addHelpText('after', '\nExamples:\n  agentlink contact list\n  agentlink contact list --json | jq .items[].status')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.owner('owner.contacts.list', { query: run.pick })
      await run.print(page, () =>
        page.items.length === 0
          ? `No contacts yet; make one with: ${run.command('contact invite')}`
          : contactTable(run, page.items)
      )
    })
}

function addRename(group: Command, context: Context): void {
  group
    .command('rename')
    .summary('give a contact your own name for it')
    .description('Your name wins over the handle that the contact suggests. It never leaves this node.')
    .argument('<contact>', 'al1…, alias or handle')
    .argument('<@name>', 'the new alias')
    .addHelpText('after', '\nExample:\n  agentlink contact rename @hermes @bob')
    .action(async (contact: string, alias: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.contacts.rename', {
        params: { contact },
        body: { ...run.pick, alias }
      })
      await run.print(answer, () => contactTable(run, [answer.contact]))
    })
}

function addRemove(group: Command, context: Context): void {
  group
    .command('remove')
    .summary('end a contact and tell its node')
    .description(
      'Ends a contact and tells its node. Tasks with it go no further, and you are contacts again only after one of you adds ' +
        "the other's link."
    )
    .argument('<contact>', 'al1…, alias or handle')
    .option('--yes', 'do it without asking')
    .addHelpText('after', '\nExamples:\n  agentlink contact remove @bob\n  agentlink contact remove @bob --yes')
    .action(async (contact: string, flags: ConsentFlags, self: Command) => {
      const run = runOf(context, self)
      await insistOnYes(context, flags, {
        question: `Remove the contact ${contact}?`,
        undone: 'Nothing was removed. Say --yes to remove it.'
      })
      const answer = await run.session.owner('owner.contacts.remove', { params: { contact }, body: run.pick })
      await run.print(answer, () => contactTable(run, [answer.contact]))
    })
}

type ChangeRoute = Extract<
  RoutesFor<'owner'>,
  `owner.contacts.${'accept' | 'decline' | 'block' | 'unblock' | 'unfreeze'}`
>

function addChange(
  group: Command,
  context: Context,
  name: string,
  route: ChangeRoute,
  summary: string,
  more: readonly string[] = []
): void {
  group
    .command(name)
    .summary(summary)
    .description([`${summary[0]?.toUpperCase() ?? ''}${summary.slice(1)}.`, ...more].join(' '))
    .argument('<contact>', 'al1…, alias or handle')
    .addHelpText('after', `\nExample:\n  agentlink contact ${name} @bob`)
    .action(async (contact: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner(route, { params: { contact }, body: run.pick })
      await run.print(answer, () => contactTable(run, [answer.contact]))
    })
}

function contactTable(run: Pick<Run, 'table'>, contacts: readonly Contact[]): string {
  const rows = contacts.map((contact) => [
    contact.alias ?? contact.handle,
    contact.frozen === true ? `${contact.status}, frozen` : contact.status,
    contact.reason ?? '',
    String(contact.undelivered),
    shortTime(contact.since),
    contact.agent
  ])
  return run.table(['name', 'status', 'reason', 'undelivered', 'since', 'agent'], rows)
}
