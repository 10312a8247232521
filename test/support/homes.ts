import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Fresh directories of a test, removed by `clean`. Short paths: sockets lie in them. */
export function temporaryHomes(): { make(): string; clean(): void } {
  const made: string[] = []
  return {
    make() {
      const root = mkdtempSync(join(tmpdir(), 'al-'))
      made.push(root)
      return join(root, 'home')
    },
    clean() {
      for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true })
    }
  }
}
