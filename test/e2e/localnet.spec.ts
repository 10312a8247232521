import { expect } from 'chai'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryHomes } from '../support/homes.js'
import { type Foreground, agentlink, answer, endAll, foreground } from './agentlink.js'

interface Balance {
  readonly address: string
  readonly lamports: string
}

describe('A local chain and two wallets, as real processes', () => {
  const homes = temporaryHomes()
  let chain: Foreground
  let url = ''

  before(async () => {
    chain = await foreground(['localnet', '--port', '0', '--json'])
    url = (JSON.parse(chain.firstLine) as { readonly url: string }).url
  })
  after(async () => {
    await endAll()
    homes.clean()
  })

  async function made(handle: string): Promise<string> {
    const home = homes.make()
    await answer(['init', '--home', home, '--handle', handle])
    await answer(['wallet', 'create', '--home', home])
    return home
  }

  async function onChain<T>(home: string, ...words: string[]): Promise<T> {
    process.env['AGENTLINK_CHAIN_CLUSTER'] = 'localnet'
    process.env['AGENTLINK_CHAIN_RPC_URL'] = url
    try {
      return await answer<T>(['wallet', ...words, '--home', home])
    } finally {
      delete process.env['AGENTLINK_CHAIN_CLUSTER']
      delete process.env['AGENTLINK_CHAIN_RPC_URL']
    }
  }

  it('gives play money to a wallet, and another wallet sees it there', async () => {
    const [alice, bob] = [await made('@alice'), await made('@bob')]
    const dropped = await onChain<Balance>(alice, 'airdrop', '2')
    expect(dropped.lamports).to.equal('2000000000')
    expect((await onChain<Balance>(bob, 'balance', dropped.address)).lamports).to.equal('2000000000')
    expect((await onChain<Balance>(bob, 'balance')).lamports).to.equal('0')
  })

  it('makes one wallet when two processes make one at once, and tells the other', async () => {
    const home = homes.make()
    await answer(['init', '--home', home, '--handle', '@alice'])
    const create = ['wallet', 'create', '--home', home, '--json']
    const ends = await Promise.all([agentlink(create), agentlink(create), agentlink(create)])
    const [winner, ...others] = ends.sort((a, b) => Number(a.code) - Number(b.code))
    expect(ends.map(({ code }) => code)).to.deep.equal([0, 1, 1])
    for (const { err, out } of others) expect(err + out).to.include('there is a wallet already')
    const { address } = await answer<Balance>(['wallet', 'address', '--home', home])
    expect(JSON.parse(winner?.out ?? '')).to.include({ address })
    expect(statSync(join(home, 'keys', 'wallet.json')).mode & 0o777).to.equal(0o600)
    expect(readdirSync(join(home, 'keys')).filter((name) => name.includes('.new-'))).to.deep.equal([])
  })

  it('takes a wallet over from a file without a word of its key', async () => {
    const [alice, bob] = [await made('@alice'), homes.make()]
    await answer(['init', '--home', bob, '--handle', '@bob'])
    const file = join(alice, 'keys', 'wallet.json')
    const imported = await agentlink(['wallet', 'import', file, '--home', bob])
    const key = JSON.parse(readFileSync(file, 'utf8')) as readonly number[]
    expect(imported.code).to.equal(0)
    expect(imported.out + imported.err).to.not.include(key.slice(0, 3).join(','))
    expect(readFileSync(join(bob, 'keys', 'wallet.json'), 'utf8')).to.equal(readFileSync(file, 'utf8'))
  })

  it('refuses an unknown fault and a port in use, and says what to do', async () => {
    const odd = await agentlink(['localnet', '--faults', 'late,slow'])
    expect([odd.code, odd.err]).to.deep.equal([
      2,
      'agentlink: "slow" is no fault; known: 429, dropped, late, forgotten, lying, behind, mainnet, hang, truncated\n'
    ])
    const taken = await agentlink(['localnet', '--port', new URL(url).port])
    expect([taken.code, taken.err]).to.deep.equal([
      1,
      `agentlink: port ${new URL(url).port} or the next one is in use; choose another with --port\n`
    ])
  })

  it('stops cleanly on SIGTERM', async () => {
    chain.kill('SIGTERM')
    expect((await chain.ended).code).to.equal(0)
  })
})
