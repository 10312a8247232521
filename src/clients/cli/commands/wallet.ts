import { readFileSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import type { BalanceReport, WalletDesk, WalletReport } from '../launch.js'
import { facts } from '../table.js'
import { walletText } from '../wallet-text.js'

/** A wallet file has at most 64 numbers of 3 digits; spaces and line ends may be between them. */
const FILE_BYTES = 4096

/** `agentlink wallet …`. */
export function addWallet(program: Command, context: Context): void {
  const group = program
    .command('wallet')
    .summary('the play money that pays for jobs')
    .description(
      "This node's wallet on Solana devnet or on a local chain: keys/wallet.json in the home, in the format of " +
        'solana-keygen. It never holds real money: a node refuses mainnet. A running node takes a new wallet at its next start.'
    )
  group
    .command('show')
    .summary('address, balance, limits, and what is left of them')
    .description(
      'Asks the running node for its wallet: what is in it, what your agents may spend, and which payments count against ' +
        'the day and until when. A chain that does not answer leaves the balance unknown.'
    )
    .addHelpText('after', '\nExample:\n  agentlink wallet show --json')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const answer = await run.session.owner('owner.wallet.read')
      await run.print(answer, () => walletText(answer.wallet, run))
    })
  addMaking(group, context)
  addAsking(group, context)
  group
    .command('limits')
    .summary('what your agents may spend')
    .description('Shows the spend limits of config.toml: for one job, and for all jobs of a day.')
    .addHelpText('after', '\nExample:\n  agentlink wallet limits')
    .action(async (_flags: object, self: Command) => {
      const run = runOf(context, self)
      const limits = (await desk(context, self)).limits()
      await run.print(limits, () =>
        facts([
          ['cluster', limits.cluster],
          ['for one job', `${limits.perJobSol} SOL`],
          ['for one day', `${limits.perDaySol} SOL`]
        ])
      )
    })
}

function addMaking(group: Command, context: Context): void {
  group
    .command('create')
    .summary('make a wallet')
    .description('Makes a new key. A wallet that is there is left alone.')
    .addHelpText('after', '\nExample:\n  agentlink wallet create')
    .action(async (_flags: object, self: Command) => {
      const wallet = await desk(context, self)
      const report = await wallet.create()
      await printMade(runOf(context, self), wallet, report)
    })
  group
    .command('import')
    .summary('take over a wallet')
    .description('Copies the key of a solana-keygen file into the home. "-" reads it from stdin.')
    .argument('<file>', 'the file, or -')
    .addHelpText(
      'after',
      '\nExamples:\n  agentlink wallet import ~/.config/solana/id.json\n  agentlink wallet import - < id.json'
    )
    .action(async (file: string, _flags: object, self: Command) => {
      const wallet = await desk(context, self)
      const report = await wallet.import(file === '-' ? await context.terminal.readInput(FILE_BYTES) : bounded(file))
      await printMade(runOf(context, self), wallet, report)
    })
  group
    .command('address')
    .summary("the wallet's address")
    .description('Prints the address, to which anybody can send.')
    .addHelpText('after', '\nExample:\n  agentlink wallet address')
    .action(async (_flags: object, self: Command) => {
      const report = await (await desk(context, self)).address()
      await runOf(context, self).print(report, () => report.address)
    })
}

function addAsking(group: Command, context: Context): void {
  group
    .command('balance')
    .summary('what is in it')
    .description('Asks the configured chain for the finalized balance of the wallet, or of another address.')
    .argument('[address]', 'another account')
    .addHelpText('after', '\nExample:\n  agentlink wallet balance')
    .action(async (address: string | undefined, _flags: object, self: Command) => {
      const report = await (await desk(context, self)).balance(address)
      await runOf(context, self).print(report, () => balanceText(report))
    })
  group
    .command('airdrop')
    .summary('get play money')
    .description("Asks the cluster's faucet, and waits until the money is there. Devnet's own faucet is often empty.")
    .argument('[sol]', 'how much, e.g. 0.5', '1')
    .addHelpText('after', '\nExample:\n  agentlink wallet airdrop 2')
    .action(async (sol: string, _flags: object, self: Command) => {
      const report = await (await desk(context, self)).airdrop(sol)
      await runOf(context, self).print(report, () => balanceText(report))
    })
}

function desk(context: Context, self: Command): Promise<WalletDesk> {
  return context.launch.wallet(runOf(context, self).home)
}

function bounded(file: string): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new CommandFailure(EXIT.usage, `there is no file ${file}`)
  if (size > FILE_BYTES) throw new CommandFailure(EXIT.refused, `${file} is larger than any wallet file`)
  return readFileSync(file, 'utf8')
}

function printMade(run: Run, wallet: WalletDesk, report: WalletReport): Promise<void> {
  return run.print(report, () => {
    const made = `${report.address}\n\nThe key is in ${report.file}: keep a copy of that file.`
    return `${made} A node that runs takes it at its next start.\n\nNext: ${nextStep(run, wallet.limits().cluster)}`
  })
}

/** A faucet is asked on a chain, and a chain has to be configured first; the local one has to run. */
function nextStep(run: Run, cluster: string): string {
  const airdrop = run.command('wallet airdrop')
  if (cluster === 'solana:devnet') return airdrop
  if (cluster === 'solana:localnet') return `${airdrop}, while \`agentlink localnet\` runs`
  const places = 'what config/devnet.toml or config/localnet.toml of this program says'
  return `say on which chain you pay: add ${places} to ${run.session.paths.config}, then ${airdrop}`
}

function balanceText(report: BalanceReport): string {
  return `${report.sol}  ${report.address}  (${report.cluster})`
}
