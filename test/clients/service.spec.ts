import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unitText } from '../../src/clients/cli/systemd.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { makeHome } from './home.js'
import { agentlink, type Shown } from './screen.js'

/** Where `systemctl` is replaced by one that writes down what it is asked: a test has no login session to change. */
function recorder(folder: string, exit: string): () => string[] {
  const asked = join(folder, 'asked')
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$@" >> '${asked}'\n${exit}\n`)
  chmodSync(join(folder, 'systemctl'), 0o755)
  return () => (existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [])
}

describe('agentlink service', () => {
  let folder: string
  let api: TestApi
  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'service-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const environment = (): NodeJS.ProcessEnv => ({ PATH: `${folder}:${process.env['PATH']}`, XDG_CONFIG_HOME: folder })
  const service = (home: string, ...words: string[]): Promise<Shown> =>
    agentlink(['service', ...words, '--home', home], { environment: environment() })
  const unitFile = (): string => join(folder, 'systemd/user/agentlink@.service')
  const stoppedHome = (): string => {
    const home = join(folder, 'a home-é')
    mkdirSync(home)
    writeFileSync(join(home, 'config.toml'), '')
    return home
  }
  const UNIT = (): string =>
    spawnSync('systemd-escape', ['--path', '--template=agentlink@.service', join(folder, 'a home-é')], {
      encoding: 'utf8'
    }).stdout.trim()

  before(function () {
    if (spawnSync('systemd-escape', ['--version']).error === undefined) return
    console.log('    skipped: systemd-escape is missing (Debian: apt-get install systemd)')
    this.skip()
  })

  it('puts the unit in place, enables it for this home and starts it, and does so again when asked again', async () => {
    const asked = recorder(folder, 'exit 0')
    const home = stoppedHome()
    for (const time of [1, 2]) {
      const { code, out } = await service(home, 'install')
      expect([code, out.split('\n')[0]], `time ${time}`).to.deep.equal([0, `${UNIT()} runs.`])
      expect(asked().slice(-2)).to.deep.equal(['--user daemon-reload', `--user enable --now ${UNIT()}`])
    }
    expect(readFileSync(unitFile(), 'utf8')).to.equal(unitText(process.execPath, process.argv[1] ?? ''))
  })

  it('takes the home out again, and the unit when no home uses it', async () => {
    const asked = recorder(folder, 'exit 0')
    const home = stoppedHome()
    await service(home, 'install')
    const { code } = await service(home, 'uninstall')
    expect(code).to.equal(0)
    expect(asked().slice(-2)).to.deep.equal([`--user disable --now ${UNIT()}`, '--user daemon-reload'])
    expect(existsSync(unitFile())).to.equal(false)
    expect(existsSync(join(home, 'config.toml'))).to.equal(true)
  })

  it('says that none is installed where there is none to take out, and asks systemd for nothing', async () => {
    const asked = recorder(folder, 'exit 1')
    const { code, err } = await service(stoppedHome(), 'uninstall')
    expect([code, err.includes('no service of')]).to.deep.equal([1, true])
    expect(asked()).to.deep.equal([])
  })

  it('says what systemctl said when it can not, and leaves no unit behind', async () => {
    recorder(folder, 'echo "Failed to connect to bus: No such file or directory" >&2; exit 1')
    const { code, err } = await service(stoppedHome(), 'install')
    expect(code).to.equal(1)
    expect(err).to.contain('Failed to connect to bus').and.to.contain('login session')
    expect(existsSync(unitFile())).to.equal(false)
  })

  it('changes nothing where there is no home, where its node runs already, or where there is no systemd', async () => {
    const asked = recorder(folder, 'exit 0')
    const nowhere = await service(join(folder, 'none'), 'install')
    expect([nowhere.code, nowhere.err]).to.deep.equal([5, nowhere.err])
    expect(nowhere.err).to.contain('agentlink init')
    const running = await service(api.home, 'install')
    expect([running.code, running.err.includes('agentlink stop')]).to.deep.equal([4, true])
    const bare = await agentlink(['service', 'install', '--home', api.home], { environment: { PATH: '/nowhere' } })
    expect([bare.code, bare.err.includes('no systemd')]).to.deep.equal([1, true])
    expect(asked()).to.deep.equal([])
    expect(existsSync(unitFile())).to.equal(false)
  })

  it('writes a unit that systemd takes without a word', async () => {
    const { out } = await service(api.home, 'install', '--print')
    const path = join(folder, 'agentlink@.service')
    writeFileSync(path, `${out}\n`)
    const verified = spawnSync('systemd-analyze', ['--user', 'verify', path], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: folder }
    })
    expect([verified.status, verified.stderr]).to.deep.equal([0, ''])
  })

  it('names the program so that systemd finds exactly it, whatever is in its path', () => {
    const odd = '/opt/a "b" $HOME/50%/c\\d/main.js'
    expect(unitText('/usr/bin/node', odd)).to.contain(
      'ExecStart="/usr/bin/node" "/opt/a \\"b\\" $$HOME/50%%/c\\\\d/main.js" start --home %f\n'
    )
  })
})
