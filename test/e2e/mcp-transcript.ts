import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import type { McpAgent } from './mcp-agent.js'

/** What agents saw on their terminals, kept under `transcripts/` so that a change of it is seen. */

/** Calls a tool, notes the call and all of its text in `log`, and answers what came, remote or not. */
export function noting(log: string[]): <T>(who: string, agent: McpAgent, name: string, given?: object) => Promise<T> {
  return async <T>(who: string, agent: McpAgent, name: string, given: object = {}): Promise<T> => {
    const answer = await agent.call(name, given as Record<string, unknown>)
    log.push(`${who} ${name} ${JSON.stringify(given)}`, ...answer.text.split('\n').map((line) => `  ${line}`), '')
    return (answer.structured['remote'] ?? answer.structured['result'] ?? answer.structured['error']) as T
  }
}

/**
 * Compares what an agent saw with the stored transcript, with what differs from run to run named by order of its first
 * appearance. `WRITE_TRANSCRIPTS=1` writes it anew, to be read before it is committed.
 */
export function checkTranscript(name: string, log: readonly string[]): void {
  const file = new URL(`transcripts/${name}.txt`, import.meta.url)
  const text = steady(log.join('\n'))
  if (process.env['WRITE_TRANSCRIPTS'] === '1') writeFileSync(file, text)
  expect(text).to.equal(readFileSync(file, 'utf8'))
}

function steady(text: string): string {
  const names = new Map<string, string>()
  const name = (kind: string) => (found: string) => {
    const known =
      names.get(found) ?? `${kind}-${[...names.values()].filter((each) => each.startsWith(`${kind}-`)).length + 1}`
    names.set(found, known)
    return known
  }
  return text
    .replace(/(<<<)[0-9a-f]{32}|[0-9a-f]{32}(>>>)/g, '$1FENCE$2')
    .replace(/al1[a-z0-9]{50,}/g, name('agent'))
    .replace(/\b[0-9a-f]{64}\b/g, name('hash'))
    .replace(/\b[0-9a-f]{32}\b/g, name('id'))
    .replace(/"delivery":\{[^}]*\}/g, '"delivery":{…}')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
}
