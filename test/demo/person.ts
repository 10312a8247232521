import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** An owner with a node in a home of its own, driven through the real command line, and its agent, driven through HTTP. */

const COMMAND = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url))
const run = promisify(execFile)

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export class Person {
  readonly handle: string
  readonly home: string
  #daemon: ChildProcess | undefined

  /** `root`: an empty directory for the demo's homes. */
  constructor(name: string, root: string) {
    this.handle = `@${name}`
    this.home = join(root, name)
  }

  /** Runs an owner's command and answers its `--json` output. `input` goes to its standard input. */
  async owner(args: readonly string[], input?: string): Promise<Record<string, unknown>> {
    const running = run(process.execPath, [COMMAND, ...args, '--home', this.home, '--json'], { maxBuffer: 1 << 24 })
    running.child.stdin?.end(input)
    const { stdout } = await running
    return stdout.trim() === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>)
  }

  /** As `owner`, where the command may end with 1: it says on standard output what it saw all the same. */
  async told(args: readonly string[]): Promise<Record<string, unknown>> {
    return this.owner(args).catch((error: unknown) => {
      const { code, stdout } = error as { readonly code?: unknown; readonly stdout?: string }
      if (code !== 1 || stdout === undefined || stdout.trim() === '') throw error
      return JSON.parse(stdout) as Record<string, unknown>
    })
  }

  /** Starts the daemon in the foreground of a child and resolves when it says that it is ready. */
  async start(): Promise<void> {
    await this.owner(['init', '--handle', this.handle])
    const args = [COMMAND, 'start', '--home', this.home, '--listen', '/ip4/127.0.0.1/tcp/0']
    const daemon = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#daemon = daemon
    let said = ''
    daemon.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const lines = createInterface({ input: daemon.stdout })
    const ready = once(lines, 'line')
    const gone = once(daemon, 'exit').then(([code]) => {
      throw new Error(`the daemon of ${this.handle} ended with ${String(code)}: ${said}`)
    })
    await Promise.race([ready, gone])
    gone.catch(() => undefined)
    lines.on('line', () => undefined)
  }

  async stop(): Promise<void> {
    const daemon = this.#daemon
    if (daemon === undefined || daemon.exitCode !== null) return
    const ended = once(daemon, 'exit')
    daemon.kill('SIGTERM')
    await ended
  }

  /** What `run.json` says of the running node. */
  place(): { readonly url: string; readonly agent: string; readonly peerId: string } {
    return JSON.parse(readFileSync(join(this.home, 'run.json'), 'utf8')) as ReturnType<Person['place']>
  }

  /** The agent's call, with nothing but its own token. */
  async agent(method: string, path: string, body?: unknown): Promise<Answer> {
    const token = readFileSync(join(this.home, 'agents/default/token'), 'utf8').trim()
    const response = await fetch(`${this.place().url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}
