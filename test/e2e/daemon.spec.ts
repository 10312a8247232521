import { expect } from 'chai'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { homePaths, type RunFile } from '../../src/api/home.js'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, endAll, type Foreground, foreground, until } from './agentlink.js'

const LOOPBACK = ['--listen', '/ip4/127.0.0.1/tcp/0']
const PLAN = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', cuisine: 'Italian', partySize: 2 }

interface Contacts {
  readonly items: readonly { readonly handle: string; readonly status: string }[]
}
interface Task {
  readonly task: { readonly taskUid: string; readonly delivery: { readonly state: string } }
}

function runFileOf(home: string): RunFile {
  return JSON.parse(readFileSync(homePaths(home).runFile, 'utf8')) as RunFile
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8)
}

/** A call of the agent, over the URL of run.json and with its token, as the seed's curl commands make it. */
async function call<T>(
  home: string,
  method: string,
  path: string,
  body?: object
): Promise<{ status: number; body: T }> {
  const token = readFileSync(homePaths(home).agent('default').token, 'utf8').trim()
  const response = await fetch(`${runFileOf(home).url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: (await response.json()) as T }
}

describe('a daemon', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  const home = homes.make()
  const paths = homePaths(home)
  let node: Foreground

  before(async () => {
    await answer(['init', '--home', home, '--handle', '@alice'])
    node = await foreground(['start', '--home', home, ...LOOPBACK])
  })
  after(async () => {
    await endAll()
    homes.clean()
  })

  it('says in one line that it is ready, and where', () => {
    const { agent, socket, url } = runFileOf(home)
    expect(node.firstLine).to.equal(`ready: @alice ${agent}; API at ${socket}, ${url}; process ${node.pid}`)
  })

  it('writes down how to reach it, for its user alone', () => {
    const run = runFileOf(home)
    expect(run).to.have.all.keys('pid', 'socket', 'url', 'agent', 'peerId', 'addrs')
    expect(run.pid).to.equal(node.pid)
    expect(run.socket).to.equal(paths.apiSocket)
    expect(run.addrs[0]).to.match(/^\/ip4\/127\.0\.0\.1\/tcp\/[1-9]\d*\/p2p\/12D3KooW/)
    for (const path of [paths.runFile, paths.apiSocket, paths.agent('default').socket])
      expect(modeOf(path), path).to.equal('600')
    for (const path of [home, paths.state, paths.agent('default').directory]) expect(modeOf(path), path).to.equal('700')
  })

  it('tells the owner how it is', async () => {
    const status = await answer<Record<string, unknown>>(['status', '--home', home])
    expect(status).to.deep.include({ running: true, pid: node.pid, undelivered: 0, approvalsPending: 0 })
  })

  it('does not let a second one onto its home', async () => {
    const lock = statSync(`${paths.state}/LOCK`)
    for (const words of [['start'], ['start', '--background']]) {
      const second = await agentlink([...words, '--home', home, ...LOOPBACK])
      expect(second.code).to.equal(4)
      expect(second.err).to.include('already running')
    }
    expect(statSync(`${paths.state}/LOCK`)).to.deep.include({ ino: lock.ino, mtimeMs: lock.mtimeMs })
    expect((await agentlink(['status', '--home', home])).code).to.equal(0)
  })

  it('is not hindered by what a killed one left', async () => {
    node.kill('SIGKILL')
    await node.ended
    expect(lstatSync(paths.apiSocket).isSocket()).to.equal(true)
    expect((await agentlink(['status', '--home', home])).code).to.equal(3)
    // Two at the same moment: the store's lock decides, whatever either saw before.
    const start = ['start', '--home', home, ...LOOPBACK]
    const both = await Promise.allSettled([foreground(start), foreground(start)])
    const [won] = both.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const [lost] = both.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
    if (won === undefined) throw new Error(`neither started: ${lost}`)
    expect(lost).to.include('it ended with 4')
    node = won
    expect(runFileOf(home).pid).to.equal(node.pid)
  })

  it('does not start where another program listens', async () => {
    const other = homes.make()
    await answer(['init', '--home', other, '--handle', '@carol'])
    const taken = runFileOf(home).addrs[0]?.replace(/\/p2p\/.*$/, '') ?? ''
    const second = await agentlink(['start', '--home', other, '--listen', taken])
    expect(second.code).to.equal(1)
    expect(second.err).to.match(
      /^agentlink: can't listen on \S+: EADDRINUSE: [^\n]+; say another place with --listen[^\n]+\n$/
    )
    expect((await agentlink(['status', '--home', other])).code).to.equal(3)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`stops cleanly on ${signal}, and leaves no trace of running`, async () => {
      node.kill(signal)
      expect((await node.ended).code).to.equal(0)
      for (const path of [paths.runFile, paths.apiSocket, paths.agent('default').socket]) {
        expect(lstatSync(path, { throwIfNoEntry: false }), path).to.equal(undefined)
      }
      node = await foreground(['start', '--home', home, ...LOOPBACK, '--json'])
      expect(JSON.parse(node.firstLine)).to.include({ pid: node.pid, handle: '@alice' })
    })
  }

  it('keeps secrets out of what it says', async () => {
    node.kill('SIGTERM')
    const { out, err } = await node.ended
    for (const file of [paths.ownerSecret, paths.agent('default').token, paths.nodeKey]) {
      expect(out + err).not.to.include(readFileSync(file, 'utf8').trim().split(' ').at(-1))
    }
  })
})

describe('two daemons', function () {
  this.timeout(90_000)
  const homes = temporaryHomes()
  const [alice, bob] = [homes.make(), homes.make()]

  before(async () => {
    await answer(['init', '--home', alice, '--handle', '@alice'])
    await answer(['init', '--home', bob, '--handle', '@bob'])
    for (const home of [alice, bob]) {
      const ready = await answer<RunFile>(['start', '--home', home, '--background', ...LOOPBACK])
      expect(ready.pid).to.equal(runFileOf(home).pid)
    }
  })
  after(async () => {
    for (const home of [alice, bob]) await agentlink(['stop', '--home', home])
    await endAll()
    homes.clean()
  })

  function contactsOf(home: string): Promise<Contacts> {
    return answer<Contacts>(['contact', 'list', '--home', home])
  }

  function isActive({ items }: Contacts): boolean {
    return items.length === 1 && items[0]?.status === 'active'
  }

  it('become contacts by a link with its one-time secret on stdin', async () => {
    const shown = await agentlink(['contact', 'invite', '--home', alice])
    const added = await agentlink(['contact', 'add', '-', '--home', bob], shown.out)
    expect(added.code, added.err).to.equal(0)
    expect(added.out).to.include(`agentlink contact list --home ${bob}`)
    expect((await until(() => contactsOf(alice), isActive)).items[0]?.handle).to.equal('@bob')
    expect((await until(() => contactsOf(bob), isActive)).items[0]?.handle).to.equal('@alice')
  })

  it('do not let the link work twice', async () => {
    const { link } = await answer<{ link: string }>(['contact', 'invite', '--home', alice])
    const again = await agentlink(['contact', 'add', link, '--home', bob, '--json'])
    expect(again.code).to.equal(1)
    expect(JSON.parse(again.out)).to.have.nested.property('error.details.code', 'contact_exists')
  })

  let taskUid = ''

  it('hold a disclosure back until the owner approves', async () => {
    const asked = await call<{ status: string; approvalId: string; taskUid: string }>(
      alice,
      'POST',
      '/v1/agent/tasks',
      {
        type: 'dinner.coordination',
        participant: '@bob',
        proposal: PLAN
      }
    )
    expect(asked.status).to.equal(202)
    taskUid = asked.body.taskUid
    expect((await call(alice, 'GET', `/v1/agent/tasks/${taskUid}`)).status).to.equal(404)
    const shown = await agentlink(['approval', 'show', asked.body.approvalId, '--home', alice])
    expect(shown.out).to.include('"America/Toronto"').and.to.include('disclose.availability')
    const yes = await agentlink(['approval', 'approve', asked.body.approvalId, '--scope', 'contact', '--home', alice])
    expect(yes.out).to.match(/^Approved and sent\.\nFrom now on disclose\.availability is allowed with @bob\./)
    const task = await until(
      () => answer<Task>(['task', 'show', taskUid, '--home', alice]),
      ({ task }) => task.delivery.state === 'delivered'
    )
    expect(task.task.taskUid).to.equal(taskUid)
  })

  it('lose nothing when one is killed and the other writes meanwhile', async () => {
    process.kill(runFileOf(alice).pid, 'SIGKILL')
    await answer([
      'grant',
      'set',
      '--home',
      bob,
      '--contact',
      '@alice',
      '--capability',
      'disclose.*',
      '--effect',
      'allow'
    ])
    const counter = { proposal: { ...PLAN, time: '19:45', venue: { name: 'Trattoria Nonna' } } }
    const written = await call<Task>(bob, 'POST', `/v1/agent/tasks/${taskUid}/proposals`, counter)
    expect([written.status, written.body.task.delivery.state]).to.deep.equal([200, 'queued'])
    await answer([
      'start',
      '--home',
      alice,
      '--background',
      '--listen',
      runFileOf(alice).addrs[0]?.replace(/\/p2p\/.*$/, '') ?? ''
    ])
    const held = await until(
      () => agentlink(['task', 'show', taskUid, '--home', alice]),
      ({ out }) => out.includes('Version 2 by the other side, pending')
    )
    expect(held.out)
      .to.match(/\+ time +"19:45"/)
      .and.to.include('+ venue.name')
  })

  it('are looked at by the doctor while they run', async () => {
    const { healthy, findings } = await answer<{
      healthy: boolean
      findings: { check: string; state: string; found: string }[]
    }>(['doctor', '--home', alice])
    expect([healthy, findings.map(({ check }) => check)]).to.deep.equal([
      true,
      ['program', 'home', 'settings', 'keys', 'disk', 'node', 'ports', 'contacts', 'store', 'clock', 'chain']
    ])
    expect(findings.find(({ check }) => check === 'store')?.found).to.match(
      /whole when it started; .* \d+ entries holds/
    )
  })

  it('stop on the word of the owner, and wait until they are gone', async () => {
    const { pid } = runFileOf(bob)
    expect(await answer(['stop', '--home', bob])).to.deep.equal({ stopped: true, pid })
    expect((await agentlink(['stop', '--home', bob])).code).to.equal(3)
    expect(modeOf(homePaths(bob).log)).to.equal('600')
  })

  it('say why they did not start in the background', async () => {
    const failed = await agentlink([
      'start',
      '--home',
      bob,
      '--background',
      '--listen',
      '/ip4/127.0.0.1/tcp/1/nonsense'
    ])
    expect(failed.code).to.equal(2)
    expect(failed.err).to.include('net.listen')
  })
})
