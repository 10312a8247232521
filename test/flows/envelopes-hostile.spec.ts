import { expect } from 'chai'
import type { Json } from '../../src/base/json.js'
import { isoOf } from '../../src/base/time.js'
import { envelopeUid } from '../../src/tasks/envelope/uid.js'
import type { Content, TaskPlace } from '../../src/wire/message.js'
import { open } from '../../src/wire/open.js'
import { createWorld, good } from './pair.js'
import { acquaint, createPuppet, firstPlace, say } from './puppet.js'

const CONTRACT = {
  objective: 'Make the test pass',
  outputFormat: 'A changed file',
  toolAndSourceGuidance: 'Only the folder',
  boundaries: 'Touch nothing else',
  filesAndInterfaces: ['src'],
  acceptanceCheck: { passFailCommand: 'node test.js', endToEndVerification: 'Run it' },
  contextID: 'repo'
}

async function stage() {
  const world = createWorld()
  const node = await world.node('alice')
  const puppet = await createPuppet(world, 'mallory')
  const thread = await acquaint(world, node, puppet)
  const uid = (taskId: string) => envelopeUid(puppet.agent, node.agent, taskId)
  const submit = async (taskId: string, more: object = {}, body: object = {}, place?: TaskPlace) => {
    const contract = { ...CONTRACT, ...more }
    const whole = { taskId, contract, expiresAt: isoOf(world.clock.now() + 3_600_000), ...body }
    const content = { kind: 'envelope.submit', body: whole } as Content
    thread.say(say(puppet.write(node, content, place ?? firstPlace(uid(taskId)))))
    await world.rest()
  }
  const rejects = async () =>
    (await node.all('sent')).flatMap((bytes) => {
      const { content } = good(open(bytes, { from: node.agent, to: puppet.agent }))
      return content?.kind === 'envelope.reject' ? [content.body as unknown as Json] : []
    })
  const listed = async () => good(await world.do(node.flows.agent.listEnvelopes(node.agent, { limit: 9 }))).items
  return { world, node, puppet, thread, submit, rejects, listed, uid }
}

describe('a node to which a hostile one delegates', () => {
  const rows: ReadonlyArray<readonly [string, object, object, string]> = [
    ['a glob', { filesAndInterfaces: ['src/*'] }, {}, 'invalid_contract'],
    ['a path that leads out', { filesAndInterfaces: ['../home'] }, {}, 'invalid_contract'],
    ['white space for a text', { objective: '  ' }, {}, 'invalid_contract'],
    ['a task that depends on itself', { dependsOn: ['t'] }, {}, 'self_dependency'],
    ['a dependency twice', { dependsOn: ['a', 'a'] }, {}, 'duplicate_dependency'],
    ['a time that is over', {}, { expiresAt: '2001-01-01T00:00:00.000Z' }, 'expired'],
    ['a time beyond all measure', {}, { expiresAt: '2099-01-01T00:00:00.000Z' }, 'invalid_contract']
  ]
  for (const [name, more, body, code] of rows) {
    it(`rejects ${name} with ${code} in the receiving commit, and tells its agent nothing`, async () => {
      const at = await stage()
      await at.submit('t', more, body)
      expect(await at.rejects()).to.deep.equal([{ code }])
      expect(await at.listed()).to.deep.equal([])
      expect(await at.node.all('owned')).to.deep.equal([])
    })
  }

  it('rejects an id under a uid that is not its own, and a cycle over two tasks', async () => {
    const at = await stage()
    await at.submit('x', {}, {}, firstPlace(at.uid('y')))
    await at.submit('a', { filesAndInterfaces: ['a'], dependsOn: ['b'] })
    await at.submit('b', { filesAndInterfaces: ['b'], dependsOn: ['a'] })
    expect(await at.rejects()).to.deep.equal([{ code: 'invalid_contract' }, { code: 'dependency_cycle' }])
  })

  it('gives no effect to steps that only its own agent may take', async () => {
    const at = await stage()
    await at.submit('t')
    const claim = { kind: 'envelope.claim', body: {} } as Content
    at.thread.say(say(at.puppet.write(at.node, claim, { uid: at.uid('t'), n: 2, seen: 0, seenId: '' })))
    await at.world.rest()
    expect((await at.listed()).map((one) => one.state)).to.deep.equal(['submitted'])
  })
})
