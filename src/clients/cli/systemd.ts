import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CommandFailure, EXIT } from './failure.js'

/**
 * The user's own systemd: one template unit for the program, one instance of it for each home. Everything is asked of
 * systemd's own commands, which know how to escape a path and what runs.
 */

const TEMPLATE = 'agentlink@.service'
const SOURCE = fileURLToPath(new URL(`../../../config/systemd/${TEMPLATE}`, import.meta.url))
/** The line of the template that names the program. */
const PROGRAM = /^ExecStart=agentlink /m

/** The unit as it is put in place: it names this very program, because systemd knows no PATH of a login shell. */
export function unitText(node: string, program: string): string {
  return readFileSync(SOURCE, 'utf8').replace(PROGRAM, () => `ExecStart=${quoted(node)} ${quoted(program)} `)
}

/** systemd would read quotes, backslashes, `%` and `$` of a path as its own signs. */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replace(/[%$]/g, '$&$&')}"`
}

/** Where the units of this user lie. */
export function unitFile(environment: NodeJS.ProcessEnv): string {
  return join(unitFolder(environment), TEMPLATE)
}

function unitFolder(environment: NodeJS.ProcessEnv): string {
  const config = environment['XDG_CONFIG_HOME']
  return join(config === undefined || config === '' ? join(homedir(), '.config') : config, 'systemd', 'user')
}

/** Writes the template, or again over an older one. */
export function writeUnit(environment: NodeJS.ProcessEnv): void {
  mkdirSync(unitFolder(environment), { recursive: true })
  writeFileSync(unitFile(environment), unitText(process.execPath, process.argv[1] ?? ''))
}

/** Takes the template away once no home uses it any more. */
export function removeUnusedUnit(environment: NodeJS.ProcessEnv): void {
  const wanted = join(unitFolder(environment), 'default.target.wants')
  const used = existsSync(wanted) && readdirSync(wanted).some((name) => name.startsWith('agentlink@'))
  if (!used) rmSync(unitFile(environment), { force: true })
}

/**
 * The name of a home's unit.
 * @throws CommandFailure when this machine has no systemd
 */
export function unitOf(home: string, environment: NodeJS.ProcessEnv): Promise<string> {
  return run('systemd-escape', ['--path', `--template=${TEMPLATE}`, home], environment)
}

/** @throws CommandFailure with the words of `systemctl` when it can't */
export async function systemctl(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  await run('systemctl', ['--user', ...words], environment)
}

async function run(program: string, words: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, words, { env: environment })
    return stdout.trim()
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string }
    if (code === 'ENOENT') {
      const advice =
        'keep the node running with what your system has instead: `agentlink start` stays in the foreground'
      throw new CommandFailure(EXIT.refused, `this machine has no systemd (${program}); ${advice}`)
    }
    const said = stderr === undefined || stderr.trim() === '' ? message : stderr.trim()
    // Someone who became this user with su, or a cron job, has no systemd of their own.
    const advice = said.includes('connect to bus') ? '; run it in a login session of your own' : ''
    throw new CommandFailure(EXIT.refused, `${program} ${words.join(' ')}: ${said}${advice}`)
  }
}
