import { expect } from 'chai'
import { appendFileSync, chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { once } from 'node:events'
import { homePaths } from '../../src/api/home.js'
import { CommandFailure } from '../../src/clients/cli/failure.js'
import type { Finding } from '../../src/clients/cli/launch.js'
import { record } from '../../src/flows/audit.js'
import { agentKey } from '../../src/flows/keys.js'
import type { Tx } from '../../src/flows/ports.js'
import { backup } from '../../src/node/backup/backup.js'
import { openDisk } from '../../src/node/disk.js'
import { doctor } from '../../src/node/doctor/doctor.js'
import { agentNames } from '../../src/node/home.js'
import { init } from '../../src/node/init.js'
import { type KeptAgent, openKeystore } from '../../src/node/keystore.js'
import { repair } from '../../src/node/repair.js'
import { GENESIS, MAINNET_GENESIS } from '../../src/solana/genesis.js'
import { openLevel } from '../../src/store/level.js'
import { migrate } from '../../src/store/migrate.js'
import { createStore } from '../../src/store/store.js'
import { placeOf } from '../../src/store/tables.js'
import { temporaryHomes } from '../support/homes.js'

describe('the doctor', () => {
  const homes = temporaryHomes()
  let home: string
  beforeEach(async () => {
    home = homes.make()
    await init({ home, handle: '@alice', listen: ['/ip4/127.0.0.1/tcp/0'] })
  })
  afterEach(() => homes.clean())

  async function complaints(): Promise<Finding[]> {
    return (await doctor(home)).filter(({ state }) => state === 'fail')
  }

  /** An entry of the audit log of that time, in the store of the home. */
  async function writeAudit(at: number): Promise<void> {
    await write((tx) => record(tx, { at, who: { kind: 'owner' }, what: 'agent.added', about: {} }))
  }

  const mend = (): Promise<unknown> =>
    repair({ home, settings: {}, patienceMs: 1, onFound: () => undefined, onMended: () => undefined })

  async function said(work: () => Promise<unknown>): Promise<string> {
    const error: unknown = await work().catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(CommandFailure)
    return (error as CommandFailure).message
  }

  async function write(step: (tx: Tx) => void): Promise<void> {
    const disk = await openLevel(homePaths(home).state)
    await migrate(disk)
    const clock = { wake: () => () => undefined, defer: (fn: () => void) => void setImmediate(fn) }
    const store = createStore(disk, { clock })
    await store.transact(step).durable
    await store.close()
  }

  it('finds a fresh home in order, and a node that does not run', async () => {
    const findings = await doctor(home)
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check)).to.deep.equal(['node'])
    for (const check of ['program', 'home', 'settings', 'keys', 'store', 'disk', 'ports']) {
      expect(findings.map((one) => one.check)).to.include(check)
    }
  })

  it('says how to make a home where there is none', async () => {
    const [, finding] = await doctor(`${home}-other`)
    expect(finding).to.deep.include({ check: 'home', state: 'fail' })
    expect(finding?.advice).to.match(/agentlink init/)
  })

  it('tells every file that others can read, not the first alone', async () => {
    const paths = homePaths(home)
    chmodSync(paths.ownerSecret, 0o644)
    chmodSync(paths.agent('default').token, 0o640)
    const found = await complaints()
    expect(found.map(({ check }) => check)).to.deep.equal(['home', 'home'])
    expect(found.map(({ advice }) => advice)).to.deep.equal([
      `put it right with: chmod 600 ${paths.ownerSecret}`,
      `put it right with: chmod 600 ${paths.agent('default').token}`
    ])
  })

  it('goes on after settings that can not be read', async () => {
    appendFileSync(homePaths(home).config, '\n[nett]\nlisten = []\n')
    const found = await complaints()
    expect(found.map(({ check }) => check)).to.deep.equal(['settings'])
    expect(found[0]?.found).to.match(/nett/)
  })

  it('finds a key that is missing, and one that is none', async () => {
    rmSync(homePaths(home).agent('default').token)
    writeFileSync(homePaths(home).nodeKey, 'rubbish', { mode: 0o600 })
    expect((await complaints()).map(({ check }) => check)).to.deep.equal(['home', 'keys'])
  })

  it('says once that a secret is missing, and after another init nothing is', async () => {
    const paths = homePaths(home)
    const secrets = [paths.ownerSecret, paths.agent('default').token]
    for (const file of secrets) rmSync(file)
    const found = await complaints()
    expect(found.map(({ check, advice }) => [check, advice])).to.deep.equal(
      secrets.map(() => ['home', 'make a new one with: `agentlink init`'])
    )
    expect((await init({ home })).renewed).to.deep.equal(secrets)
    expect(await complaints()).to.deep.equal([])
    expect((await init({ home })).renewed).to.equal(undefined)
  })

  describe('with an agent in its store', () => {
    let agent: KeptAgent
    beforeEach(async () => {
      ;[agent] = openKeystore(homePaths(home), ['default']).agents as [KeptAgent]
      await write((tx) => tx.put('agents', agentKey(agent.agent), { ...agent, handle: '@alice', cardSeq: 0, card: '' }))
    })

    const mixUps: ReadonlyArray<readonly [string, () => Promise<void>, string, string]> = [
      [
        'the key of another agent in the place of its own',
        async () => {
          const other = homes.make()
          await init({ home: other })
          copyFileSync(homePaths(other).agent('default').key, homePaths(home).agent('default').key)
        },
        'keys/agents/default.key',
        'put the right file there'
      ],
      [
        'its key under the name of another agent as well',
        () => {
          const paths = homePaths(home)
          copyFileSync(paths.agent('default').key, paths.agent('work').key)
          return init({ home }).then(() => undefined)
        },
        'keys/agents/work.key',
        'move it away'
      ]
    ]
    for (const [what, mixUp, file, advice] of mixUps) {
      it(`finds ${what}, and no node starts, mends or is backed up`, async () => {
        expect(await complaints()).to.deep.equal([])
        await mixUp()
        const found = await complaints()
        expect(found.map(({ check }) => check)).to.deep.equal(['keys'])
        expect(found[0]?.found).to.include(file)
        expect(found[0]?.advice).to.include(advice)
        const paths = homePaths(home)
        expect(await said(() => openDisk(paths, openKeystore(paths, agentNames(paths)).agents))).to.include(file)
        expect(await said(mend)).to.include(file)
        expect(await said(() => backup({ home, file: `${home}.backup`, existing: 'keep' }))).to.include(file)
      })
    }
  })

  it('finds a store that was harmed', async () => {
    await writeAudit(Date.now())
    const disk = await openLevel(homePaths(home).state)
    await disk.write([{ key: 'au:000000000001', value: Buffer.from('{}') }])
    await disk.close()
    const found = await complaints()
    expect(found.map(({ check }) => check)).to.deep.equal(['store'])
    expect(found[0]?.found).to.match(/audit log/)
  })

  it('finds a record that no contact can mend, and a repair says the same', async () => {
    const disk = await openLevel(homePaths(home).state)
    await migrate(disk)
    const pair = 'al1alice/al1bob'
    await disk.write([{ key: placeOf('chains', pair), value: Buffer.from('{') }])
    await disk.close()
    expect((await complaints()).map(({ check }) => check)).to.deep.equal(['store'])
    expect(await said(mend))
      .to.include(`record ${placeOf('chains', pair)} is unreadable`)
      .and.include('restore the last backup')
  })

  it('finds a clock that is behind what was written already', async () => {
    await writeAudit(Date.now() + 3_600_000)
    const found = await complaints()
    expect(found.map(({ check, advice }) => [check, advice])).to.deep.equal([
      ['clock', 'set the clock of this machine right']
    ])
  })

  describe('with a chain', () => {
    let rpc: Server
    let genesis: string
    let url: string
    beforeEach(async () => {
      rpc = createHttpServer((_request, response) => {
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: genesis }))
      }).listen(0, '127.0.0.1')
      await once(rpc, 'listening')
      url = `http://127.0.0.1:${(rpc.address() as AddressInfo).port}`
      const chain = `[chain]\ncluster = "localnet"\nrpc_url = "${url}/?api-key=secret"\n`
      appendFileSync(homePaths(home).config, chain)
    })
    afterEach(() => new Promise((resolve) => rpc.close(resolve)))

    const ofChain = async (): Promise<Finding[]> =>
      (await doctor(home)).filter(({ check }) => check === 'chain' || check === 'wallet')

    it('asks it, and says that there is no wallet', async () => {
      genesis = GENESIS['solana:localnet']
      const [chain, wallet] = await ofChain()
      expect(chain).to.deep.include({ check: 'chain', state: 'ok' })
      expect(wallet).to.deep.include({ check: 'wallet', state: 'warn' })
      expect(wallet?.advice).to.contain('agentlink wallet create')
    })

    it('finds another chain than the one in the settings, and shows nothing of a key in the URL', async () => {
      genesis = MAINNET_GENESIS
      const found = await ofChain()
      expect(found.map(({ check, state }) => [check, state])).to.deep.equal([['chain', 'fail']])
      expect(found[0]?.found).to.contain('does not serve solana:localnet')
      expect(JSON.stringify(found)).not.to.contain('secret')
    })

    it('finds that nobody answers', async () => {
      await new Promise((resolve) => rpc.close(resolve))
      const found = await ofChain()
      expect(found.map(({ check, state }) => [check, state])).to.deep.equal([['chain', 'fail']])
      expect(found[0]?.found).to.contain(url.replace('http://', ''))
      expect(found[0]?.advice).to.contain('`agentlink localnet`')
    })
  })

  describe('with a port that is taken', () => {
    let taken: Server
    beforeEach(async () => {
      taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
    })
    afterEach(() => new Promise((resolve) => taken.close(resolve)))

    it('names it', async () => {
      const { port } = taken.address() as { readonly port: number }
      const config = `handle = "@alice"\n[net]\nlisten = ["/ip4/127.0.0.1/tcp/${port}"]\n`
      writeFileSync(homePaths(home).config, config, { mode: 0o600 })
      const found = await complaints()
      expect(found.map(({ check, found: what }) => [check, what])).to.deep.equal([
        ['ports', `127.0.0.1 port ${port}: EADDRINUSE`]
      ])
    })
  })
})
