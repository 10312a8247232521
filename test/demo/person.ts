import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMMAND, Program } from './program.js'

/** An owner with a node in a home of its own, driven through the real command line, and its agent, driven through HTTP. */

const run = promisify(execFile)

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export class Person {
  readonly handle: string
  readonly home: string
  readonly #daemon = new Program()

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

  /** Makes home and wallet, with these settings, and starts the daemon. */
  async start(settings: string): Promise<void> {
    await this.owner(['init', '--handle', this.handle])
    await this.owner(['wallet', 'create'])
    appendFileSync(join(this.home, 'config.toml'), settings)
    await this.#daemon.start(['start', '--home', this.home, '--listen', '/ip4/127.0.0.1/tcp/0'])
  }

  stop(): Promise<void> {
    return this.#daemon.stop()
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
