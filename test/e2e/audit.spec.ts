import { expect } from 'chai'
import { countPart } from '../../src/flows/keys.js'
import { homePaths } from '../../src/api/home.js'
import { openLevel } from '../../src/store/level.js'
import { placeOf } from '../../src/store/tables.js'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer } from './agentlink.js'
import { Daemon } from './daemon.js'

const RULES = 12

interface Log {
  readonly items: readonly { readonly seq: number; readonly what: string; readonly who: object }[]
  readonly head: { readonly seq: number; readonly hash: string }
}

describe('the audit log of a daemon', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let node: Daemon

  before(async () => {
    node = await Daemon.make(homes.make(), '@alice')
    for (let i = 0; i < RULES; i++) {
      const effect = i % 2 === 0 ? 'allow' : 'deny'
      await node.owner('PUT', 'grants', { contact: '*', capability: 'disclose.budget', effect })
    }
  })
  after(async () => {
    await node.kill()
    homes.clean()
  })

  it('holds whatever was answered when the process is killed, and goes on from there', async () => {
    const rule = { contact: '*', capability: 'disclose.notes', effect: 'ask' }
    const unanswered = node.owner('PUT', 'grants', rule).catch(() => undefined)
    await node.kill()
    await unanswered
    await node.start()
    const before = await answer<Log>(['audit', '--home', node.home])
    expect(before.items.length).to.be.oneOf([RULES, RULES + 1])
    await node.owner('PUT', 'grants', { ...rule, effect: 'deny' })
    const { head } = await answer<{ head: Log['head'] }>(['audit', 'verify', '--home', node.home])
    expect(head.seq).to.equal(before.head.seq + 1)
    const kept = `${before.head.seq}:${before.head.hash}`
    expect(await agentlink(['audit', 'verify', '--head', kept, '--home', node.home])).to.include({ code: 0 })
  })

  it('is readable with the secret of the owner alone, and tells who tried without it', async () => {
    expect((await node.agent('GET', '../owner/audit')).status).to.equal(401)
    const { items } = await answer<Log>(['audit', '--what', 'call', '--home', node.home])
    expect(items.map(({ what, who }) => [what, who])).to.deep.equal([
      ['call.refused', { kind: 'agent', id: node.run.agent }]
    ])
  })

  it('with one flipped bit keeps the node from starting, and says which entry it is', async () => {
    await node.kill('SIGTERM')
    const place = placeOf('audit', countPart(5))
    const disk = await openLevel(homePaths(node.home).state)
    const bytes = disk.getSync(place)
    if (bytes === undefined) throw new Error('there is no entry 5')
    await disk.write([{ key: place, value: Uint8Array.from(bytes, (byte, at) => (at === 40 ? byte ^ 1 : byte)) }])
    await disk.close()
    const { code, err } = await agentlink(['start', '--home', node.home])
    expect([code, err]).to.deep.equal([1, err])
    expect(err).to.include('audit log, entry 5: altered')
    const again = await openLevel(homePaths(node.home).state)
    await again.write([{ key: place, value: bytes }])
    await again.close()
    await node.start()
  })
})
