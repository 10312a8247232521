import { expect } from 'chai'
import type { Json } from '../../src/base/json.js'
import { isoOf } from '../../src/base/time.js'
import { envelopeUid } from '../../src/tasks/envelope/uid.js'
import type { Content, TaskPlace } from '../../src/wire/message.js'
import { open } from '../../src/wire/open.js'
import { EVIDENCE, act, mayDelegate, seen, submitTo } from './delegation.js'
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

/** One sound task of Alice's at a recipient whose every message a test writes. */
async function delegated() {
  const world = createWorld()
  const node = await world.node('alice')
  const puppet = await createPuppet(world, 'mallory')
  const thread = await acquaint(world, node, puppet)
  await mayDelegate(world, node)
  const sender = { node, agent: node.agent }
  await act(world, sender, submitTo('@mallory', 't', { dependsOn: [] }))
  const uid = envelopeUid(node.agent, puppet.agent, 't')
  const submit = (await node.all('sent'))
    .map((bytes) => good(open(bytes, { from: node.agent, to: puppet.agent })))
    .find(({ header }) => header.kind === 'envelope.submit')
  let n = 0
  const says = async (kind: string, body: object) => {
    const place: TaskPlace = { uid, n: ++n, seen: 1, seenId: submit?.id ?? '' }
    thread.say(say(puppet.write(node, { kind, body } as unknown as Content, place)))
    await world.rest()
    return (await seen(world, sender, 't')).state
  }
  return { world, sender, says }
}

const CLAIM = ['envelope.claim', {}] as const
const REJECT = ['envelope.reject', { code: 'busy' }] as const
const result = (more: object = {}) =>
  ['envelope.result', { artifacts: [], evidence: { ...EVIDENCE, ...more } }] as const
const status = (state: string) =>
  ['envelope.status', state === 'working' ? { state } : { state, code: 'blocked' }] as const

describe('a sender whose recipient writes what it may not', () => {
  type Said = readonly [string, object]
  const all: readonly Said[] = [
    CLAIM,
    REJECT,
    result(),
    ...['working', 'input_required', 'auth_required', 'failed'].map(status)
  ]
  /** How the recipient brings a task to a state, and the edges from there: kind or state of what moves it, and where to. */
  const edges: ReadonlyArray<readonly [string, readonly Said[], Readonly<Record<string, string>>]> = [
    ['submitted', [], { claim: 'working', reject: 'rejected', failed: 'failed' }],
    [
      'working',
      [CLAIM],
      {
        result: 'completed',
        input_required: 'input_required',
        auth_required: 'auth_required',
        failed: 'failed'
      }
    ],
    ['input_required', [CLAIM, status('input_required')], { working: 'working', failed: 'failed' }],
    ['auth_required', [CLAIM, status('auth_required')], { working: 'working', failed: 'failed' }],
    ['completed', [CLAIM, result()], {}],
    ['failed', [CLAIM, status('failed')], {}],
    ['rejected', [REJECT], {}]
  ]
  for (const [from, way, permitted] of edges) {
    it(`leaves ${from} along no edge but ${Object.values(permitted).join(', ') || 'none'}`, async () => {
      for (const move of all) {
        const at = await delegated()
        let state = 'submitted'
        for (const [kind, body] of way) state = await at.says(kind, body)
        expect(state).to.equal(from)
        const [kind, body] = move
        const name = kind === 'envelope.status' ? (body as { state: string }).state : kind.slice('envelope.'.length)
        expect(await at.says(kind, body), name).to.equal(permitted[name] ?? from)
      }
    })
  }

  it('is not completed by evidence that another command ran, failed, or left the end-to-end step open', async () => {
    for (const lack of [{ command: 'true' }, { exitStatus: 1 }, { endToEnd: { passed: false } }]) {
      const at = await delegated()
      await at.says(...CLAIM)
      expect(await at.says(...result(lack))).to.equal('working')
      expect((await seen(at.world, at.sender, 't')).proof).to.equal('none')
    }
  })

  it('takes no message that is the sender’s own for one', async () => {
    for (const [kind, body] of [
      ['envelope.cancel', { code: 'other' }],
      ['envelope.resolve', { taskId: 'x', outcome: 'completed' }],
      ['envelope.answer', { of: 'a'.repeat(64), text: 'x' }],
      ['envelope.verdict', { of: 'a'.repeat(64), passed: true, freshContext: true, verdictSource: 'script' }]
    ] as const) {
      const at = await delegated()
      expect(await at.says(kind, body), kind).to.equal('submitted')
      expect(await at.says(...CLAIM)).to.equal('working')
    }
  })
})
