import { expect } from 'chai'
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs'
import { homePaths } from '../../src/api/home.js'
import { createClient } from '../../src/api/client.js'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, until } from './agentlink.js'
import { Daemon } from './daemon.js'

interface Made {
  readonly agent: { readonly agent: string; readonly name: string; readonly handle: string }
  readonly token: string
  readonly socket: string
}

/** What the counters answer at a socket with a token: their status, 0 when nobody answers. */
async function counters(socketPath: string, token: string): Promise<number> {
  const client = createClient({ socketPath, token })
  try {
    return (await client.call('counters.read')).status
  } finally {
    client.close()
  }
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8)
}

describe('the agents of a daemon', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let node: Daemon
  let eve: Made
  const run = (...words: string[]) => agentlink([...words, '--home', node.home])
  const tokenOf = (made: Made): string => readFileSync(made.token, 'utf8').trim()

  before(async () => {
    node = await Daemon.make(homes.make(), '@alice')
    eve = await answer<Made>(['agent', 'add', 'eve', '--handle', '@eve', '--home', node.home])
  })
  after(async () => {
    await node.kill()
    homes.clean()
  })

  it('get a private key, token and socket that answers at once, to that agent alone', async () => {
    const paths = homePaths(node.home)
    const own = paths.agent('eve')
    expect([own.key, own.token, own.socket].map(modeOf)).to.deep.equal(['600', '600', '600'])
    expect(modeOf(own.directory)).to.equal('700')
    expect(await counters(eve.socket, tokenOf(eve))).to.equal(200)
    expect(await counters(paths.apiSocket, tokenOf(eve))).to.equal(200)
    expect(await counters(eve.socket, node.token)).to.equal(401)
    expect(await counters(paths.agent('default').socket, tokenOf(eve))).to.equal(401)
  })

  it('are listed, and adding one again changes nothing', async () => {
    expect((await run('agent', 'list')).out).to.include('@eve')
    expect(await answer<Made>(['agent', 'add', 'eve', '--home', node.home])).to.deep.equal(eve)
    expect(await run('agent', 'add', 'eve', '--handle', '@other')).to.include({ code: 1 })
    expect(await run('agent', 'add', '../eve')).to.include({ code: 1 })
  })

  it('make a dinner with each other through the links of their owner', async () => {
    const { link } = await answer<{ link: string }>(['contact', 'invite', '--agent', 'eve', '--home', node.home])
    await answer(['contact', 'add', link, '--agent', 'default', '--home', node.home])
    await node.owner('PUT', 'grants', { agent: 'default', contact: '*', capability: 'disclose.*', effect: 'allow' })
    const proposal = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', partySize: 2 }
    const body = { type: 'dinner.coordination', participant: '@eve', proposal }
    await until(
      () => node.agent('POST', 'tasks', body),
      ({ status }) => status === 201
    )
    const client = createClient({ socketPath: eve.socket, token: tokenOf(eve) })
    const inbox = await client.call('inbox.read', { query: { wait: 10, after: 1 } })
    client.close()
    expect(inbox.ok && inbox.body.items.map(({ kind }) => kind)).to.deep.equal(['task.invite'])
  })

  it('are the same after the process was killed', async () => {
    await node.kill()
    await node.start()
    expect((await run('agent', 'list')).out).to.include('@eve')
    expect(await counters(eve.socket, tokenOf(eve))).to.equal(200)
  })

  it('lose a rotated token at once, and what waited under it ends', async () => {
    const old = tokenOf(eve)
    const client = createClient({ socketPath: eve.socket, token: old })
    const waiting = client.call('inbox.read', { query: { wait: 60, after: 2 } })
    await answer(['agent', 'rotate-token', 'eve', '--home', node.home])
    await waiting
    client.close()
    expect(await counters(eve.socket, old)).to.equal(401)
    expect(tokenOf(eve)).not.to.equal(old)
    expect(await counters(eve.socket, tokenOf(eve))).to.equal(200)
  })

  it('are gone at once when they are revoked, and stay gone', async () => {
    const paths = homePaths(node.home)
    const [token, open] = [tokenOf(eve), createClient({ socketPath: eve.socket, token: tokenOf(eve) })]
    const waiting = open.call('inbox.read', { query: { wait: 60, after: 2 } })
    expect(await run('agent', 'revoke', 'default', '--yes')).to.include({ code: 1 })
    await answer(['agent', 'revoke', 'eve', '--yes', '--home', node.home])
    await waiting
    open.close()
    for (let life = 0; life < 2; life++) {
      expect(await counters(eve.socket, token)).to.equal(0)
      expect(await counters(paths.apiSocket, token)).to.equal(401)
      expect((await run('agent', 'list')).out).not.to.include('@eve')
      await node.kill()
      await node.start()
    }
    expect(existsSync(eve.token)).to.equal(false)
    expect(readdirSync(paths.agentKeys).filter((file) => /^eve\.key\.revoked-/.test(file))).to.have.length(1)
  })

  it('may take the name of one that was revoked, as another', async () => {
    const again = await answer<Made>(['agent', 'add', 'eve', '--home', node.home])
    expect(again.agent.agent).not.to.equal(eve.agent.agent)
    expect(await counters(again.socket, tokenOf(again))).to.equal(200)
    const log = await answer<{ items: { what: string }[] }>(['audit', '--what', 'agent', '--home', node.home])
    expect(log.items.map(({ what }) => what)).to.deep.equal([
      'agent.added',
      'agent.revoked',
      'agent.added',
      'agent.added'
    ])
    const shown = (await run('audit', '--what', 'agent')).out
    for (const whose of ['@eve', '@alice (yours)', `${again.agent.handle} (yours)`]) expect(shown).to.include(whose)
  })
})
