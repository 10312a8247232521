import { expect } from 'chai'
import { homePaths } from '../../src/api/home.js'
import { openStream } from '../api/stream-reader.js'
import { temporaryHomes } from '../support/homes.js'
import { until } from './agentlink.js'
import { Daemon } from './daemon.js'

interface Refused {
  readonly error: { readonly code: string; readonly details: { readonly code: string; readonly retryAfter?: number } }
}

describe('the limits of a real node', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let node: Daemon
  before(async () => {
    node = await Daemon.make(homes.make(), '@alice', [
      '[api]',
      'calls_per_second = 20',
      'calls_at_once = 30',
      'waits = 2'
    ])
  })
  after(async () => {
    await node?.kill('SIGTERM')
    homes.clean()
  })

  it('slow an agent in a tight loop, who gets on when it waits as long as it is told; its owner never notices', async () => {
    const began = performance.now()
    let taken = 0
    let told: Refused['error'] | undefined
    while (told === undefined || performance.now() - began < 2000) {
      const { status, body } = await node.agent<Refused>('GET', 'counters')
      if (status === 200) taken++
      else told = body.error
    }
    const seconds = (performance.now() - began) / 1000
    expect(taken).to.be.within(30, 30 + 20 * seconds + 1)
    expect(told).to.deep.include({ code: 'rate_limited', details: { code: 'too_many_calls', retryAfter: 1 } })
    expect((await node.owner('GET', 'status')).status).to.equal(200)
    await new Promise((resolve) => setTimeout(resolve, 1000 * (told.details.retryAfter ?? 0)))
    expect((await node.agent('GET', 'counters')).status).to.equal(200)
  })

  it('count streams and long polls of a token together, and take a new one when one has ended', async () => {
    await until(
      () => node.agent('GET', 'counters'),
      ({ status }) => status === 200
    )
    const open = () => openStream({ socketPath: homePaths(node.home).agent('default').socket }, node.token)
    const streams = [await open(), await open()]
    const poll = await node.agent<Refused>('GET', 'inbox?wait=1')
    expect([poll.status, poll.body.error.details.code]).to.deep.equal([429, 'too_many_waits'])
    expect((await open()).status).to.equal(429)
    expect((await node.agent('GET', 'inbox')).status).to.equal(200)
    streams[0]?.drop()
    await until(
      () => node.agent('GET', 'inbox?wait=1'),
      ({ status }) => status === 200
    )
    streams[1]?.drop()
  })
})
