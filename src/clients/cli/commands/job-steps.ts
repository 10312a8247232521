import type { Command } from 'commander'
import type { JsonObject } from '../../../base/json.js'
import { artifactTable, namedFile } from '../artifacts.js'
import { type Context, runOf } from '../context.js'
import { jobWritten } from '../job-text.js'

/** The steps of a job whose plan is agreed: `job pay`, `job deliver`, `job complete`. */

export function addPay(group: Command, context: Context): void {
  group
    .command('pay')
    .summary('pay for an agreed job')
    .description(
      'Asks to pay exactly what the agreed plan says. Your yes is asked unless a grant allows pay.solana, and the spend limits hold in ' +
        'any case. The payment leaves once the other node has stored the promise; there are no refunds.'
    )
    .argument('<taskUid>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink job pay JOB')
    .action(async (taskUid: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'jobs.pay', { params: { taskUid } })
      await run.print(answer, () => jobWritten(answer, 'Promised.', run))
    })
}

interface DeliverFlags {
  readonly artifact?: string[]
  readonly summary?: string
}

export function addDeliver(group: Command, context: Context): void {
  group
    .command('deliver')
    .summary('deliver a job that is paid')
    .description('Hands a job over, once: names, places, sizes and hashes of the deliverables, never their bytes.')
    .argument('<taskUid>', 'task id')
    .requiredOption(
      '--artifact <file...>',
      'a deliverable: its name, path below this folder, size and hash are sent; FILE=LOCATION says another place and name'
    )
    .option('--summary <text>', 'in your own words')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink job deliver JOB --artifact sun.svg\n' +
        '  agentlink job deliver JOB --artifact /srv/out/sun.svg=https://example.org/sun.svg'
    )
    .action(async (taskUid: string, flags: DeliverFlags, self: Command) => {
      const run = runOf(context, self)
      const files = await Promise.all((flags.artifact ?? []).map(namedFile))
      const body = {
        artifacts: files as unknown as JsonObject[],
        ...(flags.summary === undefined ? {} : { summary: flags.summary })
      }
      const answer = await run.session.agent(run.agentName, 'jobs.deliver', { params: { taskUid }, body })
      const named = `\n\n${artifactTable(files)}`
      await run.print({ artifacts: files, ...answer }, () => jobWritten(answer, 'Delivered.', run) + named)
    })
}

export function addComplete(group: Command, context: Context): void {
  group
    .command('complete')
    .summary('complete a job that was delivered')
    .description('Says that what was delivered is what was agreed. It ends the job.')
    .argument('<taskUid>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink job complete JOB')
    .action(async (taskUid: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'jobs.complete', { params: { taskUid } })
      await run.print(answer, () => jobWritten(answer, 'Completed.', run))
    })
}
