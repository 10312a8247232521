import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { type Server, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result } from '../../src/base/result.js'
import { listenTcp, listenUnix } from '../../src/api/listen.js'

const permissionsOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8)
const portOf = (result: Result<number>): number => {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}
const codeOf = (result: Result<unknown>): string => (result.ok ? 'listening' : result.refusal.code)

/** Only root can give a file away; for anyone else there is nothing to test. */
function asRoot(name: string, test: () => Promise<void>): void {
  if (process.getuid?.() === 0) it(name, test)
}

describe('listening on a unix socket', () => {
  let home: string
  const open: Server[] = []
  const server = (): Server => {
    const made = createServer()
    open.push(made)
    return made
  }
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'al-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => new Promise((resolve) => each.close(resolve))))
    rmSync(home, { recursive: true, force: true })
  })

  for (const mask of [0o000, 0o022, 0o077, 0o177, 0o777]) {
    it(`makes directory 0700 and socket 0600 under umask ${mask.toString(8)}`, async () => {
      const before = process.umask(mask)
      const path = join(home, 'agents', 'a.sock')
      const result = await listenUnix(server(), path).finally(() => process.umask(before))
      // A mask that takes the owner's own rights takes them from the directories on the way, too.
      if (mask === 0o777 && !result.ok) return
      expect([codeOf(result), permissionsOf(join(home, 'agents')), permissionsOf(path)]).to.deep.equal([
        'listening',
        '700',
        '600'
      ])
    })
  }

  it('closes a directory that others could enter', async () => {
    chmodSync(home, 0o755)
    expect(codeOf(await listenUnix(server(), join(home, 'a.sock')))).to.equal('listening')
    expect(permissionsOf(home)).to.equal('700')
  })

  for (const [bytes, outcome] of [
    [60, 'listening'],
    [106, 'listening'],
    [107, 'listening'],
    [108, 'bad_request'],
    [131, 'bad_request'],
    [4000, 'bad_request']
  ] as const) {
    it(`answers a path of ${bytes} bytes with ${outcome}, and leaves no shortened file`, async () => {
      const path = join(home, 's'.repeat(bytes - home.length - 1))
      const result = await listenUnix(server(), path)
      expect(codeOf(result)).to.equal(outcome)
      if (result.ok) expect(existsSync(path)).to.equal(true)
      else expect(result.refusal.message).to.include('at most 107')
    })
  }

  it('counts bytes of the path, not characters', async () => {
    const path = join(home, 'é'.repeat(50))
    expect(codeOf(await listenUnix(server(), path))).to.equal('bad_request')
  })

  it('takes the place of a socket that a killed process left', async () => {
    const path = join(home, 'a.sock')
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(lstatSync(path).isSocket()).to.equal(true)
    expect(codeOf(await listenUnix(server(), path))).to.equal('listening')
  })

  it('leaves a socket alone that answers, and says that a node is running', async () => {
    const path = join(home, 'a.sock')
    await listenUnix(server(), path)
    const second = await listenUnix(server(), path)
    expect(codeOf(second)).to.equal('conflict')
    expect(second.ok ? '' : second.refusal.message).to.include('already running')
    expect(lstatSync(path).isSocket()).to.equal(true)
  })

  const OBSTACLES: [string, (path: string) => void][] = [
    ['a file', (path) => writeFileSync(path, 'precious')],
    ['a directory', (path) => mkdirSync(path)],
    ['a link to nothing', (path) => symlinkSync(join(home, 'nothing'), path)],
    [
      'a link to a file',
      (path) => {
        writeFileSync(join(home, 'precious'), 'x')
        symlinkSync(join(home, 'precious'), path)
      }
    ]
  ]
  for (const [what, put] of OBSTACLES) {
    it(`refuses ${what} in the place of the socket, and leaves it there`, async () => {
      const path = join(home, 'a.sock')
      put(path)
      expect(codeOf(await listenUnix(server(), path))).to.equal('bad_request')
      expect(() => lstatSync(path)).to.not.throw()
    })
  }

  it('refuses a link to a live socket', async () => {
    await listenUnix(server(), join(home, 'real.sock'))
    symlinkSync(join(home, 'real.sock'), join(home, 'a.sock'))
    expect(codeOf(await listenUnix(server(), join(home, 'a.sock')))).to.equal('bad_request')
  })

  it('refuses a link in the place of the directory', async () => {
    mkdirSync(join(home, 'elsewhere'))
    symlinkSync(join(home, 'elsewhere'), join(home, 'agents'))
    expect(codeOf(await listenUnix(server(), join(home, 'agents', 'a.sock')))).to.equal('bad_request')
  })

  asRoot('refuses a directory of another user', async () => {
    const directory = join(home, 'theirs')
    mkdirSync(directory)
    chownSync(directory, 1000, 1000)
    expect(codeOf(await listenUnix(server(), join(directory, 'a.sock')))).to.equal('bad_request')
  })

  asRoot('refuses a stale socket of another user', async () => {
    const path = join(home, 'a.sock')
    await listenUnix(server(), path)
    chownSync(path, 1000, 1000)
    expect(codeOf(await listenUnix(server(), path))).to.equal('bad_request')
  })

  it('refuses a file in the place of the directory', async () => {
    writeFileSync(join(home, 'file'), '')
    expect(codeOf(await listenUnix(server(), join(home, 'file', 'a.sock')))).to.equal('bad_request')
  })

  it('removes its socket when it closes', async () => {
    const path = join(home, 'a.sock')
    const own = server()
    await listenUnix(own, path)
    await new Promise((resolve) => own.close(resolve))
    expect(existsSync(path)).to.equal(false)
  })
})

describe('listening on loopback TCP', () => {
  it('takes any port for 0, and says that a port is taken', async () => {
    const first = createServer()
    const port = portOf(await listenTcp(first, { host: '127.0.0.1', port: 0 }))
    expect(port).to.be.above(0)
    const second = await listenTcp(createServer(), { host: '127.0.0.1', port })
    expect(codeOf(second)).to.equal('conflict')
    expect(second.ok ? '' : second.refusal.message).to.include(String(port))
    await new Promise((resolve) => first.close(resolve))
  })

  it('takes for 0 the port of its own, and any while that is taken', async () => {
    const loopback = { host: '127.0.0.1', port: 0 } as const
    const [first, other, again] = [createServer(), createServer(), createServer()]
    const close = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve))
    const own = portOf(await listenTcp(first, loopback))
    expect(portOf(await listenTcp(other, { ...loopback, own }))).not.to.equal(own)
    await close(first)
    expect(portOf(await listenTcp(again, { ...loopback, own }))).to.equal(own)
    await Promise.all([close(other), close(again)])
  })
})
