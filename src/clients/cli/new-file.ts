import { writeFileSync } from 'node:fs'
import { CommandFailure, EXIT } from './failure.js'

/** Writes a file for its owner alone. One that exists is left alone unless it is to be replaced. */
export function writeNewFile(path: string, text: string, existing: 'replace' | 'keep'): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: existing === 'keep' ? 'wx' : 'w' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandFailure(EXIT.usage, `${path} exists; say another file, or --force to replace it`)
  }
}
