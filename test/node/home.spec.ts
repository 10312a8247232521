import { expect } from 'chai'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { homePaths, type HomePaths } from '../../src/api/home.js'
import type { AgentId } from '../../src/base/ids.js'
import { openDisk } from '../../src/node/disk.js'
import { beginWith } from '../../src/node/first-rules.js'
import { checkHome, writePrivate } from '../../src/node/home.js'
import { init } from '../../src/node/init.js'
import { openKeystore } from '../../src/node/keystore.js'
import { rulesOf } from '../../src/policy/presets.js'
import { decodeAt, placeOf } from '../../src/store/tables.js'
import { said } from '../support/failures.js'
import { temporaryHomes } from '../support/homes.js'

const AGENTS = ['default']

describe('a home', () => {
  const homes = temporaryHomes()
  after(() => homes.clean())

  async function made(): Promise<HomePaths> {
    const home = homes.make()
    await init({ home, handle: '@alice', listen: ['/ip4/127.0.0.1/tcp/4650'] })
    return homePaths(home)
  }

  function modes(paths: HomePaths): Record<string, string> {
    const found = readdirSync(paths.home, { recursive: true, encoding: 'utf8' }).map((name) => join(paths.home, name))
    return Object.fromEntries(
      [paths.home, ...found].map((path) => [relative(paths.home, path), (lstatSync(path).mode & 0o777).toString(8)])
    )
  }

  it('is private in every part after init, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      const paths = await made()
      expect(modes(paths)).to.deep.equal({
        '': '700',
        agents: '700',
        [join('agents', 'default')]: '700',
        [join('agents', 'default', 'token')]: '600',
        'config.toml': '600',
        keys: '700',
        [join('keys', 'agents')]: '700',
        [join('keys', 'agents', 'default.key')]: '600',
        [join('keys', 'node.key')]: '600',
        'owner.secret': '600'
      })
    } finally {
      process.umask(before)
    }
  })

  it('keeps no key in the directory that is handed to an agent', async () => {
    const paths = await made()
    expect(readdirSync(paths.agent('default').directory)).to.deep.equal(['token'])
  })

  it('is found as it was by a second init', async () => {
    const paths = await made()
    const before = readdirSync(paths.home, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !lstatSync(join(paths.home, name)).isDirectory()
    )
    const contents = (): string[] => before.map((name) => readFileSync(join(paths.home, name), 'hex'))
    const old = contents()
    const report = await init({ home: paths.home })
    expect(report).to.include({ created: false, handle: '@alice' })
    expect(contents()).to.deep.equal(old)
  })

  it('is not renamed by a second init with another handle', async () => {
    const paths = await made()
    const [code, message] = await said(() => init({ home: paths.home, handle: '@bob' }))
    expect(code).to.equal(1)
    expect(message).to.include('@alice').and.to.include('nothing was changed')
  })

  it('is completed with the same keys when the first init was cut short', async () => {
    const paths = await made()
    const { agents } = openKeystore(paths, AGENTS)
    rmSync(paths.config)
    rmSync(paths.ownerSecret)
    const report = await init({ home: paths.home, handle: '@alice' })
    expect(report).to.include({ created: true, agent: agents[0]?.agent })
    checkHome(paths, AGENTS)
  })

  it('begins with the rules of a preset, in a store that is private whatever the umask', async () => {
    const before = process.umask(0)
    try {
      const home = homes.make()
      const { preset, agent } = await init({ home, preset: 'private' })
      expect(preset).to.deep.equal({ name: 'private', rules: rulesOf('private') })
      expect(process.umask(0)).to.equal(0)
      const paths = homePaths(home)
      const others = Object.entries(modes(paths)).filter(([, mode]) => !/^[67]00$/.test(mode))
      expect(others).to.deep.equal([])
      const disk = await openDisk(paths, [])
      const stored = disk.getSync(placeOf('grants', agent)) ?? new Uint8Array()
      await disk.close()
      expect(decodeAt('grants', agent, stored)).to.deep.equal(rulesOf('private'))
    } finally {
      process.umask(before)
    }
  })

  it('that is there takes no preset from a second init', async () => {
    const paths = await made()
    const [code, message] = await said(() => init({ home: paths.home, preset: 'open' }))
    expect(code).to.equal(1)
    expect(message).to.include('nothing was changed').and.include('agentlink grant preset open')
    expect(readdirSync(paths.home)).not.to.include('state')
  })

  it('is whole and without rules where the store can not be written, and says so', async () => {
    const home = homes.make()
    await init({ home })
    const paths = homePaths(home)
    writeFileSync(paths.state, 'a file where the store must be')
    const [, message] = await said(() => beginWith(paths, 'al1alice' as AgentId, 'open'))
    expect(message).to.include('the home was made, but its rules could not be stored').and.include('asked every time')
  })

  it('gets a handle that says nothing of its owner when none was given', async () => {
    const report = await init({ home: homes.make() })
    expect(report.handle).to.equal(`@agent-${report.agent.slice(-4)}`)
  })

  it('gets a port of its own, so that two homes of one machine do not meet', async () => {
    const reports = await Promise.all([1, 2, 3].map(() => init({ home: homes.make() })))
    const ports = reports.map((report) => Number(report.listen[0]?.split('/').at(-1)))
    expect(new Set(ports).size).to.equal(3)
    for (const port of ports) expect(port).to.be.within(10_000, 30_000)
  })

  it('is not made of a directory that holds other things', async () => {
    const home = homes.make()
    mkdirSync(home)
    writeFileSync(join(home, 'thesis.txt'), '')
    const [code, message] = await said(() => init({ home }))
    expect(code).to.equal(5)
    expect(message).to.include('thesis.txt')
    expect(readdirSync(home)).to.deep.equal(['thesis.txt'])
  })

  it('is refused at once where the system takes no directories', async function () {
    if (process.platform !== 'linux') {
      console.warn('skipped: only Linux has a /proc in which nothing can be made')
      this.skip()
    }
    for (const home of ['/proc/agentlink', '/proc/sys/agentlink/home']) {
      const [code, message] = await said(() => init({ home }))
      expect(code).to.equal(5)
      expect(message).to.include('choose another home')
    }
  })

  it('leaves nothing behind when a flag is wrong', async () => {
    const home = homes.make()
    expect((await said(() => init({ home, handle: 'alice' })))[0]).to.equal(2)
    expect((await said(() => init({ home, listen: ['nowhere'] })))[0]).to.equal(2)
    expect(() => lstatSync(home)).to.throw('ENOENT')
  })

  for (const [excess, works] of [
    [0, true],
    [1, false],
    [24, false]
  ] as const) {
    it(`${works ? 'may' : 'may not'} have a socket path of ${107 + excess} bytes`, async () => {
      const root = homes.make()
      const tail = '/agents/default/agent.sock'
      const home = join(root, 'x'.repeat(107 + excess - tail.length - root.length - 1))
      const work = (): Promise<unknown> => init({ home })
      if (works) return void (await work())
      const [code, message] = await said(work)
      expect(code).to.equal(5)
      expect(message).to.include(`${excess} bytes too long`)
      expect(() => lstatSync(home)).to.throw('ENOENT')
    })
  }

  it('is not run when it was moved to where its sockets have no room', async () => {
    const paths = await made()
    const far = join(dirname(paths.home), 'x'.repeat(100))
    renameSync(paths.home, far)
    const [code, message] = await said(() => checkHome(homePaths(far), AGENTS))
    expect(code).to.equal(5)
    expect(message).to.include('bytes too long for a unix socket')
  })

  it('counts bytes, not characters, of a socket path', async () => {
    const root = homes.make()
    const home = join(root, 'é'.repeat(Math.ceil((107 - 26 - root.length) / 2) + 1))
    expect((await said(() => init({ home })))[0]).to.equal(5)
  })

  const spoilt: ReadonlyArray<[string, (paths: HomePaths) => void, string]> = [
    ['whose node key the group can read', (paths) => chmodSync(paths.nodeKey, 0o640), 'chmod 600'],
    ['whose agent key others can read', (paths) => chmodSync(paths.agent('default').key, 0o604), 'chmod 600'],
    ['whose owner secret others can read', (paths) => chmodSync(paths.ownerSecret, 0o644), 'chmod 600'],
    ['whose token others can read', (paths) => chmodSync(paths.agent('default').token, 0o644), 'chmod 600'],
    ['that others can enter', (paths) => chmodSync(paths.home, 0o755), 'chmod 700'],
    ['whose keys others can list', (paths) => chmodSync(paths.keys, 0o750), 'chmod 700'],
    ['without its node key', (paths) => rmSync(paths.nodeKey), 'keys/node.key is missing'],
    [
      'whose key is a link',
      (paths) => (
        renameSync(paths.nodeKey, `${paths.nodeKey}.old`),
        symlinkSync(`${paths.nodeKey}.old`, paths.nodeKey)
      ),
      'must be a plain file'
    ],
    ['that is none', (paths) => rmSync(paths.config), 'no AgentLink home']
  ]
  for (const [what, spoil, message] of spoilt) {
    it(`is not run on ${what}, and says how to put it right`, async () => {
      const paths = await made()
      spoil(paths)
      const [code, text] = await said(() => checkHome(paths, AGENTS))
      expect(code).to.equal(5)
      expect(text).to.include(message)
    })
  }

  it('replaces a private file as a whole', async () => {
    const paths = await made()
    const file = join(paths.home, 'run.json')
    writeFileSync(`${file}.new-${process.pid}`, 'left by a crash', { mode: 0o666 })
    writePrivate(file, 'one')
    writePrivate(file, 'two')
    expect(readFileSync(file, 'utf8')).to.equal('two')
    expect(lstatSync(file).mode & 0o777).to.equal(0o600)
    expect(readdirSync(paths.home).filter((name) => name.includes('.new-'))).to.deep.equal([])
  })
})

describe('the keystore', () => {
  const homes = temporaryHomes()
  after(() => homes.clean())

  async function made(): Promise<HomePaths> {
    const home = homes.make()
    await init({ home, handle: '@alice' })
    return homePaths(home)
  }

  it('signs as the agent and as the node, and shows no seed', async () => {
    const paths = await made()
    const { keyring, agents } = openKeystore(paths, AGENTS)
    const signer = keyring.signer(agents[0]?.agent as never)
    expect(signer.sign(new Uint8Array(3))).to.have.length(64)
    expect(keyring.node.sign(new Uint8Array(3))).to.have.length(64)
    const seed = readFileSync(paths.agent('default').key, 'utf8').slice(13, 77)
    expect(JSON.stringify([signer, keyring])).not.to.include(seed)
  })

  it('makes different keys and secrets for every home', async () => {
    const all = await Promise.all([made(), made()])
    const files = all.flatMap((paths) => [
      paths.nodeKey,
      paths.agent('default').key,
      paths.ownerSecret,
      paths.agent('default').token
    ])
    expect(new Set(files.map((file) => readFileSync(file, 'utf8'))).size).to.equal(files.length)
  })

  it('has no key for an agent of another node', async () => {
    const { keyring } = openKeystore(await made(), AGENTS)
    expect(() => keyring.signer('al1nobody' as never)).to.throw('no key for al1nobody')
  })

  const broken: ReadonlyArray<[string, (paths: HomePaths) => string, string]> = [
    ['an empty key', (paths) => paths.nodeKey, ''],
    ['a short key', (paths) => paths.nodeKey, `ed25519-seed ${'0'.repeat(62)}\n`],
    ['a key of another kind', (paths) => paths.agent('default').key, `ed448-seed ${'0'.repeat(64)}\n`],
    ['a short secret', (paths) => paths.ownerSecret, 'abc\n'],
    ['a token with two lines', (paths) => paths.agent('default').token, `${'a'.repeat(43)}\n${'b'.repeat(43)}\n`]
  ]
  for (const [what, place, text] of broken) {
    it(`does not start on ${what}, and does not show it`, async () => {
      const paths = await made()
      writeFileSync(place(paths), text)
      const [code, message] = await said(() => openKeystore(paths, AGENTS))
      expect(code).to.equal(5)
      if (text.trim() !== '') expect(message).not.to.include(text.trim())
    })
  }
})
