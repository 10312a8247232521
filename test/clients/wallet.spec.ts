import { expect } from 'chai'
import { walletText } from '../../src/clients/cli/wallet-text.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { UID } from '../api/views.js'
import { makeHome } from './home.js'
import { agentlink } from './screen.js'
import { table } from '../../src/clients/cli/table.js'

const command = (words: string): string => `agentlink ${words} --home /h`
const LIMITS = { perJob: '1', perDay: '2', left: '2', counted: '0', items: [] }

describe('agentlink wallet show', () => {
  let api: TestApi

  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  it('prints address, cluster, balance, limits, and what counts against them until when', async () => {
    const shown = await agentlink(['--home', api.home, 'wallet', 'show'])
    expect(shown).to.include({ code: 0, err: '' })
    for (const line of [
      /^cluster +solana:localnet, play money$/m,
      /^address +A{44}$/m,
      /^balance +1\.5 SOL$/m,
      /^for one job +1 SOL$/m,
      /^for one day +2 SOL: 0\.25 SOL promised or spent, 1\.75 SOL left$/m,
      new RegExp(`^${UID} +1 +@bob +0\\.25 SOL +reserved +2026-11-02 10:00 UTC$`, 'm')
    ]) {
      expect(shown.out).to.match(line)
    }
  })

  it("answers with the node's own words as one line of JSON on --json", async () => {
    const { out } = await agentlink(['--home', api.home, 'wallet', 'show', '--json'])
    expect(out.split('\n')).to.have.length(1)
    expect(JSON.parse(out)).to.have.nested.property('wallet.limits.left', '1750000000')
  })

  it('says why a balance is unknown, and what to do without a wallet or a chain', () => {
    const unknown = { unknown: { code: 'chain_unreachable', message: 'no answer\u001b[2J' } }
    const text = walletText(
      { cluster: 'solana:devnet', address: 'A', balance: unknown, limits: LIMITS },
      { command, table }
    )
    expect(text).to.match(/^balance +unknown: no answer.*\(chain_unreachable\)$/m)
    expect(text).not.to.include('\u001b')
    expect(walletText({ cluster: 'solana:devnet', limits: LIMITS }, { command, table })).to.include(
      command('wallet create')
    )
    expect(walletText({ cluster: 'off' }, { command, table })).to.include('chain.cluster')
  })
})
