import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { JsonObject } from '../../../base/json.js'
import { visible } from '../../../base/visible.js'
import { artifactTable, namedFile } from '../artifacts.js'
import { type Context, type Run, runOf } from '../context.js'
import { type Envelope, writtenText } from '../envelope-text.js'
import { CommandFailure, EXIT } from '../failure.js'
import { type CheckRun, runCheck } from '../run-check.js'
import { facts } from '../table.js'

/** Running the acceptance command, as recipient (`check`) and as sender (`verify`), and completing with what came of it. */

interface RunFlags {
  readonly directory: string
  readonly run?: true
  readonly timeout: number
  readonly maxOutput: number
}

const SECOND = 1_000
const MIB = 1_048_576

function runFlags(command: Command): Command {
  return command
    .argument('<taskId>', 'task id')
    .option('--run', 'run it; without this word it is shown, and asked for on a terminal')
    .option('--directory <directory>', 'where it runs', '.')
    .option('--timeout <seconds>', 'how long it may take', Number, 600)
    .option('--max-output <mebibytes>', 'how much it may write', Number, 64)
}

export function addCheck(group: Command, context: Context): void {
  const command = group
    .command('check')
    .summary('run the acceptance command of a task that you claimed, and record what came of it')
    .description(
      'Shows the acceptance command, which another agent wrote, and runs it only on your word, in a directory of your choice. Records command, ' +
        'exit status, end of the output, its hash and duration as evidence. It leaves with `envelope complete`.'
    )
  runFlags(command)
    .addOption(
      new Option('--end-to-end <result>', 'what you saw of the end-to-end step').choices(['passed', 'failed'] as const)
    )
    .option('--note <text>', 'a word on the end-to-end step')
    .addHelpText('after', '\nExample:\n  agentlink envelope check parser --directory ./work --run --end-to-end passed')
    .action(
      async (taskId: string, flags: RunFlags & { endToEnd?: 'passed' | 'failed'; note?: string }, self: Command) => {
        const run = runOf(context, self)
        const envelope = await taskOf(run, taskId, 'recipient', ['working', 'input_required', 'auth_required'])
        const made = await onWord(context, run, envelope, flags)
        if (made === undefined) return
        const note = flags.note === undefined ? {} : { note: flags.note }
        const endToEnd = { passed: flags.endToEnd === 'passed', ...note }
        const evidence = { ...made, endToEnd, verdictSource: 'script' } as unknown as JsonObject
        const answer = await run.session.agent(run.agentName, 'envelopes.evidence', {
          params: { taskId },
          body: { evidence }
        })
        const complete = `envelope complete ${taskId}`
        const next = endToEnd.passed
          ? run.command(complete)
          : `do the end-to-end step, then ${run.command(`${complete} --end-to-end passed`)}`
        await tell(run, made, { run: made, ...answer }, `Recorded as evidence. Next: ${next}`)
      }
    )
}

export function addVerify(group: Command, context: Context): void {
  const command = group
    .command('verify')
    .summary('run the acceptance command of a completed task yourself')
    .description(
      'Shows the acceptance command of a task that you sent and runs it only on your word. What you saw is recorded beside what the recipient ' +
        'claims, under delegate.submit.'
    )
  runFlags(command)
    .option('--note <text>', 'a word on it')
    .addHelpText('after', '\nExample:\n  agentlink envelope verify parser --directory ./work --run')
    .action(async (taskId: string, flags: RunFlags & { note?: string }, self: Command) => {
      const run = runOf(context, self)
      const envelope = await taskOf(run, taskId, 'sender', ['completed'])
      const made = await onWord(context, run, envelope, flags)
      if (made === undefined) return
      const answer = await run.session.agent(run.agentName, 'envelopes.verdict', {
        params: { taskId },
        body: {
          passed: made.exitStatus === 0,
          freshContext: true,
          verdictSource: 'script',
          run: made as unknown as JsonObject,
          ...(flags.note === undefined ? {} : { note: flags.note })
        }
      })
      await tell(run, made, { run: made, ...answer }, writtenText(answer, run))
    })
}

interface CompleteFlags {
  readonly artifact?: string[]
  readonly summary?: string
  readonly endToEnd?: 'passed'
  readonly note?: string
}

export function addComplete(group: Command, context: Context): void {
  group
    .command('complete')
    .summary('complete a task with its evidence')
    .description('Sends the recorded evidence and references to the deliverables. Refused unless the check passed.')
    .argument('<taskId>', 'task id')
    .option(
      '--artifact <file...>',
      'a deliverable: its name, path below this folder, size and hash are sent, never its bytes; FILE=LOCATION says another place and name'
    )
    .addOption(
      new Option('--end-to-end <result>', 'what you saw of the end-to-end step since the check').choices([
        'passed'
      ] as const)
    )
    .option('--note <text>', 'a word on the end-to-end step')
    .option('--summary <text>', 'in your own words')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink envelope complete parser --artifact src/parser.js --end-to-end passed\n' +
        '  agentlink envelope complete parser --artifact /srv/out/report.pdf=https://example.org/report.pdf'
    )
    .action(async (taskId: string, flags: CompleteFlags, self: Command) => {
      const run = runOf(context, self)
      if (flags.note !== undefined && flags.endToEnd === undefined) throw usage('--note goes with --end-to-end passed')
      const files = await Promise.all((flags.artifact ?? []).map(namedFile))
      if (flags.endToEnd !== undefined) await confirmStep(run, taskId, flags.note)
      if (files.length > 0) {
        const body = { artifacts: files as unknown as JsonObject[] }
        await run.session.agent(run.agentName, 'envelopes.artifacts', { params: { taskId }, body })
      }
      const body = flags.summary === undefined ? {} : { summary: flags.summary }
      const answer = await run.session.agent(run.agentName, 'envelopes.complete', { params: { taskId }, body })
      const named = files.length === 0 ? '' : `\n\n${artifactTable(files)}`
      await run.print({ artifacts: files, ...answer }, () => writtenText(answer, run) + named)
    })
}

/** The check ran before the end-to-end step did: what was seen of that is added to the recorded evidence. */
async function confirmStep(run: Run, taskId: string, note: string | undefined): Promise<void> {
  const { envelope } = await run.session.agent(run.agentName, 'envelopes.read', { params: { taskId } })
  const recorded = envelope.staged?.['evidence'] as JsonObject | undefined
  // What is not there, or no more, is said by the node when it is asked to complete.
  if (recorded === undefined) return
  const evidence = { ...recorded, endToEnd: { passed: true, ...(note === undefined ? {} : { note }) } }
  await run.session.agent(run.agentName, 'envelopes.evidence', { params: { taskId }, body: { evidence } })
}

/** The task, if it is of that side and in a state in which a run means something. */
async function taskOf(
  run: Run,
  taskId: string,
  role: Envelope['role'],
  states: readonly Envelope['state'][]
): Promise<Envelope> {
  const { envelope } = await run.session.agent(run.agentName, 'envelopes.read', { params: { taskId } })
  if (envelope.role === role && states.includes(envelope.state)) return envelope
  if (envelope.role === role && envelope.state === 'submitted' && role === 'recipient') {
    throw new CommandFailure(EXIT.refused, `claim it first: \`${run.command(`envelope claim ${taskId}`)}\``)
  }
  const who = envelope.role === 'sender' ? 'you sent it' : 'you received it'
  const message = `this is for the ${role} of a task that is ${states.join(' or ')}: ${who}, and it is ${envelope.state}`
  throw new CommandFailure(EXIT.refused, message)
}

/** Shows what would run, and runs it if the person says so; undefined: nothing was run. */
async function onWord(
  { terminal }: Context,
  run: Run,
  envelope: Envelope,
  flags: RunFlags
): Promise<CheckRun | undefined> {
  const check = envelope.contract['acceptanceCheck'] as { passFailCommand: string; endToEndVerification: string }
  const directory = resolve(flags.directory)
  const shown = facts([
    ['command', check.passFailCommand.split('\n')],
    ['in', directory],
    ['at most', `${flags.timeout} s, ${flags.maxOutput} MiB of output`],
    ['then do yourself', check.endToEndVerification.split('\n')]
  ])
  terminal.err(`Another agent wrote this. Read it before you run it.\n\n${shown}\n`)
  if (!(flags.timeout > 0 && flags.timeout <= 86_400)) throw usage('--timeout must be 1 to 86400 seconds')
  if (!(flags.maxOutput > 0 && flags.maxOutput <= 1_024)) throw usage('--max-output must be 1 to 1024 mebibytes')
  const word = flags.run === true ? 'yes' : await terminal.ask?.('Run it? Type yes: ')
  if (word?.trim() !== 'yes') {
    await run.print({ ran: false, command: check.passFailCommand, directory }, () => 'Not run. Say --run to run it.')
    return undefined
  }
  // The command leads a process group of its own: an interrupt of ours reaches it only through us.
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
  const made = await runCheck(check.passFailCommand, {
    signal: leaving.signal,
    directory,
    timeoutMs: flags.timeout * SECOND,
    outputBytes: flags.maxOutput * MIB,
    progress: (text) => terminal.err(text.trimEnd().split('\n').map(visible).join('\n'))
  }).catch((error: unknown) => {
    throw usage(`the command could not be started in ${directory}: ${(error as Error).message}`)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, leave)
  if (leaving.signal.aborted) throw new CommandFailure(EXIT.refused, 'interrupted; nothing was recorded')
  return made
}

/** A check that did not pass is recorded all the same, and the command ends with 1. */
async function tell(run: Run, made: CheckRun, answer: unknown, then: string): Promise<void> {
  const { exitStatus, durationMs, output } = made
  const text = `exit status ${exitStatus} after ${durationMs} ms, ${output.bytes} bytes of output, sha256 ${output.sha256}`
  if (exitStatus === 0) return run.print(answer, () => `Passed: ${text}.\n${then}`)
  throw new CommandFailure(EXIT.refused, `the check did not pass: ${text}. It is recorded.`, answer)
}

function usage(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, message)
}
