import type { Command } from 'commander'
import { type Context, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { contactNames } from '../names.js'
import { paymentList, paymentText } from '../payment-text.js'

/** `agentlink payment …`. */
export function addPayment(program: Command, context: Context): void {
  const group = program
    .command('payment')
    .summary('the money of jobs: sent, received, and odd')
    .description(
      'What your node knows of the money of jobs: every attempt to pay and how far it came, every payment that came, and what is odd about it ' +
        '(late, double, short, from elsewhere). Nothing is sent back by itself.'
    )
  group
    .command('list')
    .summary('one line for each job')
    .description('Lists the money of all jobs, one line for each.')
    .addHelpText('after', '\nExample:\n  agentlink payment list --json')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.owner('owner.payments.list', { query: run.pick })
      await run.print(page, async () => paymentList(page, await contactNames(run), run))
    })
  group
    .command('show')
    .summary('every parameter of the payments of one job')
    .description(
      'Shows the payments of one job: amount, addresses, reference, memo, signature, and what became of each.'
    )
    .argument('<taskUid>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink payment show JOB')
    .action(async (taskUid: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const { items } = await run.session.owner('owner.payments.list', { query: run.pick })
      const money = items.find((one) => one.taskUid === taskUid)
      if (money === undefined) {
        throw new CommandFailure(EXIT.refused, `no money is known of that task; see: ${run.command('payment list')}`)
      }
      await run.print({ payment: money }, async () => paymentText(money, await contactNames(run), run))
    })
}
