import type { AnswerOf } from '../../api/contract.js'
import { solOf } from '../../api/words/money.js'
import type { Run } from './context.js'
import { facts } from './table.js'
import { shortTime } from './times.js'

/** The wallet of the node on the screen: what is in it, and what may still leave it. */

type Wallet = AnswerOf<'owner.wallet.read'>['wallet']
type Limits = NonNullable<Wallet['limits']>

export function walletText({ cluster, address, balance, limits }: Wallet, run: Pick<Run, 'command' | 'table'>): string {
  if (cluster === 'off') {
    return 'This node is on no chain: it makes and takes no payments. Set chain.cluster in config.toml to "devnet" or "localnet".'
  }
  const opening = facts([
    ['cluster', `${cluster}, play money`],
    ['address', address ?? `none; make a wallet with: ${run.command('wallet create')}`],
    ...(balance === undefined ? [] : [['balance', balanceText(balance)] as const]),
    ...(limits === undefined ? [] : limitRows(limits))
  ])
  return limits === undefined || limits.items.length === 0 ? opening : `${opening}\n\n${countedTable(limits, run)}`
}

/** What a payment may take, beside what is left for it. */
export function leftText(limits: Pick<Limits, 'perJob' | 'perDay' | 'left'>, lamports: string): string {
  const { perJob, perDay, left } = limits
  const day = `${solOf(left)} of ${solOf(perDay)} are left for 24 hours`
  if (!/^\d{1,20}$/.test(lamports)) return day
  if (BigInt(lamports) > BigInt(perJob)) return `ABOVE your limit of ${solOf(perJob)} for one job: a yes pays nothing`
  if (BigInt(lamports) > BigInt(left)) return `ABOVE what is left: ${day}; a yes pays nothing`
  return `${day}, ${solOf((BigInt(left) - BigInt(lamports)).toString())} after this payment; one job may take ${solOf(perJob)}`
}

function balanceText(balance: NonNullable<Wallet['balance']>): string {
  return 'lamports' in balance
    ? solOf(balance.lamports)
    : `unknown: ${balance.unknown.message} (${balance.unknown.code})`
}

function limitRows({ perJob, perDay, counted, left }: Limits): ReadonlyArray<readonly [string, string]> {
  return [
    ['for one job', solOf(perJob)],
    ['for one day', `${solOf(perDay)}: ${solOf(counted)} promised or spent, ${solOf(left)} left`]
  ]
}

function countedTable({ items }: Limits, run: Pick<Run, 'table'>): string {
  const rows = items.map(({ taskUid, attempt, participantHandle, lamports, state, until }) => [
    taskUid,
    String(attempt),
    participantHandle ?? '',
    solOf(lamports),
    state,
    shortTime(until)
  ])
  return run.table(['counts for', 'try', 'to', 'amount', 'is', 'counts until'], rows)
}
