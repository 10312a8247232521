import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:os'

/**
 * Runs an acceptance command on a person's explicit word, in a directory of their choice, with limits of time and output.
 * Whatever it started ends with it: it leads a process group of its own. Source: protocols/envelopes.md, "Evidence".
 */

/** What a run shows, as evidence and verdicts carry it. */
export interface CheckRun {
  readonly command: string
  /** 0 to 255; 128 and the signal's number when a signal ended it, 124 when its time was over, 125 when it wrote too much. */
  readonly exitStatus: number
  readonly output: {
    /** The last characters, standard output and error as they came. */
    readonly tail: string
    readonly bytes: number
    /** Of everything that it wrote. */
    readonly sha256: string
  }
  readonly durationMs: number
}

export interface CheckLimits {
  readonly directory: string
  readonly timeoutMs: number
  readonly outputBytes: number
  /** Called with each piece of output as it comes. */
  readonly progress: (text: string) => void
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

/** Characters of the tail: what a message carries (protocols/wire.md, "Limits"). */
const TAIL_LENGTH = 16_000
/** What a command gets to end by itself before it is killed, milliseconds. */
const GRACE_MS = 2_000
const TIMED_OUT = 124
const TOO_MUCH = 125

/** Rejects when the shell can not be started, a missing directory say. */
export async function runCheck(command: string, limits: CheckLimits): Promise<CheckRun> {
  const started = performance.now()
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: limits.directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: ownEnvironment()
  })
  const digest = createHash('sha256')
  let tail = Buffer.alloc(0)
  let bytes = 0
  let forced: number | undefined

  const end = (status: number): void => {
    if (forced !== undefined) return
    forced = status
    killGroup(child.pid, 'SIGTERM')
    setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS).unref()
  }
  const take = (piece: Buffer): void => {
    // What comes after the limit is not counted: the command is being ended.
    if (forced === TOO_MUCH) return
    digest.update(piece)
    bytes += piece.length
    // Four bytes a character at most, and what may be cut off in front.
    tail = Buffer.concat([tail, piece]).subarray(-4 * TAIL_LENGTH)
    limits.progress(piece.toString('utf8'))
    if (bytes > limits.outputBytes) end(TOO_MUCH)
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const timer = setTimeout(() => end(TIMED_OUT), limits.timeoutMs)
  const abort = (): void => end(128 + constants.signals.SIGINT)
  limits.signal?.addEventListener('abort', abort)
  try {
    const status = await exitOf(child)
    return {
      command,
      exitStatus: forced ?? status,
      output: { tail: lastCharacters(tail), bytes, sha256: digest.digest('hex') },
      durationMs: Math.round(performance.now() - started)
    }
  } finally {
    clearTimeout(timer)
    limits.signal?.removeEventListener('abort', abort)
  }
}

/** The command is over when the shell is; what it left behind in the background would keep the pipes open. */
function exitOf(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      status = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      killGroup(child.pid, 'SIGKILL')
    })
    child.once('close', () => resolve(status))
  })
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The whole group has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Another agent wrote the command: it is not told where our home is. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AGENTLINK')))
}

function lastCharacters(tail: Buffer): string {
  return [...tail.toString('utf8')].slice(-TAIL_LENGTH).join('')
}
