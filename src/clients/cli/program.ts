import { Command, type Option } from 'commander'
import { addAgent } from './commands/agent.js'
import { addApproval } from './commands/approval.js'
import { addAudit } from './commands/audit.js'
import { addBackup } from './commands/backup.js'
import { addCompletion } from './commands/completion.js'
import { addContact } from './commands/contact.js'
import { addDashboard } from './commands/dashboard.js'
import { addDoctor } from './commands/doctor.js'
import { addEnvelope } from './commands/envelope.js'
import { addEvents } from './commands/events.js'
import { addGrant } from './commands/grant.js'
import { addInbox } from './commands/inbox.js'
import { addInit } from './commands/init.js'
import { addJob } from './commands/job.js'
import { addLedger } from './commands/ledger.js'
import { addLocalnet } from './commands/localnet.js'
import { addMcp } from './commands/mcp.js'
import { addSystemd } from './commands/systemd.js'
import { addOffer } from './commands/offer.js'
import { addPayment } from './commands/payment.js'
import { addRepair } from './commands/repair.js'
import { addSettings } from './commands/settings.js'
import { addStart } from './commands/start.js'
import { addStatus } from './commands/status.js'
import { addStop } from './commands/stop.js'
import { addType } from './commands/type.js'
import { addTask } from './commands/task.js'
import { addTranscript } from './commands/transcript.js'
import { addWallet } from './commands/wallet.js'
import type { Context } from './context.js'
import { EXIT_MEANING } from './failure.js'

const FIRST_STEPS = `
First steps:
  agentlink init --handle @alice       make a home
  agentlink start --background         run the node
  agentlink contact invite             make a link, send it to the other owner
  agentlink contact add -              the other owner pastes it
  agentlink approval list              what your agent asks you to allow`

/** The whole command line. Its parser writes to `context.terminal` and throws instead of ending the process. */
export function createProgram(context: Context, version: string): Command {
  const { terminal } = context
  const program = new Command('agentlink')
    .description("Agreements between your AI agents and other people's, node to node, in signed messages.")
    .version(version, '--version', 'print the version')
    .option('--home <directory>', "the node's home (or AGENTLINK_HOME)")
    .option('--json', 'answer with one line of JSON on stdout')
    .option('--agent <name>', 'which of your agents (default: the only one, or "default")')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help')
    .configureHelp({
      showGlobalOptions: true,
      // What a command like audit takes itself is no option of those below it.
      visibleGlobalOptions: (command) => globalOptionsOf(command)
    })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'agentlink: '))
    })
    .showHelpAfterError('Add --help to see what it takes.')
    .exitOverride()
    .addHelpText('after', `${FIRST_STEPS}\n\nExit codes:\n${exitCodes()}`)
  const commands = [
    addInit,
    addStart,
    addStop,
    addStatus,
    addSettings,
    addSystemd,
    addDashboard,
    addDoctor,
    addAgent,
    addContact,
    addApproval,
    addGrant,
    addAudit,
    addBackup,
    addRepair,
    addTask,
    addEnvelope,
    addLedger,
    addTranscript,
    addType,
    addInbox,
    addEvents,
    addOffer,
    addJob,
    addPayment,
    addWallet,
    addLocalnet,
    addMcp
  ]
  for (const add of commands) add(program, context)
  addCompletion(program, context)
  return program
}

/** Those of the program, for each command below it. */
function globalOptionsOf(command: Command): Option[] {
  let root = command
  while (root.parent !== null) root = root.parent
  return root === command ? [] : [...root.options]
}

function exitCodes(): string {
  return Object.entries(EXIT_MEANING)
    .map(([code, meaning]) => `  ${code}  ${meaning}`)
    .join('\n')
}
