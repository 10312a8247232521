import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

/**
 * Opens a browser at a secret link. The link goes through a file that only the owner's user can read: what a program is
 * started with, every user of the machine can read.
 */

/** Answers whether a program was found that opens browsers; what it does then is its own affair. */
export async function openInBrowser(url: string, file: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const opener = openerOf(environment)
  if (opener === undefined) return false
  // One that stands there may have other rights, or be a link to elsewhere.
  rmSync(file, { force: true })
  writeFileSync(file, pageTo(url), { mode: 0o600, flag: 'wx' })
  return new Promise((resolve) => {
    const child = spawn(opener, [file], { detached: true, stdio: 'ignore', env: environment })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/** None where there is no screen. */
function openerOf({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'darwin') return 'open'
  return [DISPLAY, WAYLAND_DISPLAY].some((screen) => screen !== undefined && screen !== '') ? 'xdg-open' : undefined
}

/** `url` is our own: it holds nothing that means something in HTML. */
function pageTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}"><title>AgentLink</title>\n`
}
