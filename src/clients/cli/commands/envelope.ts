import type { Command } from 'commander'
import type { JsonObject } from '../../../base/json.js'
import { type Context, runOf } from '../context.js'
import { claimedText, envelopeList, envelopeText, writtenText } from '../envelope-text.js'
import { CommandFailure, EXIT } from '../failure.js'
import { contactNames } from '../names.js'
import { readFileSync } from 'node:fs'
import { addCheck, addComplete, addVerify } from './envelope-work.js'

/** What the help of `submit` shows; a test holds it against the rules of contracts. */
const EXAMPLE_CONTRACT = `  {
    "objective": "Make the failing test pass",
    "outputFormat": "The changed file",
    "toolAndSourceGuidance": "This repository alone",
    "boundaries": "Leave the tests as they are",
    "filesAndInterfaces": ["src/sum.js"],
    "acceptanceCheck": {
      "passFailCommand": "npm test",
      "endToEndVerification": "Add up a bill in the app"
    },
    "contextID": "shop",
    "dependsOn": [],
    "toolsAllowed": ["shell"]
  }`

/** `agentlink envelope …`. */
export function addEnvelope(program: Command, context: Context): void {
  const group = program
    .command('envelope')
    .summary('work that agents delegate to each other')
    .description('Delegated tasks: a contract, who owns which files meanwhile, and what proves the work.')
  addSubmit(group, context)
  addList(group, context)
  addShow(group, context)
  addClaim(group, context)
  addCheck(group, context)
  addComplete(group, context)
  addReject(group, context)
  addCancel(group, context)
  addVerify(group, context)
}

/** Bytes of a contract's file: more than any request takes. */
const CONTRACT_BYTES = 262_144

function addSubmit(group: Command, context: Context): void {
  group
    .command('submit')
    .summary('delegate a task to a contact')
    .description(
      'Delegates a task. The contract is a JSON file; every fault in it is told at once, and nothing is sent.'
    )
    .argument('<file>', 'contract as JSON, or - for stdin')
    .requiredOption('--to <contact>', 'al1…, alias or handle')
    .option('--task-id <id>', 'your own name for it, so that other tasks can depend on it')
    .option('--hours <hours>', 'how long it lives, 1 to 720 (default 72)', Number)
    .addHelpText(
      'after',
      `\nA contract (dependsOn and toolsAllowed may be left out):\n${EXAMPLE_CONTRACT}\n` +
        '\nExample:\n  agentlink envelope submit contract.json --to @bob --task-id parser'
    )
    .action(async (file: string, flags: { to: string; taskId?: string; hours?: number }, self: Command) => {
      const run = runOf(context, self)
      const text = file === '-' ? await context.terminal.readInput(CONTRACT_BYTES) : readText(file)
      const body = {
        recipient: flags.to,
        envelope: contractIn(text),
        ...(flags.taskId === undefined ? {} : { taskId: flags.taskId }),
        ...(flags.hours === undefined ? {} : { expiresInHours: flags.hours })
      }
      const answer = await run.session.agent(run.agentName, 'envelopes.submit', { body })
      await run.print(answer, () => writtenText(answer, run))
    })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(EXIT.usage, `can't read ${file}: ${(error as Error).message}`)
  }
}

function contractIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Said below: the file is no object of JSON.
  }
  throw new CommandFailure(EXIT.usage, 'the contract must be one JSON object; nothing was sent')
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('delegated tasks, newest first')
    .description('Lists the tasks that your agent sent or received, newest first.')
    .option('--after <next>', 'go on where the last page ended')
    .addHelpText('after', '\nExample:\n  agentlink envelope list --json')
    .action(async (flags: { after?: string }, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.agent(run.agentName, 'envelopes.list', { query: flags })
      await run.print(page, async () => envelopeList(page, await contactNames(run), run))
    })
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('one task with its contract and what proves it')
    .description('Shows one task: contract, tools granted, what is staged, the result and every verdict.')
    .argument('<taskId>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink envelope show parser')
    .action(async (taskId: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'envelopes.read', { params: { taskId } })
      await run.print(answer, async () => envelopeText(answer.envelope, await contactNames(run), run))
    })
}

function addClaim(group: Command, context: Context): void {
  group
    .command('claim')
    .summary('take up a task')
    .description('Takes up a task that was delegated to your agent, once what it depends on is completed.')
    .argument('<taskId>', 'task id')
    .addHelpText('after', '\nExample:\n  agentlink envelope claim parser')
    .action(async (taskId: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'envelopes.claim', { params: { taskId } })
      await run.print(answer, () => claimedText(answer, run))
    })
}

type RejectCode = 'declined' | 'cannot' | 'out_of_scope' | 'unsafe' | 'busy' | 'other'

function addReject(group: Command, context: Context): void {
  group
    .command('reject')
    .summary('refuse a task before it is claimed')
    .description('Refuses a task and says why.')
    .argument('<taskId>', 'task id')
    .requiredOption('--code <code>', 'declined, cannot, out_of_scope, unsafe, busy or other')
    .option('--reason <text>', 'in your own words; leaves under delegate.report')
    .addHelpText('after', '\nExample:\n  agentlink envelope reject parser --code busy')
    .action(async (taskId: string, flags: { code: RejectCode; reason?: string }, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'envelopes.reject', { params: { taskId }, body: flags })
      await run.print(answer, () => writtenText(answer, run))
    })
}

function addCancel(group: Command, context: Context): void {
  group
    .command('cancel')
    .summary('cancel a task that you sent')
    .description('Cancels a task. A result that is on its way may still win; until that is known it shows so.')
    .argument('<taskId>', 'task id')
    .option('--code <code>', 'changed_plans, no_longer_needed, unavailable or other')
    .addHelpText('after', '\nExample:\n  agentlink envelope cancel parser --code no_longer_needed')
    .action(async (taskId: string, flags: { code?: string }, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.agent(run.agentName, 'envelopes.cancel', { params: { taskId }, body: flags })
      await run.print(answer, () => writtenText(answer, run))
    })
}
