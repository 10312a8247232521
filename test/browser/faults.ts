import type { BrowserContext } from 'playwright-core'

/**
 * What no page of ours may do. The list that is returned fills while the context is used: messages of the console (the
 * browser reports breaks of the content policy there), errors of scripts, dialogs, and requests to anywhere but `origin`.
 */
export function faultsOf(context: BrowserContext, origin: string, expected: RegExp | undefined): string[] {
  const faults: string[] = []
  context.on('console', (message) => {
    const said = `${message.text()} (${message.location().url})`
    if (LOUD.has(message.type()) && expected?.test(said) !== true) faults.push(`console ${message.type()}: ${said}`)
  })
  context.on('weberror', (error) => faults.push(`script: ${String(error.error())}`))
  context.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !WITHIN.has(url.protocol)) faults.push(`request to ${url.href}`)
  })
  return faults
}

const LOUD: ReadonlySet<string> = new Set(['error', 'warning', 'assert'])
/** Addresses that no byte leaves the page for. */
const WITHIN: ReadonlySet<string> = new Set(['data:', 'blob:'])
