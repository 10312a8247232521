import { expect } from 'chai'
import type { InitRequest } from '../../src/clients/cli/launch.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { PRESET } from '../api/views.js'
import { makeHome } from './home.js'
import { agentlink, NOTHING_TO_LAUNCH, type Shown } from './screen.js'

describe('agentlink grant preset', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  async function run(words: string[], types?: string): Promise<Shown & { readonly asked: string[] }> {
    const from = api.doors.calls.names.length
    const shown = await agentlink(
      ['grant', 'preset', ...words, '--home', api.home],
      types === undefined ? {} : { types }
    )
    return { ...shown, asked: api.doors.calls.names.slice(from).filter((name) => /preset/i.test(name)) }
  }

  const SHOWN = [
    'The preset "private" for @alice (yours).',
    /disclose\.availability +ask\n/,
    /disclose\.budget +allow +deny\n/,
    'Rules for all contacts that go:',
    /\* +disclose\.x\.parking +allow/,
    'Rules for one contact that stay',
    /@bob +disclose\.notes +ask/
  ]

  function showsAll(text: string): void {
    for (const part of SHOWN) {
      if (typeof part === 'string') expect(text).to.include(part)
      else expect(text).to.match(part)
    }
  }

  it('shows what would change, asks, and applies exactly that on a yes', async () => {
    const { code, out, err, asked } = await run(['private'], 'yes')
    expect([code, asked]).to.deep.equal([0, ['preset', 'applyPreset']])
    showsAll(out)
    expect(err).to.equal('Apply it? Type yes: ')
    expect(out).to.match(/Applied: private\.$/)
    expect(api.doors.calls.inputs.at(-3)).to.deep.include({ preset: 'private' })
    expect(api.doors.calls.inputs).to.deep.include({ preset: 'private', digest: PRESET.digest })
  })

  it('applies nothing on any other word, and says so', async () => {
    for (const word of ['', 'no', 'y', 'YES']) {
      const { code, out, err, asked } = await run(['private'], word)
      expect([code, asked]).to.deep.equal([1, ['preset']])
      showsAll(out)
      expect(err).to.include('Nothing was applied. Say --yes to apply it.')
    }
  })

  it('only shows where nobody can be asked', async () => {
    const { code, out, err, asked } = await run(['private'])
    expect([code, asked, err]).to.deep.equal([1, ['preset'], 'agentlink: Nothing was applied. Say --yes to apply it.'])
    showsAll(out)
  })

  it('with --yes shows and applies without asking', async () => {
    const { code, out, err, asked } = await run(['private', '--yes', '--agent', 'work'])
    expect([code, err, asked]).to.deep.equal([0, '', ['preset', 'applyPreset']])
    showsAll(out)
    expect(api.doors.calls.inputs).to.deep.include({ agent: 'work', preset: 'private', digest: PRESET.digest })
  })

  it('answers one line of JSON, and shows the rest beside it', async () => {
    const done = await run(['private', '--yes', '--json'])
    expect([done.code, JSON.parse(done.out)]).to.deep.equal([0, { applied: true, preset: PRESET }])
    showsAll(done.err)
    const not = await run(['private', '--json'])
    expect([not.code, JSON.parse(not.out)]).to.deep.equal([1, { applied: false, preset: PRESET }])
  })

  it('tells why the node refused, and ends with 2 on a name that there is not', async () => {
    const refused = await run(['open', '--yes'])
    expect([refused.code, refused.err]).to.deep.equal([1, 'agentlink: there is no such preset (not_found)'])
    for (const words of [['closed'], ['Private'], []]) {
      const { code, asked } = await run(words)
      expect([code, asked]).to.deep.equal([2, []])
    }
  })

  it('is explained with examples', async () => {
    const { out } = await agentlink(['grant', 'preset', '--help'])
    expect(out)
      .to.match(/Examples:\n {2}agentlink grant preset balanced/)
      .and.include('choices: "open"')
  })
})

describe('agentlink init', () => {
  const report = {
    created: true,
    home: '/h',
    handle: '@alice',
    agent: 'al1alice',
    peerId: '12D3',
    listen: [],
    config: '/h/config.toml',
    token: '/h/token'
  }

  async function init(words: string[], preset?: object): Promise<Shown & { readonly requests: InitRequest[] }> {
    const requests: InitRequest[] = []
    const launch = {
      ...NOTHING_TO_LAUNCH,
      init: (request: InitRequest) => {
        requests.push(request)
        return Promise.resolve({ ...report, ...preset })
      }
    }
    return { ...(await agentlink(['init', '--home', '/h', ...words], { launch })), requests }
  }

  it('hands a preset on, and shows the rules that came of it', async () => {
    const rules = [{ contact: '*', capability: 'disclose.availability', effect: 'allow' as const }]
    const { code, out, requests } = await init(['--preset', 'balanced'], { preset: { name: 'balanced', rules } })
    expect([code, requests]).to.deep.equal([0, [{ home: '/h', preset: 'balanced' }]])
    expect(out)
      .to.include('Rules of the preset "balanced"')
      .and.match(/\* +disclose\.availability +allow/)
  })

  it('says without one that everything is asked', async () => {
    const { out, requests } = await init([])
    expect(requests).to.deep.equal([{ home: '/h' }])
    expect(out).to.include('No rules yet: you are asked every time.')
  })

  it('ends with 2 on a preset that there is not, and makes nothing', async () => {
    const { code, requests } = await init(['--preset', 'closed'])
    expect([code, requests]).to.deep.equal([2, []])
  })
})
