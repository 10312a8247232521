import type { Command } from 'commander'
import type { AnswerOf } from '../../../api/contract.js'
import { type ConsentFlags, insistOnYes } from '../consent.js'
import { type Context, type Run, runOf } from '../context.js'
import { facts } from '../table.js'

type Agent = AnswerOf<'owner.agents.list'>['items'][number]

/** `agentlink agent …`. */
export function addAgent(program: Command, context: Context): void {
  const group = program
    .command('agent')
    .summary('the agents of your node')
    .description(
      'Each agent has its own key, token, socket, contacts, grants and inbox; none sees anything of another. Give a program ' +
        'the directory agents/NAME of the home, and nothing else, and it can act as that agent alone.'
    )
  addList(group, context)
  addAdd(group, context)
  addRotate(group, context)
  addRevoke(group, context)
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .summary('all of them')
    .description('Lists the agents of this node.')
    .addHelpText('after', '\nExample:\n  agentlink agent list')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const page = await run.session.owner('owner.agents.list')
      const rows = page.items.map((agent) => [agent.name, agent.handle, agent.agent])
      await run.print(page, () => run.table(['name', 'handle', 'agent'], rows))
    })
}

function addAdd(group: Command, context: Context): void {
  group
    .command('add')
    .summary('one more agent')
    .description(
      'Makes a key, a token and a socket for one more agent of the running node. Where there is one of that name already it ' +
        'changes nothing; with another --handle than the one there it exits 1.'
    )
    .argument('<name>', '1 to 31 of a-z, 0-9, _ and -: its directory in the home')
    .option('--handle <@name>', 'the name that it suggests to its contacts (default: a neutral one)')
    .addHelpText('after', '\nExample:\n  agentlink agent add research --handle @alice-research')
    .action(async (name: string, flags: { readonly handle?: string }, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.agents.add', { body: { name, ...flags } })
      await run.print(withPaths(run, answer.agent), () => {
        const next = `\n\nNext: ${run.command(`contact invite --agent ${answer.agent.name}`)}`
        return placesText(run, answer.agent) + next
      })
    })
}

function addRotate(group: Command, context: Context): void {
  group
    .command('rotate-token')
    .summary('a new token in place of the old one')
    .description('Gives an agent a new token, in the same file. The old one opens nothing from that moment on.')
    .argument('<agent>', 'name, handle or id')
    .addHelpText('after', '\nExample:\n  agentlink agent rotate-token default')
    .action(async (agent: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.agents.rotateToken', { params: { agent } })
      await run.print(
        withPaths(run, answer.agent),
        () => `The old token opens nothing.\n\n${placesText(run, answer.agent)}`
      )
    })
}

function addRevoke(group: Command, context: Context): void {
  group
    .command('revoke')
    .summary('end an agent for good')
    .description(
      'Ends an agent at once and for good: its token and its socket answer no more. Its contacts are not told; remove them ' +
        'before (agentlink contact remove) if they should be. What it wrote stays in the store and in the audit log.'
    )
    .argument('<agent>', 'name, handle or id; the agent "default" stays')
    .option('--yes', 'do it without asking')
    .addHelpText('after', '\nExamples:\n  agentlink agent revoke research\n  agentlink agent revoke research --yes')
    .action(async (agent: string, flags: ConsentFlags, self: Command) => {
      const run = runOf(context, self)
      await insistOnYes(context, flags, {
        question: `End the agent ${agent} for good?`,
        undone: 'Nothing was revoked. Say --yes to revoke it.'
      })
      const answer = await run.session.owner('owner.agents.revoke', { params: { agent } })
      await run.print(answer, () => `Revoked ${answer.agent.name} ${answer.agent.handle} ${answer.agent.agent}.`)
    })
}

/** For programs: the agent, and the files that whoever acts as it needs. */
function withPaths(run: Run, agent: Agent): { readonly agent: Agent; readonly token: string; readonly socket: string } {
  const { token, socket } = run.session.paths.agent(agent.name)
  return { agent, token, socket }
}

function placesText(run: Run, agent: Agent): string {
  const { token, socket } = withPaths(run, agent)
  return facts([
    ['name', agent.name],
    ['handle', agent.handle],
    ['agent', agent.agent],
    ['token', token],
    ['socket', socket]
  ])
}
