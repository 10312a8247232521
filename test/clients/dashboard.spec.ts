import { expect } from 'chai'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { makeHome } from './home.js'
import { agentlink } from './screen.js'

describe('agentlink dashboard', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())
  const URL_LINE = /http:\/\/127\.0\.0\.1:\d+\/dashboard\/#login=[\w-]{43}/

  it('prints a link where there is no screen, with --print, and as JSON', async () => {
    for (const [words, environment] of [
      [[], {}],
      [['--print'], { DISPLAY: ':0', PATH: '/nowhere' }],
      [[], { DISPLAY: '' }]
    ] as const) {
      const shown = await agentlink(['--home', api.home, 'dashboard', ...words], { environment })
      expect(shown.code).to.equal(0)
      expect(shown.out)
        .to.match(URL_LINE)
        .and.include('Open this in a browser:')
        .and.match(/It works once, until [-\d]{10} [\d:]{5} UTC\./)
    }
    const json = await agentlink(['--home', api.home, 'dashboard', '--json'], { environment: { DISPLAY: ':0' } })
    const { url } = JSON.parse(json.out) as { url: string }
    expect(url).to.match(URL_LINE)
    expect(existsSync(join(api.home, 'login.html'))).to.equal(false)
  })

  it('hands a browser a private file, and its link to no program that every user of the machine could look at', async () => {
    const bin = join(api.home, 'bin')
    mkdirSync(bin)
    const seen = join(api.home, 'seen')
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`)
    chmodSync(join(bin, 'xdg-open'), 0o755)
    const page = join(api.home, 'login.html')
    writeFileSync(page, 'left behind', { mode: 0o644 })
    const environment = { WAYLAND_DISPLAY: 'wayland-0', PATH: `${bin}:/usr/bin:/bin` }
    const shown = await agentlink(['--home', api.home, 'dashboard'], { environment })
    expect(shown.out).to.include('A browser opens.')
    const [link] = URL_LINE.exec(shown.out) ?? []
    expect(readFileSync(page, 'utf8')).to.include(`content="0;url=${link}"`)
    expect(statSync(page).mode & 0o777).to.equal(0o600)
    while (!existsSync(seen)) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(readFileSync(seen, 'utf8')).to.equal(`${page}\n`)
  })

  it('prints the link when there is no program that opens browsers', async () => {
    const environment = { DISPLAY: ':0', PATH: '/nowhere' }
    const shown = await agentlink(['--home', api.home, 'dashboard'], { environment })
    expect([shown.code, shown.err]).to.deep.equal([0, ''])
    expect(shown.out).to.include('Open this in a browser:').and.match(URL_LINE)
  })
})
