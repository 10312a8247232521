import { expect } from 'chai'
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { explainConfig, loadConfig, variableOf } from '../../src/node/config.js'
import { BY_NAME, configSchema, SETTINGS } from '../../src/node/settings.js'
import { said } from '../support/failures.js'
import { temporaryHomes } from '../support/homes.js'

describe('the configuration', () => {
  const homes = temporaryHomes()
  after(() => homes.clean())

  function fileWith(text: string): string {
    const file = join(homes.make(), 'config.toml')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }

  it('has a default for every setting but the handle', () => {
    const config = loadConfig(fileWith(''), {})
    expect(config.handle).to.equal(undefined)
    for (const [section, members] of Object.entries(SETTINGS)) {
      expect(config[section as keyof typeof SETTINGS], section).to.have.all.keys(Object.keys(members))
    }
  })

  it('lets the file win over the default, the environment over the file, and a flag over all', () => {
    const file = fileWith('[log]\nlevel = "warn"\n[approvals]\nhours = 5\n[api]\nport = 1\n')
    const environment = { AGENTLINK_APPROVALS_HOURS: '6', AGENTLINK_API_PORT: '2' }
    const config = loadConfig(file, environment, { 'api.port': 3 })
    expect(config.log.level).to.equal('warn')
    expect(config.approvals.hours).to.equal(6)
    expect(config.api.port).to.equal(3)
  })

  it('reads lists, numbers and yes or no from the environment', () => {
    const config = loadConfig(fileWith(''), {
      AGENTLINK_NET_LISTEN: '/ip4/127.0.0.1/tcp/1, /ip6/::1/tcp/2',
      AGENTLINK_NET_ANNOUNCE: '',
      AGENTLINK_DELIVERY_FIRST_MS: '250',
      AGENTLINK_API_TCP: 'false',
      AGENTLINK_HANDLE: '@alice'
    })
    expect(config.net).to.deep.equal({ listen: ['/ip4/127.0.0.1/tcp/1', '/ip6/::1/tcp/2'], announce: [] })
    expect(config.delivery.first_ms).to.equal(250)
    expect(config.api.tcp).to.equal(false)
    expect(config.handle).to.equal('@alice')
  })

  it('leaves alone what is no setting: the variables of the seed and of other programs', () => {
    const environment = {
      AGENTLINK_URL: 'http://x',
      AGENTLINK_HOME: '/x',
      AGENTLINK_TOKEN: 'x',
      AGENTLINKER: 'x',
      TOKEN: 'x'
    }
    expect(() => loadConfig(fileWith(''), environment)).not.to.throw()
  })

  const unknown: ReadonlyArray<[string, string, Record<string, string>, Record<string, unknown>, string]> = [
    ['a key of the file', '[net]\nlisten_on = []\n', {}, {}, 'unknown setting net.listen_on'],
    ['a section of the file', '[nett]\nlisten = []\n', {}, {}, 'unknown setting nett'],
    ['an empty section of the file', '[nothing]\n', {}, {}, 'unknown setting nothing'],
    ['a key at the top of the file', 'handel = "@a"\n', {}, {}, 'did you mean handle?'],
    ['a slip in a name', '[delivery]\nfrist_ms = 1\n', {}, {}, 'did you mean delivery.first_ms?'],
    [
      'a variable',
      '',
      { AGENTLINK_LOG_LEVLE: 'info' },
      {},
      'environment: unknown setting AGENTLINK_LOG_LEVLE; did you mean AGENTLINK_LOG_LEVEL?'
    ],
    ['a flag', '', {}, { 'log.loud': true }, 'command line: unknown setting log.loud']
  ]
  for (const [what, text, environment, flags, message] of unknown) {
    it(`refuses ${what} that nobody knows, by name`, async () => {
      const [code, text_] = await said(() => loadConfig(fileWith(text), environment, flags))
      expect(code).to.equal(2)
      expect(text_).to.include(message)
    })
  }

  const wrong: ReadonlyArray<[string, string]> = [
    ['[net]\nlisten = []\n', 'net.listen must be a list of 1 to 8 addresses'],
    ['[net]\nlisten = ["http://x"]\n', 'net.listen "http://x" must look like /ip4/0.0.0.0/tcp/4650'],
    ['[net]\nlisten = "/ip4/0.0.0.0/tcp/1"\n', 'net.listen must be a list'],
    ['[api]\nport = 70000\n', 'api.port must be a whole number from 0 to 65535'],
    ['[api]\nport = 1.5\n', 'api.port must be a whole number'],
    ['[api]\ntcp = "yes"\n', 'api.tcp must be true or false'],
    ['[api]\nhost = "0.0.0.0"\n', 'api.host must be one of 127.0.0.1, ::1'],
    ['[log]\nlevel = "loud"\n', 'log.level must be one of info, warn, silent'],
    ['[approvals]\nhours = 0\n', 'approvals.hours must be a whole number from 1 to 720'],
    ['handle = "Alice"\n', 'handle must be @ and'],
    ['[log]\nlevel = { deep = 1 }\n', 'log.level must be one of']
  ]
  for (const [text, message] of wrong) {
    it(`refuses ${JSON.stringify(text)} and names file and setting`, async () => {
      const file = fileWith(text)
      const [code, said_] = await said(() => loadConfig(file, {}))
      expect(code).to.equal(2)
      expect(said_).to.include(file).and.to.include(message)
    })
  }

  it('names every fault at once', async () => {
    const [, message] = await said(() =>
      loadConfig(fileWith('[api]\nport = -1\ntcp = 1\n'), { AGENTLINK_LOG_LEVEL: 'x' })
    )
    expect(message.split('\n')).to.have.length(3)
    expect(message).to.include('environment: log.level')
  })

  it('says on which line the file is not TOML', async () => {
    const [code, message] = await said(() => loadConfig(fileWith('[net]\nlisten = [\n'), {}))
    expect(code).to.equal(2)
    expect(message).to.match(/line \d+: /)
  })

  it('tells of every setting its value, the layer that won, and where it is changed', () => {
    const file = fileWith('[log]\nlevel = "warn"\n[approvals]\nhours = 5\n')
    const { settings } = explainConfig(file, { AGENTLINK_APPROVALS_HOURS: '6' }, { 'api.port': 3 })
    expect(settings.map(({ name }) => name)).to.deep.equal([...BY_NAME.keys()])
    const of = (name: string) => settings.find((one) => one.name === name)
    expect(of('log.level')).to.deep.equal({
      name: 'log.level',
      value: 'warn',
      default: 'info',
      from: 'file',
      says: SETTINGS.log.level.summary,
      file: 'config.toml',
      key: 'log.level',
      variable: 'AGENTLINK_LOG_LEVEL',
      restart: true
    })
    expect(of('approvals.hours')).to.include({ value: 6, from: 'environment' })
    expect(of('api.port')).to.include({ value: 3, from: 'flag', default: 0 })
    expect(of('quotas.tasks')).to.include({ value: 1000, from: 'default' })
    expect(of('handle')).to.not.have.any.keys('value', 'default')
  })

  it('shows no key that stands in the URL of a provider', () => {
    const shown = (url: string) => {
      const { config, settings } = explainConfig(fileWith(`[chain]\nrpc_url = "${url}"\n`), {})
      expect(config.chain.rpc_url).to.equal(url)
      return settings.find(({ name }) => name === 'chain.rpc_url')?.value
    }
    expect(shown('https://rpc.example.org/v2/s3cret')).to.equal('https://rpc.example.org/…')
    expect(shown('https://rpc.example.org/?api-key=s3cret')).to.equal('https://rpc.example.org/…')
    expect(shown('https://me:s3cret@rpc.example.org')).to.equal('https://rpc.example.org/…')
    expect(shown('https://rpc.example.org#s3cret')).to.equal('https://rpc.example.org/…')
    expect(shown('http://127.0.0.1:8899')).to.equal('http://127.0.0.1:8899')
  })

  it('names each environment variable after its setting', () => {
    expect([...BY_NAME.keys()].map(variableOf)).to.include.members(['AGENTLINK_HANDLE', 'AGENTLINK_DELIVERY_FIRST_MS'])
  })

  it('has a schema that is what the code says', () => {
    const written = JSON.parse(readFileSync('config/schema.json', 'utf8')) as unknown
    expect(written, 'run: npx tsx test/node/write-schema.ts').to.deep.equal(JSON.parse(JSON.stringify(configSchema())))
  })

  it('writes each default once, and no other', () => {
    const defaults = parse(readFileSync('config/default.toml', 'utf8')) as Record<string, Record<string, unknown>>
    const names = Object.entries(defaults).flatMap(([section, values]) =>
      Object.keys(values).map((key) => `${section}.${key}`)
    )
    expect(names.sort()).to.deep.equal([...BY_NAME.keys()].filter((name) => name !== 'handle').sort())
  })
})
