import { expect } from 'chai'
import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type HomePaths, homePaths } from '../../src/api/home.js'
import type { Launch } from '../../src/clients/cli/launch.js'
import { checkConfigText } from '../../src/node/config.js'
import { init } from '../../src/node/init.js'
import { openWalletDesk } from '../../src/node/wallet.js'
import { type Localnet, startLocalnet } from '../../src/solana/localnet/localnet.js'
import { walletText } from '../../src/solana/wallet.js'
import { NOTHING_TO_LAUNCH, type Shown, agentlink } from '../clients/screen.js'
import { temporaryHomes } from '../support/homes.js'

const LAUNCH: Launch = { ...NOTHING_TO_LAUNCH, wallet: (home) => Promise.resolve().then(() => openWalletDesk(home)) }

describe('agentlink wallet', () => {
  const homes = temporaryHomes()
  let net: Localnet
  let paths: HomePaths

  before(async () => {
    net = await startLocalnet(0, Date.now)
  })
  after(async () => {
    homes.clean()
    await net.stop()
  })
  beforeEach(async () => {
    const home = homes.make()
    await init({ home, handle: '@alice', listen: ['/ip4/127.0.0.1/tcp/4650'] })
    paths = homePaths(home)
    net.setFaults([])
  })

  function run(words: readonly string[], stdin = ''): Promise<Shown> {
    return agentlink(['--home', paths.home, 'wallet', ...words], { launch: LAUNCH, stdin })
  }

  function configure(cluster = 'localnet'): void {
    appendFileSync(paths.config, `\n[chain]\ncluster = "${cluster}"\nrpc_url = "${net.url}"\n`)
  }

  async function made(): Promise<string> {
    return (JSON.parse((await run(['create', '--json'])).out) as { readonly address: string }).address
  }

  it('makes a private key file once, and shows only its address', async () => {
    const created = await run(['create'])
    const { address } = JSON.parse((await run(['address', '--json'])).out) as { readonly address: string }
    expect([created.code, created.out.split('\n')[0]]).to.deep.equal([0, address])
    expect(created.out).to.include(
      `config/localnet.toml of this program says to ${paths.config}, then agentlink wallet airdrop --home`
    )
    expect(statSync(paths.wallet).mode & 0o777).to.equal(0o600)
    const secret = readFileSync(paths.wallet, 'utf8')
    expect(created.out).to.not.include(secret.slice(0, 20))
    const again = await run(['create'])
    expect([again.code, again.err]).to.deep.equal([
      1,
      `agentlink: there is a wallet already: ${paths.wallet}; move it away first if you mean it`
    ])
    expect(readFileSync(paths.wallet, 'utf8')).to.equal(secret)
  })

  it('takes a key over from a file or from stdin, and never repeats it', async () => {
    const text = walletText(new Uint8Array(32).fill(7))
    configure('devnet')
    const imported = await run(['import', '-'], text)
    expect(imported.code).to.equal(0)
    expect(imported.out).to.match(new RegExp(`^Next: agentlink wallet airdrop --home ${paths.home}$`, 'm'))
    expect(imported.out + imported.err).to.not.include('7,7')
    expect(readFileSync(paths.wallet, 'utf8')).to.equal(text)
    const bad = await run(['import', '-', '--json'], '[7,7,7]')
    expect(bad.code).to.equal(1)
    const file = `${paths.home}/../id.json`
    writeFileSync(file, 'x'.repeat(5000))
    expect((await run(['import', file])).err).to.include('larger than any wallet file')
    expect((await run(['import', `${file}x`])).code).to.equal(2)
  })

  it('says what to do where something is missing', async () => {
    expect((await run(['address'])).err).to.include(`\`agentlink wallet create --home ${paths.home}\``)
    await made()
    expect((await run(['balance'])).err).to.include('set chain.cluster')
    configure('devnet')
    expect((await run(['balance', '--json'])).out).to.include('"chain_mismatch"')
    chmodSync(paths.wallet, 0o644)
    const open = await run(['address'])
    expect([open.code, open.err]).to.deep.equal([
      5,
      `agentlink: others can read ${paths.wallet}; put it right with: chmod 600 ${paths.wallet}`
    ])
    writeFileSync(paths.wallet, '[1,2]', { mode: 0o600 })
    chmodSync(paths.wallet, 0o600)
    expect((await run(['address'])).code).to.equal(5)
  })

  it('gets play money and tells the balance', async () => {
    configure()
    const address = await made()
    expect((await run(['balance'])).out).to.equal(`0 SOL  ${address}  (solana:localnet)`)
    const dropped = await run(['airdrop', '0.25', '--json'])
    const report = { address, cluster: 'solana:localnet', lamports: '250000000', sol: '0.25 SOL' }
    expect(JSON.parse(dropped.out)).to.deep.equal(report)
    expect(JSON.parse((await run(['balance', address, '--json'])).out)).to.deep.equal(report)
    expect((await run(['airdrop', '1e3'])).err).to.include('amount must be an amount such as 0.25 SOL')
    expect((await run(['balance', 'nobody'])).err).to.include('base58 of 32 bytes')
    net.setFaults(['429'])
    expect((await run(['balance', '--json'])).out).to.include('"chain_unreachable"')
    net.setFaults(['mainnet'])
    expect((await run(['airdrop', '--json'])).out).to.include('"chain_mismatch"')
  })

  it('shows the limits of the configuration', async () => {
    appendFileSync(paths.config, '\n[spend]\nper_job_sol = "0.125"\n')
    const limits = JSON.parse((await run(['limits', '--json'])).out) as unknown
    expect(limits).to.deep.equal({ cluster: 'off', perJobSol: '0.125', perDaySol: '2' })
    expect((await run(['limits'])).out).to.include('0.125 SOL')
  })
})

describe('The settings of a chain', () => {
  for (const cluster of ['devnet', 'localnet'] as const) {
    it(`for ${cluster} are a file that is added to config.toml`, () => {
      const config = checkConfigText(readFileSync(`config/${cluster}.toml`, 'utf8'), cluster)
      expect(config.chain.cluster).to.equal(cluster)
    })
  }

  const faulty = [
    'cluster = "mainnet"',
    'rpc_url = "http://rpc.example.org"',
    'rpc_url = "ftp://x"',
    'rpc_url = "https://"'
  ]
  for (const line of [...faulty, 'rpc_url = "http://127.0.0.1.example.org/"', 'cluster = 1', 'deadline_ms = 0']) {
    it(`are not ${line}`, () => expect(() => checkConfigText(`[chain]\n${line}`, 'x')).to.throw('chain.'))
  }

  for (const line of [
    'per_job_sol = 0.5',
    'per_day_sol = "1e3"',
    'per_day_sol = "-1"',
    'per_job_sol = "0.0000000001"'
  ]) {
    it(`are not ${line}`, () => expect(() => checkConfigText(`[spend]\n${line}`, 'x')).to.throw('SOL in quotes'))
  }
})
