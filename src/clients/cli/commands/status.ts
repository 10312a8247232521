import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import type { RunFile } from '../../../api/home.js'
import { type Context, runOf } from '../context.js'
import { CommandFailure, EXIT, noHome } from '../failure.js'
import { isAnswering, readRunFile } from '../session.js'
import { facts } from '../table.js'

/** `agentlink status`. */
export function addStatus(program: Command, context: Context): void {
  program
    .command('status')
    .summary('how the node is')
    .description('Says whether the node runs, where it is reached, and what waits. Exits 3 when it is not running.')
    .addHelpText('after', '\nExamples:\n  agentlink status\n  agentlink status --json | jq .approvalsPending')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const { paths } = run.session
      if (!existsSync(paths.config)) throw noHome(run.home)
      if (!(await isAnswering(paths))) {
        const answer = { running: false, home: run.home }
        throw new CommandFailure(
          EXIT.notRunning,
          `no node is running on ${run.home}; start it with: \`agentlink start\``,
          answer
        )
      }
      const status = await run.session.owner('owner.status.read')
      const file = readRunFile(paths)
      const place =
        file === undefined ? {} : { pid: file.pid, socket: file.socket, url: file.url, skillPages: pagesOf(file) }
      await run.print({ running: true, home: run.home, ...place, ...status }, () => textOf(run.home, file, status))
    })
}

function textOf(home: string, file: RunFile | undefined, status: AnswerOf<'owner.status.read'>): string {
  const { contacts } = status
  return facts([
    ['running', file === undefined ? 'yes' : `yes, process ${file.pid}`],
    ['home', home],
    ...status.agents.map((agent): [string, string] => [`agent ${agent.name}`, `${agent.handle} ${agent.agent}`]),
    ['node', status.peerId],
    ['addresses', status.addrs.length === 0 ? 'none' : status.addrs],
    ['API', [file?.socket, file?.url].filter((place) => place !== undefined)],
    ['for agents', file === undefined ? [] : [pagesOf(file)]],
    ['contacts', `${contacts.active} active, ${contacts.connected} connected, ${contacts.pending} pending`],
    ['undelivered', String(status.undelivered)],
    ['approvals pending', String(status.approvalsPending)]
  ])
}

/** Where an agent starts to read. */
function pagesOf({ url, socket }: RunFile): string {
  return url === undefined ? `curl --unix-socket ${socket} http://localhost/agents.md` : `${url}/agents.md`
}
