import { appendFileSync } from 'node:fs'
import { homePaths } from '../../src/api/home.js'
import { answer, foreground, until } from './agentlink.js'
import { type Answer, Daemon } from './daemon.js'

/** Paid jobs between two daemons with wallets on a local chain, brought to the state that a test begins with. */

type Stage = 'open' | 'agreed' | 'paid' | 'delivered'

/** A payment takes seconds; the machine may be busy. */
export const PATIENCE_MS = 45_000

interface Job {
  readonly task?: { readonly status: string; readonly proposals: readonly { readonly proposalId: string }[] }
}

export const BRIEF = {
  brief: 'Draw a sun with eight rays',
  deliverable: 'sun.svg',
  deadline: '2027-12-24',
  price: '0.01',
  cluster: 'solana:localnet'
}
export const SUN = {
  name: 'sun.svg',
  location: 'https://example.org/sun.svg',
  mediaType: 'image/svg+xml',
  size: 10,
  sha256: 'af5f512ce652234d893f5e0e2aebe18f3e7148b08d5740d6b483157ffc15b77d'
}

/** Starts a chain that `endAll` ends. Answers where it is. */
export async function localChain(): Promise<string> {
  const chain = await foreground(['localnet', '--port', '0', '--json'])
  return (JSON.parse(chain.firstLine) as { readonly url: string }).url
}

/** A running node with a wallet that holds some money of the chain. */
export async function hireable(home: string, handle: string, url: string): Promise<Daemon> {
  await answer(['init', '--home', home, '--handle', handle])
  const place = ['[chain]', 'cluster = "localnet"', `rpc_url = "${url}"`, 'poll_ms = 200']
  appendFileSync(homePaths(home).config, place.map((line) => `\n${line}`).join(''))
  await answer(['wallet', 'create', '--home', home])
  await answer(['wallet', 'airdrop', '2', '--home', home])
  const node = Daemon.at(home, handle)
  await node.start()
  return node
}

/** Owners let their agents pay every contact. */
export async function mayPay(nodes: readonly Daemon[]): Promise<void> {
  for (const node of nodes) {
    await must(node.owner('PUT', 'grants', { contact: '*', capability: 'pay.solana', effect: 'allow' }))
  }
}

/** The owner of a node offers something. Answers the offer's id. */
export async function offered(node: Daemon): Promise<string> {
  const terms = {
    title: 'A sun',
    description: 'Drawn by hand',
    deliverable: 'An SVG',
    price: '0.02',
    turnaroundHours: 24
  }
  const { body } = await must(node.owner('POST', 'offers', terms))
  return (body as { offer: { offerId: string } }).offer.offerId
}

/** A job that one asks of the other, taken as far as asked. Answers its taskUid. */
export async function hired(hirer: Daemon, provider: Daemon, stage: Stage): Promise<string> {
  const ask = { type: 'job.request', participant: provider.run.agent, proposal: BRIEF }
  const made = await must(hirer.agent('POST', 'tasks', ask))
  const uid = (made.body as { task: { taskUid: string } }).task.taskUid
  await reached(provider, uid, ({ task }) => task?.status === 'open')
  if (stage === 'open') return uid
  await must(provider.agent('POST', `tasks/${uid}/proposals`, { proposal: BRIEF }))
  const quoted = await reached(hirer, uid, ({ task }) => task?.proposals.length === 2)
  const proposalId = quoted.task?.proposals[1]?.proposalId
  await must(hirer.agent('POST', `tasks/${uid}/responses`, { proposalId, decision: 'accept' }))
  await reached(provider, uid, ({ task }) => task?.status === 'agreed')
  await until(
    () => hirer.agent<{ task: { delivery: { state: string } } }>('GET', `tasks/${uid}`),
    ({ body }) => body.task.delivery.state === 'delivered'
  )
  if (stage === 'agreed') return uid
  await must(hirer.agent('POST', `tasks/${uid}/payments`, {}))
  await reached(provider, uid, ({ task }) => task?.status === 'paid')
  if (stage === 'paid') return uid
  await reached(hirer, uid, ({ task }) => task?.status === 'paid')
  await must(provider.agent('POST', `tasks/${uid}/deliveries`, { artifacts: [SUN] }))
  await reached(hirer, uid, ({ task }) => task?.status === 'delivered')
  return uid
}

async function reached(node: Daemon, uid: string, passes: (job: Job) => boolean): Promise<Job> {
  const found = await until(
    () => node.agent<Job>('GET', `tasks/${uid}`),
    ({ body }) => passes(body),
    PATIENCE_MS
  )
  return found.body
}

async function must(asked: Promise<Answer>): Promise<Answer> {
  const said = await asked
  if (said.status < 300) return said
  throw new Error(`${said.status} ${JSON.stringify(said.body)}`)
}
