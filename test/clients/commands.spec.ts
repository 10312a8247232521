import { expect } from 'chai'
import type { Command } from 'commander'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '../../src/clients/cli/program.js'
import { homePaths } from '../../src/api/home.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { auditLog, TOKENS, UID } from '../api/views.js'
import { makeHome } from './home.js'
import { agentlink, NOTHING_TO_LAUNCH, type Shown } from './screen.js'

function notADirectory(path: string): Error {
  return Object.assign(new Error(`ENOTDIR: not a directory, lstat '${path}'`), { code: 'ENOTDIR', path })
}

const LINK = 'agentlink:al1bob?card=AAAA&invite=BBBB'

describe('the commands', () => {
  let api: TestApi

  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  function run(...words: string[]): Promise<Shown> {
    return agentlink(['--home', api.home, ...words])
  }

  /** What the door was last asked. */
  function asked(): readonly [unknown, unknown] {
    return [api.doors.calls.names.at(-1), api.doors.calls.inputs.at(-1)]
  }

  const reading: ReadonlyArray<[string[], string[]]> = [
    [['settings'], ['SETTING', 'log.level', 'warn', 'file', '/home/alice/.agentlink/config.toml']],
    [['settings', '--changed'], ['log.level']],
    [['status'], ['@alice', '12D3KooWAlice', '1 active, 0 connected, 0 pending']],
    [
      ['contact', 'list'],
      ['NAME', '@bob', 'active', 'al1bob']
    ],
    [
      ['grant', 'list'],
      ['disclose.budget', 'allow']
    ],
    [
      ['approval', 'list'],
      [UID, '@bob', 'Dinner with Bob', 'disclose.availability']
    ],
    [
      ['agent', 'list'],
      ['NAME', 'default', '@alice', 'al1alice']
    ],
    [['audit'], ['owner', 'grant.set', 'agent @alice (yours)', 'disclosure.sent', '@bob', '* disclose.* allow']],
    [['audit', '--what', 'task'], ['Nothing of that kind.']],
    [
      ['audit', 'verify'],
      ['3 entries hold.', 'head 3:']
    ],
    [['task', 'list'], ['No tasks.']],
    [['inbox'], ['Nothing new.']]
  ]
  for (const [words, parts] of reading) {
    it(`${words.join(' ')} shows a table, and one line of JSON on --json`, async () => {
      const shown = await run(...words)
      expect(shown).to.include({ code: 0, err: '' })
      for (const part of parts) expect(shown.out).to.include(part)
      const json = await run(...words, '--json')
      expect(json.out.split('\n')).to.have.length(1)
      expect(JSON.parse(json.out)).to.be.an('object')
    })
  }

  it('show a table by rows where the window is narrower', async () => {
    for (const words of [['contact', 'list'], ['approval', 'list'], ['audit'], ['type', 'list'], ['settings']]) {
      const { out } = await agentlink(['--home', api.home, ...words], { columns: 40 })
      expect(out).to.match(/^(?:name|id|#|type|setting) +\S.*$/m)
    }
  })

  it('audit passes its filters on, with times as the API wants them', async () => {
    await run(
      'audit',
      '--contact',
      '@bob',
      '--since',
      '2026-12-02',
      '--until',
      '2026-12-02T09:30+02:00',
      '--limit',
      '7',
      '--json'
    )
    expect(asked()).to.deep.equal([
      'audit',
      { contact: '@bob', since: '2026-12-02T00:00:00.000Z', until: '2026-12-02T07:30:00.000Z', limit: 7 }
    ])
    for (const bad of [
      ['--since', 'yesterday'],
      ['--until', '2026-13-01'],
      ['--limit', '0'],
      ['--after', '-1']
    ]) {
      expect(await run('audit', ...bad)).to.include({ code: 2 })
    }
  })

  const known = { whole: auditLog().head, below: { seq: 2, hash: auditLog().items[0]?.prev ?? '' } }
  it('audit verify holds the log against a head that was noted', async () => {
    for (const { seq, hash } of Object.values(known)) {
      expect(await run('audit', 'verify', '--head', `${seq}:${hash}`)).to.include({ code: 0 })
      const other = await run(
        'audit',
        'verify',
        '--head',
        `${seq}:${hash.replace(/^./, (c) => (c === '0' ? '1' : '0'))}`
      )
      expect([other.code, other.err]).to.deep.equal([
        1,
        `agentlink: the audit log does not hold: entry ${seq} is not the one of --head`
      ])
    }
    expect((await run('audit', 'verify', '--head', `9:${'0'.repeat(64)}`)).err).to.include('ends at entry 3')
    expect(await run('audit', 'verify', '--head', 'abc')).to.include({ code: 2 })
  })

  const changing: ReadonlyArray<[string, string[], readonly [string, object]]> = [
    ['one more agent', ['agent', 'add', 'eve', '--handle', '@eve'], ['addAgent', { name: 'eve', handle: '@eve' }]],
    ['an accept', ['contact', 'accept', '@bob'], ['changeContact', { contact: '@bob', action: 'accept' }]],
    ['a decline', ['contact', 'decline', '@bob'], ['changeContact', { contact: '@bob', action: 'decline' }]],
    ['a remove', ['contact', 'remove', '@bob', '--yes'], ['changeContact', { contact: '@bob', action: 'remove' }]],
    ['a block', ['contact', 'block', '@bob'], ['changeContact', { contact: '@bob', action: 'block' }]],
    ['an unblock', ['contact', 'unblock', '@bob'], ['changeContact', { contact: '@bob', action: 'unblock' }]],
    ['an unfreeze', ['contact', 'unfreeze', '@bob'], ['changeContact', { contact: '@bob', action: 'unfreeze' }]],
    ['a new name', ['contact', 'rename', '@bob', '@bobby'], ['renameContact', { contact: '@bob', alias: '@bobby' }]],
    ['a link', ['contact', 'add', LINK, '--alias', '@bob'], ['addContact', { link: LINK, alias: '@bob' }]],
    ['the wish for a link', ['contact', 'invite'], ['invite', { secret: true }]],
    ['the wish for a link without secret', ['contact', 'invite', '--no-secret'], ['invite', { secret: false }]],
    [
      'a grant',
      ['grant', 'set', '--contact', '*', '--capability', 'disclose.budget', '--effect', 'deny'],
      ['setGrant', { contact: '*', capability: 'disclose.budget', effect: 'deny' }]
    ],
    [
      'the end of a grant',
      ['grant', 'remove', '--contact', '@bob', '--capability', 'disclose.*'],
      ['deleteGrant', { contact: '@bob', capability: 'disclose.*' }]
    ],
    ['a yes', ['approval', 'approve', UID], ['answerApproval', { decision: 'approve', scope: 'once' }]],
    [
      'a wide yes',
      ['approval', 'approve', UID, '--scope', 'contact'],
      ['answerApproval', { decision: 'approve', scope: 'contact' }]
    ],
    ['a no', ['approval', 'deny', UID], ['answerApproval', { decision: 'deny', scope: 'once' }]]
  ]
  for (const [what, words, expected] of changing) {
    it(`hand ${what} to the owner's door`, async () => {
      expect(await run(...words)).to.include({ code: 0, err: '' })
      const shown = await run(...words, '--json')
      expect(shown).to.include({ code: 0, err: '' })
      expect(asked()).to.deep.equal(expected)
    })
  }

  it('say which agent is meant when the owner says it', async () => {
    await run('contact', 'list', '--agent', 'work')
    expect(asked()).to.deep.equal(['contacts', { agent: 'work' }])
  })

  it('print a link that can be read out of the JSON, and its code for a camera otherwise', async () => {
    const json = await run('contact', 'invite', '--json')
    expect(JSON.parse(json.out)).to.deep.equal({ link: 'agentlink:al1alice?card=AA' })
    const shown = await run('contact', 'invite')
    expect(shown.out).to.match(/^agentlink:al1alice\?card=AA\n\n[▀▄█ \n]+/)
  })

  it('show no code in a window that is too narrow for it', async () => {
    const words = ['--home', api.home, 'contact', 'invite']
    expect((await agentlink(words, { columns: 20 })).out)
      .to.match(/Make the window \d+ columns wide/)
      .and.not.include('█')
    expect((await agentlink(words, { columns: 200 })).out).to.include('█')
  })

  it('find the link in whatever stands on stdin', async () => {
    const stdin = `Here it is:\n${LINK}\n\n █▀▀▀ \n`
    const shown = await agentlink(['contact', 'add', '-', '--home', api.home], { stdin })
    expect(shown.code).to.equal(0)
    expect(asked()).to.deep.equal(['addContact', { link: LINK }])
    const none = await agentlink(['contact', 'add', '-', '--home', api.home], { stdin: 'hello' })
    expect(none.code).to.equal(2)
  })

  it('show all approvals when asked for all, and the waiting ones else', async () => {
    await run('approval', 'list')
    expect(asked()[1]).to.deep.include({ status: 'pending' })
    await run('approval', 'list', '--all')
    expect(asked()[1]).not.to.have.property('status')
  })

  it('say of a yes that reaches further which rules it made, and how to take each back', async () => {
    const yes = (scope: string): Promise<Shown> => run('approval', 'approve', UID, '--scope', scope)
    expect((await yes('once')).out).to.equal('Approved and sent.')
    const back = `agentlink grant remove --contact @bob --capability disclose.availability --home ${api.home}`
    expect((await yes('contact')).out).to.include(
      `disclose.availability is allowed with @bob. To take that back: ${back}`
    )
    expect((await yes('always')).out).to.include(
      "with every contact. To take that back: agentlink grant remove --contact '*'"
    )
    const shown = (await run('approval', 'show', UID)).out
    expect(shown)
      .to.match(/^about +Dinner with Bob$/m)
      .and.match(/ or: agentlink approval approve .+ --scope contact {2}\(also from now on, with this contact\)$/m)
  })

  it('take the home from AGENTLINK_HOME, and --home before it', async () => {
    const environment = { AGENTLINK_HOME: api.home }
    expect((await agentlink(['status'], { environment })).code).to.equal(0)
    expect((await agentlink(['status', '--home', '/nowhere'], { environment })).code).to.equal(5)
  })

  it('end with 1 and the reason when the node refuses', async () => {
    const shown = await run('task', 'show', UID)
    expect(shown.code).to.equal(1)
    expect(shown.err).to.equal('agentlink: there is no such task (not_found)')
    const json = await run('task', 'show', UID, '--json')
    expect(JSON.parse(json.out)).to.deep.equal({
      error: { code: 'not_found', message: 'there is no such task', details: {} }
    })
  })

  const wrong: readonly string[][] = [
    ['grant', 'set', '--contact', '*'],
    ['grant', 'set', '--contact', '*', '--capability', 'disclose.budget', '--effect', 'maybe'],
    ['approval', 'approve', UID, '--scope', 'forever'],
    ['contact', 'add'],
    ['contact', 'befriend', '@bob'],
    ['audit', 'verify', '--contact', '@bob'],
    ['backup', 'verify', '/nowhere', '--force'],
    ['start', '--port', '99999'],
    ['inbox', '--after', 'x'],
    ['status', '--loud'],
    []
  ]
  for (const words of wrong) {
    it(`end with 2 on wrong usage: agentlink ${words.join(' ')}`, async () => {
      const before = api.doors.calls.names.length
      const shown = await run(...words)
      expect(shown.code).to.equal(2)
      expect(shown.err).not.to.equal('')
      expect(api.doors.calls.names).to.have.length(before)
    })
  }

  it('tell a program of wrong usage in the words alone', async () => {
    const { out } = await run('status', '--loud', '--json')
    const error = { code: 'usage', message: "unknown option '--loud'", details: {} }
    expect(JSON.parse(out)).to.deep.equal({ error })
  })

  it('show no shortened id in their help, because none is taken, and no options but their own and those of all', () => {
    const shown = new Map<string, string>()
    const out = (text: string): void => {
      const last = [...shown.keys()].at(-1) ?? ''
      shown.set(last, `${shown.get(last)}${text}`)
    }
    const terminal = { out, err: out, readInput: () => Promise.resolve(''), interactive: false, environment: {} }
    const left = new AbortController().signal
    const visit = (command: Command, path: string): void => {
      shown.set(path, '')
      command.outputHelp()
      for (const below of command.commands) visit(below, `${path} ${below.name()}`)
    }
    visit(createProgram({ launch: NOTHING_TO_LAUNCH, terminal: { ...terminal, left } }, '0'), 'agentlink')
    expect([...shown].filter(([, text]) => /[0-9a-f]{4,}…/.test(text)).map(([path]) => path)).to.deep.equal([])
    expect(shown.get('agentlink audit verify')).to.contain('--home').and.not.to.contain('--contact')
  })

  it('refuse to write a backup with a passphrase that is soon guessed, before anything is done', async () => {
    const file = join(api.home, 'passphrase')
    writeFileSync(file, 'eleven char\n')
    const shown = await run('backup', '/nowhere/backup', '--passphrase-file', file)
    expect([shown.code, shown.err]).to.deep.equal([2, shown.err])
    expect(shown.err).to.contain('at least 12 characters')
  })

  it('say where to look after wrong usage', async () => {
    const shown = await agentlink(['befriend'])
    expect(shown.err).to.equal("agentlink: unknown command 'befriend'\nAdd --help to see what it takes.")
  })

  it('refuse an empty --home, which a script with an unset variable says, instead of taking the usual one', async () => {
    const shown = await agentlink(['status', '--home', ''])
    expect(shown).to.deep.include({ code: 2, err: 'agentlink: --home is empty; say a directory, or leave it out' })
  })

  it('end with 5 when the home is a file', async () => {
    const launch = { ...NOTHING_TO_LAUNCH, init: () => Promise.reject(notADirectory('/etc/passwd/config.toml')) }
    const shown = await agentlink(['init', '--home', '/etc/passwd'], { launch })
    expect(shown.code).to.equal(5)
    expect(shown.err).to.equal('agentlink: not a directory: /etc/passwd/config.toml; choose another home')
  })

  it('list the capabilities that a rule can be about', async () => {
    const { out } = await agentlink(['grant', 'set', '--help'])
    expect(out).to.include('\n  disclose.availability\n').and.include('\n  disclose.budget\n')
  })

  it('explain themselves with examples', async () => {
    const groups = ['contact', 'approval', 'grant', 'task']
    for (const words of [
      ['init'],
      ['start'],
      ['stop'],
      ['status'],
      ['inbox'],
      ['contact', 'add'],
      ['approval', 'show']
    ]) {
      const shown = await agentlink([...words, '--help'])
      expect(shown.code, words.join(' ')).to.equal(0)
      expect(shown.out, words.join(' ')).to.match(/Examples?:\n {2}agentlink /)
    }
    for (const group of groups) expect((await agentlink([group, '--help'])).out).to.include('Commands:')
    expect((await agentlink(['--help'])).out).to.include('Exit codes:\n  0  done')
  })
})

describe('a command without a node', () => {
  it('ends with 3 when no node runs on the home', async () => {
    const api = await startTestApi()
    const { home } = api
    await api.stop()
    const paths = homePaths(home)
    mkdirSync(paths.home, { recursive: true })
    writeFileSync(paths.config, '')
    writeFileSync(paths.ownerSecret, `${TOKENS.owner}\n`)
    try {
      const list = await agentlink(['contact', 'list', '--home', home])
      expect(list.code).to.equal(3)
      expect(list.err).to.include(`start it with: \`agentlink start --home ${home}\``)
      expect((await agentlink(['stop', '--home', home])).code).to.equal(3)
      const status = await agentlink(['status', '--home', home, '--json'])
      expect(status.code).to.equal(3)
      expect(JSON.parse(status.out)).to.deep.equal({ running: false, home })
    } finally {
      rmSync(home, { recursive: true })
    }
  })

  it('ends with 5 when there is no home', async () => {
    for (const words of [['status'], ['stop'], ['contact', 'list'], ['task', 'list'], ['start', '--background']]) {
      const shown = await agentlink([...words, '--home', '/nowhere/at/all'])
      expect(shown.code, words.join(' ')).to.equal(5)
    }
  })
})
