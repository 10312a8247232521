import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** A person at a terminal: a real one, made by the program `script`, so that prompts and Ctrl-C are what they are for people. */
export interface Typist {
  /** Resolves when the screen shows `text`. */
  sees(text: string): Promise<void>
  type(keys: string): void
  /** The exit code, once the command has ended. */
  readonly ended: Promise<number | null>
  readonly screen: () => string
}

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

/** Whether this machine can make terminals; says so when it can't, for a test that is then skipped. */
export function hasTerminals(): boolean {
  const can = spawnSync('script', ['--version']).status === 0
  if (!can) console.warn('skipped: it takes the program `script` to make a terminal (Debian: bsdutils)')
  return can
}

const PATIENCE_MS = 20_000

export function typist(words: readonly string[]): Typist {
  // The shell must not stay between: on Ctrl-C it would end with a code of its own.
  const line = ['exec', ...[process.execPath, 'dist/node/main.js', ...words].map((word) => `'${word}'`)].join(' ')
  const child: ChildProcessWithoutNullStreams = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, NODE_OPTIONS: '', SHELL: '/bin/sh' }
  })
  let screen = ''
  child.stdout.on('data', (text: Buffer) => (screen += text.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    async sees(text) {
      const end = performance.now() + PATIENCE_MS
      while (!screen.includes(text)) {
        if (performance.now() > end) throw new Error(`the screen never showed ${text}: ${screen}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    type: (keys) => void child.stdin.write(keys),
    ended,
    screen: () => screen
  }
}
