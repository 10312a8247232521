import { readFileSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { canonicalText } from '../../../base/canonical.js'
import type { Json } from '../../../base/json.js'
import { instantOf, isoOf } from '../../../base/time.js'
import { visible } from '../../../base/visible.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT, isRefused } from '../failure.js'
import type { TranscriptReport } from '../transcript-report.js'
import { writeNewFile } from '../new-file.js'
import { headText, wholeText } from '../transcript-text.js'

/** Bytes of a file that is read at all: the limit of a transcript (protocols/transcripts.md, "The file"). */
const FILE_BYTES = 33_554_432

interface VerifyFlags {
  readonly at?: string
}

/** `agentlink transcript …`. */
export function addTranscript(program: Command, context: Context): void {
  const group = program
    .command('transcript')
    .summary('a task as a file that proves itself')
    .description(
      'The signed messages of a task as one file. Whoever has the file can check it, without a node or a network.'
    )
  addExport(group, context)
  addVerify(group, context)
  addShow(group, context)
}

function addExport(group: Command, context: Context): void {
  group
    .command('export')
    .summary('write the transcript of a task')
    .description('Writes the transcript of a negotiation or of a delegated task to stdout, or to a new file.')
    .argument('<task>', 'task id, as `agentlink task list` or `agentlink envelope list` shows it')
    .option('--out <file>', 'write there; a file that exists is left alone')
    .option('--force', 'replace the file')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink transcript export TASK --out dinner.transcript.json\n  agentlink transcript export parser > parser.transcript.json'
    )
    .action(async (task: string, flags: { out?: string; force?: true }, self: Command) => {
      const run = runOf(context, self)
      const file = await fileOf(run, task)
      const text = canonicalText(file as unknown as Json)
      if (flags.out === undefined) return context.terminal.out(text)
      writeNewFile(flags.out, text, flags.force === true ? 'replace' : 'keep')
      const written = { file: flags.out, messages: file.inviter.messages.length + file.invitee.messages.length }
      await run.print(
        written,
        () =>
          `Wrote ${flags.out} with ${counted(written.messages)}. Check it: ${run.command(`transcript verify ${flags.out}`)}`
      )
    })
}

function counted(messages: number): string {
  return messages === 1 ? '1 message' : `${messages} messages`
}

/** A uid may be that of a negotiation; any other id is the name of a delegated task. */
async function fileOf(run: Run, task: string): Promise<AnswerOf<'tasks.transcript'>> {
  const ofEnvelope = (): Promise<AnswerOf<'tasks.transcript'>> =>
    run.session.agent(run.agentName, 'envelopes.transcript', { params: { taskId: task } })
  if (!/^[0-9a-f]{32}$/.test(task)) return ofEnvelope()
  return run.session.agent(run.agentName, 'tasks.transcript', { params: { taskUid: task } }).catch((error: unknown) => {
    if (isRefused(error, 'not_found')) return ofEnvelope()
    throw error
  })
}

function addVerify(group: Command, context: Context): void {
  group
    .command('verify')
    .summary('check a transcript file')
    .description('Checks every signature, place and receipt of a transcript, and computes the state of the task anew.')
    .argument('<file>', 'transcript file')
    .option('--at <time>', 'state at that time, e.g. 2026-11-14T19:00:00.000Z (default: now)')
    .addHelpText('after', '\nExample:\n  agentlink transcript verify dinner.transcript.json')
    .action(async (file: string, flags: VerifyFlags, self: Command) => {
      const report = await verified(context, file, flags)
      await runOf(context, self).print(report, () => `The transcript holds.\n\n${headText(report)}`)
    })
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .summary('what a transcript tells')
    .description('Checks a transcript and shows what was proposed, or asked for and proved, and every message.')
    .argument('<file>', 'transcript file')
    .option('--at <time>', 'state at that time (default: now)')
    .addHelpText('after', '\nExample:\n  agentlink transcript show dinner.transcript.json')
    .action(async (file: string, flags: VerifyFlags, self: Command) => {
      const report = await verified(context, file, flags)
      const run = runOf(context, self)
      await run.print(report, () => wholeText(report, run))
    })
}

async function verified(context: Context, file: string, flags: VerifyFlags): Promise<TranscriptReport> {
  const at = flags.at ?? isoOf(Date.now())
  if (instantOf(at) === undefined) {
    throw new CommandFailure(EXIT.usage, '--at takes a time such as 2026-11-14T19:00:00.000Z')
  }
  const outcome = await context.launch.verifyTranscript(readBounded(file), at)
  if (outcome.ok) return outcome.value
  const { message, details } = outcome.refusal
  const where = typeof details.offset === 'number' ? ` (byte ${details.offset} of ${file})` : ''
  const fault = details.code === 'malformed_transcript' ? 'not a transcript' : 'the transcript does not hold'
  throw new CommandFailure(EXIT.refused, `${fault}: ${visible(message)}${where}`, { error: outcome.refusal })
}

function readBounded(file: string): Uint8Array {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new CommandFailure(EXIT.usage, `there is no file ${file}`)
  if (size > FILE_BYTES)
    throw new CommandFailure(EXIT.refused, `${file} is larger than any transcript (${FILE_BYTES} bytes)`)
  return readFileSync(file)
}
