import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, until } from './agentlink.js'
import { befriend, Daemon } from './daemon.js'

const PLAN = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', cuisine: 'Italian', partySize: 2 }

interface Task {
  readonly taskUid: string
  readonly delivery: { readonly state: string }
}

describe('a transcript from a running node', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  const empty = mkdtempSync(join(tmpdir(), 'agentlink-empty-'))
  const file = join(empty, 'dinner.transcript.json')
  let alice: Daemon
  let bob: Daemon
  let uid: string

  before(async () => {
    alice = await Daemon.make(homes.make(), '@alice')
    bob = await Daemon.make(homes.make(), '@bob')
    await befriend(alice, bob)
    const body = { type: 'dinner.coordination', participant: bob.run.agent, proposal: PLAN }
    uid = (await alice.agent<{ task: Task }>('POST', 'tasks', body)).body.task.taskUid
    await until(
      () => alice.agent<{ task: Task }>('GET', `tasks/${uid}`),
      (read) => read.body.task.delivery.state === 'delivered'
    )
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
    rmSync(empty, { recursive: true, force: true })
  })

  it('is written to a new file, and to one that exists only by force', async () => {
    const words = ['transcript', 'export', uid, '--out', file, '--home', alice.home]
    expect((await agentlink(words)).code).to.equal(0)
    const again = await agentlink(words)
    expect([again.code, again.err]).to.satisfy(([code, err]: [number, string]) => code === 2 && err.includes('--force'))
    expect((await agentlink([...words, '--force'])).code).to.equal(0)
  })

  it('holds where there is no home and no node', async () => {
    const nowhere = ['--home', join(empty, 'no-home')]
    const report = await answer<{ status: string; messages: unknown[] }>(['transcript', 'verify', file, ...nowhere])
    expect([report.status, report.messages.length]).to.deep.equal(['open', 1])
    const late = ['transcript', 'verify', file, '--at', '2030-01-01T00:00:00.000Z', ...nowhere]
    expect((await answer<{ status: string }>(late)).status).to.equal('expired')
    expect((await agentlink(['transcript', 'show', file, ...nowhere])).out).to.include('task.invite')
  })

  it('is the same bytes as a plain request gets', async () => {
    const response = await fetch(`${alice.run.url}/v1/agent/tasks/${uid}/transcript`, {
      headers: { authorization: `Bearer ${alice.token}` }
    })
    const raw = join(empty, 'raw.json')
    writeFileSync(raw, Buffer.from(await response.arrayBuffer()))
    expect((await agentlink(['transcript', 'verify', raw])).code).to.equal(0)
  })

  it('is refused after a change, with the place of it', async () => {
    const bent = join(empty, 'bent.json')
    writeFileSync(bent, readFileSync(file, 'utf8').replace('"exportedBy":"inviter"', '"exportedBy":"invitee"'))
    const refused = await agentlink(['transcript', 'verify', bent])
    expect(refused.code).to.equal(1)
    expect(refused.err).to.match(/does not hold: .*byte \d+/)
    writeFileSync(bent, 'a shopping list')
    expect((await agentlink(['transcript', 'verify', bent])).err).to.match(/^agentlink: not a transcript: /)
    expect((await agentlink(['transcript', 'verify', join(empty, 'none.json')])).code).to.equal(2)
    expect((await agentlink(['transcript', 'verify', file, '--at', 'tomorrow'])).code).to.equal(2)
  })
})
