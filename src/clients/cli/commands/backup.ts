import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Context, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import type { BackupReport } from '../launch.js'
import { refuseStrayOptions } from '../stray-options.js'
import { facts } from '../table.js'
import { shortTime } from '../times.js'

/** Characters of a passphrase that a file is written with. */
const PASSPHRASE_LEAST = 12

interface PassphraseFlags {
  readonly passphrase?: true
  readonly passphraseFile?: string
}

/** `agentlink backup …` and `agentlink restore`. */
export function addBackup(program: Command, context: Context): void {
  const group = program
    .command('backup')
    .summary('the whole node in one file')
    .description(
      'Writes keys, settings and state of a node to one file, as of one moment, whether the node runs or not. ' +
        'The file holds the private keys: keep it as you keep them, or say --passphrase ' +
        `(at least ${PASSPHRASE_LEAST} characters).`
    )
    .argument('<file>', 'where to write it')
    .option('--force', 'replace the file')
  addPassphrase(group)
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink backup alice.backup\n  agentlink backup alice.backup.age --passphrase\n  agentlink backup verify alice.backup'
    )
    .action(async (file: string, flags: PassphraseFlags & { readonly force?: true }, self: Command) => {
      const run = runOf(context, self)
      const passphrase = await newPassphrase(flags)
      const existing = flags.force === true ? 'replace' : 'keep'
      const report = await context.launch.backup({ home: run.home, file, existing, ...passphrase })
      await run.print(
        report,
        () => `Wrote ${file}\n\n${textOf(report)}\n\nCheck it: ${run.command(`backup verify ${file}`)}`
      )
    })
  addVerify(group, context)
  addRestore(program, context)
}

function addVerify(group: Command, context: Context): void {
  const command = group
    .command('verify')
    .summary('check a backup file')
    .description('Reads a whole backup file and says what is in it. Writes nothing.')
    .argument('<file>', 'backup file')
  addPassphrase(command)
    .addHelpText('after', '\nExample:\n  agentlink backup verify alice.backup')
    .action(async (file: string, _: unknown, self: Command) => {
      refuseStrayOptions(self, ['passphrase', 'passphraseFile'])
      // Flags that the command above has as well are taken by it.
      const flags = self.optsWithGlobals<PassphraseFlags>()
      const report = await context.launch.verifyBackup({ file, ...(await passphraseOf(flags)) })
      await runOf(context, self).print(report, () => `${file} is whole.\n\n${textOf(report)}`)
    })
}

function addRestore(program: Command, context: Context): void {
  const command = program
    .command('restore')
    .summary('make a home from a backup file')
    .description(
      'Makes the home of a backup where there is none. The old node must not run again: two nodes with one key ' +
        'contradict each other, and their contacts freeze. The node asks its contacts what it lost before it writes to them.'
    )
    .argument('<file>', 'backup file')
  addPassphrase(command)
    .addHelpText('after', '\nExample:\n  agentlink restore alice.backup --home ./alice')
    .action(async (file: string, flags: PassphraseFlags, self: Command) => {
      const run = runOf(context, self)
      const report = await context.launch.restore({ home: run.home, file, ...(await passphraseOf(flags)) })
      const home = { ...report, home: run.home }
      await run.print(
        home,
        () =>
          `Made ${run.home}\n\n${textOf(report)}\n\n` +
          `The old node must never run again: stop it, and remove its home.\nNext: ${run.command('start')}`
      )
    })
}

function addPassphrase(command: Command): Command {
  return command
    .option('--passphrase', 'ask for the passphrase of the file')
    .option('--passphrase-file <file>', 'the first line of that file is the passphrase')
}

async function newPassphrase(flags: PassphraseFlags): Promise<{ passphrase?: string }> {
  const first = await passphraseOf(flags)
  refuseShort(first.passphrase)
  if (flags.passphrase !== true) return first
  if ((await askHidden('Once more')) === first.passphrase) return first
  throw new CommandFailure(EXIT.usage, 'the two passphrases are not the same; nothing was written')
}

/** Whoever has the file can try as many as they like. */
function refuseShort(passphrase: string | undefined): void {
  if (passphrase === undefined || [...passphrase].length >= PASSPHRASE_LEAST) return
  const advice = 'such as four words that nobody would put together'
  throw new CommandFailure(
    EXIT.usage,
    `a new passphrase takes at least ${PASSPHRASE_LEAST} characters, ${advice}; nothing was written`
  )
}

async function passphraseOf({ passphrase, passphraseFile }: PassphraseFlags): Promise<{ passphrase?: string }> {
  if (passphraseFile !== undefined) return { passphrase: lineOf(passphraseFile) }
  return passphrase === true ? { passphrase: await askHidden('Passphrase') } : {}
}

function lineOf(file: string): string {
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1)
  if (line === '') throw new CommandFailure(EXIT.usage, `the first line of ${file} is empty`)
  return line
}

async function askHidden(message: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(EXIT.usage, '--passphrase asks at a terminal; use --passphrase-file')
  }
  const { isCancel, password } = await import('@clack/prompts')
  const said = await password({ message, output: process.stderr, validate: (text) => (text ? undefined : 'say one') })
  if (isCancel(said)) throw new CommandFailure(EXIT.usage, 'stopped; nothing was done')
  return said
}

function textOf(report: BackupReport): string {
  return facts([
    ['made', shortTime(report.madeAt)],
    ['agents', report.agents.join(', ')],
    ['records', String(report.records)],
    ['files', String(report.files)],
    ['encrypted', report.encrypted ? 'yes' : 'no']
  ])
}
