import { expect } from 'chai'
import { appendFileSync } from 'node:fs'
import { homePaths } from '../../src/api/home.js'
import { temporaryHomes } from '../support/homes.js'
import { answer, endAll, foreground, until } from './agentlink.js'
import { Daemon, befriend } from './daemon.js'

/** What one job costs, SOL and lamports. */
const PRICE = '0.01'
const LAMPORTS = 10_000_000
const FEE = 5000
const RICHES = 1_000_000_000
/** Long enough that a call of the node has begun. */
const CALLING_MS = 400

interface Job {
  readonly taskUid: string
  readonly status: string
  readonly proposals: ReadonlyArray<{ readonly proposalId: string }>
  readonly job?: { readonly attempts: ReadonlyArray<{ readonly signature?: string }> }
}

/** Where the chain holds a payment when its node is killed. Before a signature there is nothing to pay twice. */
const PLACES: ReadonlyArray<readonly [string, string]> = [
  ['whose transaction is sent, and is lost on the way', 'dropped'],
  ['whose transaction is on the chain, and it was not told so', 'forgotten'],
  ['whose transaction is sent, and lands after its death', 'late']
]

describe('a hirer that is killed while it pays, as real processes', function () {
  this.timeout(90_000)
  const homes = temporaryHomes()
  const paid: string[] = []
  const wallets = new Map<string, string>()
  let url = ''
  let alice: Daemon
  let bob: Daemon

  before(async () => {
    const chain = await foreground(['localnet', '--port', '0', '--json'])
    url = (JSON.parse(chain.firstLine) as { readonly url: string }).url
    ;[alice, bob] = await Promise.all([rich('@alice'), rich('@bob')])
    await befriend(alice, bob)
    await alice.owner('PUT', 'grants', { contact: '*', capability: 'pay.solana', effect: 'allow' })
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill()
    await endAll()
    homes.clean()
  })

  /** A node with a wallet on that chain, and some play money. */
  async function rich(handle: string): Promise<Daemon> {
    const home = homes.make()
    await answer(['init', '--home', home, '--handle', handle])
    const chain = ['[chain]', 'cluster = "localnet"', `rpc_url = "${url}"`, 'poll_ms = 200']
    appendFileSync(homePaths(home).config, ['', ...chain, ''].join('\n'))
    const { address } = await answer<{ address: string }>(['wallet', 'create', '--home', home])
    await rpc('requestAirdrop', [address, RICHES])
    wallets.set(handle, address)
    const daemon = Daemon.at(home, handle)
    await daemon.start()
    return daemon
  }

  async function rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return ((await (await fetch(url, { method: 'POST', body })).json()) as { readonly result: T }).result
  }

  async function jobOf(node: Daemon, uid: string): Promise<Job> {
    return (await node.agent<{ task: Job }>('GET', `tasks/${uid}`)).body.task
  }

  /** A job at the provider's quote. */
  async function agreed(): Promise<string> {
    const proposal = { brief: 'A logo', deliverable: 'One file', deadline: '2027-12-24', price: PRICE }
    const plan = { proposal: { ...proposal, cluster: 'solana:localnet' } }
    const created = { type: 'job.request', participant: bob.run.agent, ...plan }
    const { task } = (await alice.agent<{ task: Job }>('POST', 'tasks', created)).body
    const uid = task.taskUid
    await until(
      () => bob.agent('POST', `tasks/${uid}/proposals`, plan),
      ({ status }) => status < 300
    )
    const { proposals } = await until(
      () => jobOf(alice, uid),
      (job) => job.proposals.length === 2
    )
    const proposalId = proposals.at(-1)?.proposalId
    await alice.agent('POST', `tasks/${uid}/responses`, { proposalId, decision: 'accept' })
    return uid
  }

  for (const [what, fault] of PLACES) {
    it(`pays once: one ${what}`, async () => {
      const uid = await agreed()
      await rpc('localnet_faults', [[fault]])
      await until(
        () => alice.agent('POST', `tasks/${uid}/payments`, {}),
        ({ status }) => status < 300
      )
      await until(
        () => jobOf(alice, uid),
        ({ job }) => job?.attempts[0]?.signature !== undefined
      )
      await new Promise((resolve) => setTimeout(resolve, CALLING_MS))
      await alice.kill()
      await rpc('localnet_faults', [[]])
      await alice.start()
      paid.push(uid)
      for (const node of [alice, bob]) {
        const { job } = await until(
          () => jobOf(node, uid),
          ({ status }) => status === 'paid',
          30_000
        )
        expect(job?.attempts.length).to.equal(1)
      }
    })
  }

  it('has paid what was agreed, as the ledger of the chain has it, and not a lamport more', async () => {
    const sum = paid.length * LAMPORTS
    const balanceOf = async (handle: string): Promise<number> =>
      (await rpc<{ value: number }>('getBalance', [wallets.get(handle)])).value
    expect(paid.length).to.equal(PLACES.length)
    expect(await balanceOf('@bob')).to.equal(RICHES + sum)
    expect(await balanceOf('@alice')).to.equal(RICHES - sum - paid.length * FEE)
  })
})
