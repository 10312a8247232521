import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { AnswerOf, QueryOf } from '../../../api/contract.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { asJson } from '../json.js'
import { contactNames, type NameOf } from '../names.js'
import type { Terminal } from '../terminal.js'
import { shortTime } from '../times.js'
import { wholeCursor } from './inbox.js'

/** `agentlink events`: the inbox as it grows, by the same long poll that an agent uses. */

/** Seconds that one read waits for something new. */
const WAIT_SECONDS = 25
/** Milliseconds until a node that went away is looked for again. */
const RETRY_MS = 1000

type Page = AnswerOf<'inbox.read'>
type Item = Page['items'][number]

export function addEvents(program: Command, context: Context): void {
  program
    .command('events')
    .summary('watch what arrives for your agent')
    .description(
      'Shows what your agent has not acknowledged, and then each thing as it arrives, until you stop it with Ctrl-C. ' +
        'Watching changes nothing. A node that stops is waited for.'
    )
    .option('--after <cursor>', 'begin with what is newer than this', wholeCursor)
    .addHelpText(
      'after',
      `\nExamples:\n  agentlink events\n  agentlink events --after 12 --json | jq -r .kind\n\nWith --json each thing is one line of JSON.`
    )
    .action(async (flags: { readonly after?: number }, self: Command) =>
      watch(runOf(context, self), context.terminal, flags.after)
    )
}

/** Ends when whoever reads has left. The first read has to succeed: a wrong home or agent is no outage. */
async function watch(run: Run, terminal: Terminal, from: number | undefined): Promise<void> {
  const nameOf = run.json ? (id: string) => id : await contactNames(run)
  const query = from === undefined ? {} : { after: from }
  let page: Page | undefined = await run.session.agent(run.agentName, 'inbox.read', { query })
  while (page !== undefined) {
    for (const item of page.items) terminal.out(run.json ? asJson(item) : lineOf(item, nameOf))
    page = await readOn(run, terminal, { after: page.next, wait: WAIT_SECONDS })
  }
}

/** The next page, however long the node is away; undefined when nobody reads any more. */
async function readOn(run: Run, terminal: Terminal, query: QueryOf<'inbox.read'>): Promise<Page | undefined> {
  const signal = terminal.left
  let told = false
  while (!signal.aborted) {
    try {
      return await run.session.agent(run.agentName, 'inbox.read', { query, signal })
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exitCode !== EXIT.notRunning) throw error
      if (!told && !signal.aborted) terminal.err('The node does not answer; waiting for it …')
      told = true
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

function lineOf(item: Item, nameOf: NameOf): string {
  const about = item.taskUid === undefined ? '' : `  ${item.taskUid}`
  return `${item.cursor}  ${shortTime(item.at)}  ${item.kind}  ${nameOf(item.from)}${about}  ${asJson(item.content)}`
}
