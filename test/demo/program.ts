import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The built command line, run as a child of the demo that lives until the demo ends it: a node, or the local chain. */

export const COMMAND = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url))

export class Program {
  #child: ChildProcess | undefined

  /** Resolves with its first line, which says that it is ready. */
  async start(words: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [COMMAND, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const lines = createInterface({ input: child.stdout })
    const ready = once(lines, 'line') as Promise<[string]>
    const gone = once(child, 'exit').then(([code]): never => {
      throw new Error(`agentlink ${words.join(' ')} ended with ${String(code)}: ${said}`)
    })
    const [first] = await Promise.race([ready, gone])
    gone.catch(() => undefined)
    lines.on('line', () => undefined)
    return first
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}
