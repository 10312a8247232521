import { type Command, InvalidArgumentError } from 'commander'
import type { BodyOf } from '../../../api/contract.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { type ContactOffers, contactOffersText, offerTable, offerText } from '../offer-text.js'

type OfferText = Omit<BodyOf<'owner.offers.create'>, 'agent'>

interface OfferFlags {
  readonly title?: string
  readonly description?: string
  readonly deliverable?: string
  readonly price?: string
  readonly hours?: number
}

/** `agentlink offer …`. */
export function addOffer(program: Command, context: Context): void {
  const group = program
    .command('offer')
    .summary('what your agent does for money, and what contacts offer')
    .description(
      'Offers of your agent: what it does, for which price, how fast. Every active contact gets all of them, whatever your ' +
        'grants say, and again when they change. An offer binds nobody: what counts is the plan of a job that both agree on.'
    )
  addCreate(group, context)
  addEdit(group, context)
  addWithdraw(group, context)
  addList(group, context)
  addShow(group, context)
}

function addCreate(group: Command, context: Context): void {
  group
    .command('create')
    .summary('offer something to all your contacts')
    .description('Makes an offer, and tells every active contact. An agent has at most 12.')
    .requiredOption('--title <text>', 'a name for it, 1 to 80 characters')
    .requiredOption('--description <text>', 'what you do, 1 to 600 characters')
    .requiredOption('--deliverable <text>', 'what is handed over in the end, 1 to 600 characters')
    .requiredOption('--price <sol>', 'SOL, such as 0.25')
    .requiredOption('--hours <hours>', 'how long it takes, 1 to 720', wholeHours)
    .addHelpText(
      'after',
      "\nExample:\n  agentlink offer create --title 'A logo' --description 'Drawn by hand, two rounds of changes' \\\n" +
        "    --deliverable 'One SVG file' --price 0.25 --hours 72"
    )
    .action(async (flags: Required<OfferFlags>, self: Command) => {
      const run = runOf(context, self)
      const { hours: turnaroundHours, ...texts } = flags
      const answer = await run.session.owner('owner.offers.create', {
        body: { ...run.pick, ...texts, turnaroundHours }
      })
      await run.print(
        answer,
        () => `Offered to all active contacts.\n\n${offerText(answer.offer, context.terminal.columns)}`
      )
    })
}

function addEdit(group: Command, context: Context): void {
  group
    .command('edit')
    .summary('change an offer')
    .description('Changes what you name of an offer, and tells every active contact. What you leave out stays.')
    .argument('<offer>', 'its id, as `offer list` shows it')
    .option('--title <text>', 'a name for it')
    .option('--description <text>', 'what you do')
    .option('--deliverable <text>', 'what is handed over in the end')
    .option('--price <sol>', 'SOL, such as 0.25')
    .option('--hours <hours>', 'how long it takes, 1 to 720', wholeHours)
    .addHelpText('after', `\nExample:\n  agentlink offer edit ${EXAMPLE_ID} --price 0.3 --hours 48`)
    .action(async (offerId: string, flags: OfferFlags, self: Command) => {
      const run = runOf(context, self)
      const { hours, ...texts } = flags
      const change: Partial<OfferText> = { ...texts, ...(hours === undefined ? {} : { turnaroundHours: hours }) }
      if (Object.keys(change).length === 0) {
        throw new CommandFailure(
          EXIT.usage,
          'say what changes: --title, --description, --deliverable, --price or --hours'
        )
      }
      const answer = await run.session.owner('owner.offers.change', {
        params: { offerId },
        body: { ...run.pick, ...change }
      })
      await run.print(answer, () => offerText(answer.offer, context.terminal.columns))
    })
}

function addWithdraw(group: Command, context: Context): void {
  group
    .command('withdraw')
    .summary('take an offer back')
    .description('Takes an offer back, and tells every active contact. Jobs that name it go on.')
    .argument('<offer>', 'its id, as `offer list` shows it')
    .addHelpText('after', `\nExample:\n  agentlink offer withdraw ${EXAMPLE_ID}`)
    .action(async (offerId: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.offers.withdraw', { params: { offerId }, query: run.pick })
      await run.print(answer, () => `Withdrawn: ${answer.offer.offerId}. Jobs that name it go on.`)
    })
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('your offers, or those of a contact')
    .description('Lists what your agent offers, or what a contact does. What a contact offers is its own text.')
    .option('--contact <contact>', 'al1…, alias or handle of a contact')
    .addHelpText('after', '\nExamples:\n  agentlink offer list\n  agentlink offer list --contact @bob')
    .action(async ({ contact }: { readonly contact?: string }, self: Command) => {
      const run = runOf(context, self)
      if (contact === undefined) {
        const page = await run.session.owner('owner.offers.list', { query: run.pick })
        return run.print(page, () => (page.items.length === 0 ? noneOfYours(run) : offerTable(page.items, run)))
      }
      const found = await ofContact(run, contact)
      await run.print(found, () => contactOffersText(found, run))
    })
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('one offer, whole')
    .description('Shows one offer of yours, or of a contact.')
    .argument('<offer>', 'its id, as `offer list` shows it')
    .option('--contact <contact>', 'whose it is: al1…, alias or handle (default: yours)')
    .addHelpText('after', `\nExample:\n  agentlink offer show ${EXAMPLE_ID} --contact @bob`)
    .action(async (offerId: string, { contact }: { readonly contact?: string }, self: Command) => {
      const run = runOf(context, self)
      const { items } =
        contact === undefined
          ? await run.session.owner('owner.offers.list', { query: run.pick })
          : await ofContact(run, contact)
      const offer = items.find((one) => one.offerId === offerId)
      if (offer === undefined) throw noSuchOffer(run, contact)
      await run.print({ offer }, () => offerText(offer, context.terminal.columns))
    })
}

function ofContact(run: Run, contact: string): Promise<ContactOffers> {
  return run.session.owner('owner.contacts.offers', { params: { contact }, query: run.pick })
}

function wholeHours(text: string): number {
  if (/^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= MOST_HOURS) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_HOURS}.`)
}

function noneOfYours(run: Run): string {
  return `You offer nothing yet; begin with: ${run.command('offer create --help')}`
}

function noSuchOffer(run: Run, contact: string | undefined): CommandFailure {
  const whose = contact === undefined ? '' : ` --contact ${contact}`
  const message = `there is no such offer; see them with: ${run.command(`offer list${whose}`)}`
  return new CommandFailure(EXIT.refused, message, {
    error: { code: 'not_found', message, details: { field: 'offerId' } }
  })
}

const MOST_HOURS = 720
const EXAMPLE_ID = '3f9c1e0a7b2d4c68a5e1f0b9d8c7a6e4'
