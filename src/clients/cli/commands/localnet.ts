import type { Command } from 'commander'
import type { Context } from '../context.js'
import { CommandFailure } from '../failure.js'
import { asJson } from '../json.js'
import type { LocalnetReport } from '../launch.js'
import { wholePort } from '../net-flags.js'
import { facts } from '../table.js'

/** Where clients of Solana look for a chain on their own machine. */
const USUAL_PORT = 8899

const EXAMPLES = `
Examples:
  agentlink localnet
  agentlink localnet --port 0 --json
  agentlink localnet --faults late,429

Any Solana client works: new Connection('http://127.0.0.1:8899'). Websockets are on the next port. Money comes from
"agentlink wallet airdrop" or the client's requestAirdrop. Everything is in memory, and gone when the process ends.

Faults, also switched while it runs by the method localnet_faults with a list of names:
  dropped    sent transactions never land             lying      other transactions are shown
  late       they land 10 seconds later               behind     slots go back by 1000
  forgotten  no transaction is known                  mainnet    the genesis hash is mainnet's
  429        HTTP 429                                 hang       no answer
  truncated  half an answer
The method localnet_skip with a number lets that many slots pass at once: after 151 a blockhash is too old.`

/** `agentlink localnet`. */
export function addLocalnet(program: Command, context: Context): void {
  program
    .command('localnet')
    .summary('run a local Solana chain')
    .description('Runs a Solana chain for tests in this process, on loopback, until it is stopped.')
    .option('--port <number>', 'port of the RPC; 0 = a free one', wholePort, USUAL_PORT)
    .option('--faults <names>', 'what goes wrong, separated by commas', (text) => text.split(','), [])
    .addHelpText('after', EXAMPLES)
    .action(async (flags: { readonly port: number; readonly faults: readonly string[] }, self: Command) => {
      const json = self.optsWithGlobals<{ readonly json?: true }>().json === true
      const onReady = (report: LocalnetReport): void => context.terminal.out(json ? asJson(report) : readyText(report))
      const code = await context.launch.localnet({ ...flags, onReady })
      if (code !== 0) throw new CommandFailure(1, 'the local chain stopped because of a fault')
    })
}

function readyText(report: LocalnetReport): string {
  return facts([
    ['RPC', report.url],
    ['websocket', report.websocketUrl],
    ['faults', report.faults.length === 0 ? 'none' : report.faults.join(', ')]
  ])
}
