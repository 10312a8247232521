import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { canonicalText } from '../../src/base/canonical.js'
import type { Json, JsonObject } from '../../src/base/json.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { type Node, type World, DINNER_TYPE, createWorld, dinner, friends, good, refusalOf } from './pair.js'

const QUOTE_FILE = readFileSync('protocols/types/quote.request@1.json', 'utf8')
const QUOTE_HASH = 'd46800320af04abbc9676c97423bd155d625ab83ced83ec5491c0cf7ae11dc62'
const PLAN = { item: 'Oak table', quantity: 3, unit: 'piece' }

/** The quote type with something changed; another definition under the same name and version. */
function changed(more: object): string {
  return canonicalText({ ...(JSON.parse(QUOTE_FILE) as JsonObject), ...more } as Json)
}

async function create(world: World, node: Node, peer: Node, type: string, proposal: JsonObject): Promise<TaskView> {
  const command = { type, participant: peer.agent, proposal }
  const { answer } = good(await world.do(node.flows.agent.createTask(node.agent, command)))
  if (answer.status !== 'sent') throw new Error('it waits for the owner')
  return answer.task
}

async function withQuotes(): Promise<{ world: World; alice: Node; bob: Node }> {
  const stage = await friends()
  const { world } = stage
  for (const node of [stage.alice, stage.bob]) {
    good(await world.do(node.flows.owner.installType({ file: QUOTE_FILE })))
    const grant = { contact: '*', capability: 'disclose.x.purchasing', effect: 'allow' } as const
    good(await world.do(node.flows.owner.setGrant(grant)))
  }
  return stage
}

describe('the task types of a node', () => {
  it('are the built-in ones and what its owner installed, over a restart', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const installed = good(await world.do(alice.flows.owner.installType({ file: QUOTE_FILE, hash: QUOTE_HASH })))
    expect(installed).to.include({
      name: 'quote.request',
      version: 1,
      hash: QUOTE_HASH,
      state: 'active',
      builtin: false
    })
    await alice.stop()
    await alice.start()
    const listed = await world.do(alice.flows.owner.types())
    expect(listed.items.map((type) => `${type.name} ${type.state} ${type.builtin}`)).to.deep.equal([
      'dinner.coordination active false',
      'quote.request active false'
    ])
    expect(listed.items[1]?.customCapabilities).to.deep.equal(['disclose.x.purchasing'])
    const seen = await world.do(alice.flows.agent.taskTypes(alice.agent))
    expect(canonicalText(seen.items[1]?.definition ?? null)).to.equal(QUOTE_FILE)
  })

  it('are installed once, however often the owner says it', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    for (let i = 0; i < 3; i++) good(await world.do(alice.flows.owner.installType({ file: QUOTE_FILE })))
    expect((await world.do(alice.flows.owner.types())).items).to.have.length(2)
    const codes = (await alice.all('audit')).map((bytes) => Buffer.from(bytes).toString())
    expect(codes.filter((entry) => entry.includes('type.installed'))).to.have.length(1)
  })

  const BAD: ReadonlyArray<readonly [string, string, string]> = [
    ['an empty object', '{}', 'bad_request malformed_definition file.format'],
    ['text', 'quote', 'bad_request malformed_json file'],
    ['a line feed at its end', `${QUOTE_FILE}\n`, 'bad_request not_canonical file'],
    ['members out of order', QUOTE_FILE.replace('{"actions"', '{"zz":1,"actions"'), 'bad_request not_canonical file'],
    ['a regular expression', changed({ pattern: '(a+)+$' }), 'bad_request malformed_definition file.pattern'],
    [
      'a wildcard capability',
      QUOTE_FILE.replaceAll('disclose.budget', 'disclose.*'),
      'bad_request malformed_definition file.fields[6].capability'
    ],
    [
      'a prototype key',
      QUOTE_FILE.replace('"version":1', '"version":1,"__proto__":{}'),
      'bad_request malformed_json file'
    ],
    ['a member twice', QUOTE_FILE.replace('"version":1', '"version":1,"version":2'), 'bad_request duplicate_key file'],
    ['more than 32 KiB', changed({ description: 'a'.repeat(33_000) }), 'too_large file']
  ]
  for (const [what, file, expected] of BAD) {
    it(`are not installed from a file with ${what}, and nothing changes`, async () => {
      const world = createWorld()
      const alice = await world.node('alice')
      const refused = refusalOf(await world.do(alice.flows.owner.installType({ file })))
      expect(refused.split(' ').slice(0, -1).join(' ')).to.equal(expected.split(' ').slice(0, -1).join(' '))
      expect(refused.split(' ').at(-1)).to.match(/^file/)
      expect(refusalOf(await world.do(alice.flows.owner.inspectType({ file })))).to.equal(refused)
      expect(await alice.all('types')).to.deep.equal([])
    })
  }

  it('are not installed when the file is not what the owner expects', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const hash = 'ab'.repeat(32)
    const refused = refusalOf(await world.do(alice.flows.owner.installType({ file: QUOTE_FILE, hash })))
    expect(refused).to.equal('bad_request invalid_field hash')
    expect(await alice.all('types')).to.deep.equal([])
  })

  it('show what each field needs before they are installed, and are not stored by it', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const notes = { kind: 'text', label: 'Notes', maxLength: 9, name: 'notes' }
    const file = changed({ fields: [notes] })
    const seen = good(await world.do(alice.flows.owner.inspectType({ file: QUOTE_FILE })))
    expect(seen).to.include({ state: 'unknown', title: 'Request for a quotation' })
    expect(seen.fields.map(({ path, capability }) => `${path} ${capability ?? 'none'}`)).to.include.members([
      'item disclose.x.purchasing',
      'deliverTo.town disclose.x.purchasing',
      'unit none'
    ])
    expect(seen.customCapabilities).to.deep.equal(['disclose.x.purchasing'])
    expect(seen.uncoveredText).to.deep.equal([])
    const options = ['on foot, by bike', 'by "car"']
    const choice = changed({ fields: [{ kind: 'choice', label: 'How', name: 'how', options }] })
    expect(good(await world.do(alice.flows.owner.inspectType({ file: choice }))).fields[0]?.bounds).to.equal(
      'one of: "on foot, by bike", "by \\"car\\""'
    )
    const sly = good(await world.do(alice.flows.owner.inspectType({ file })))
    expect(sly.uncoveredText).to.deep.equal(['notes'])
    expect(await alice.all('types')).to.deep.equal([])
  })

  it('under one name@version stand side by side, and are then named by hash', async () => {
    const { world, alice, bob } = await withQuotes()
    const other = good(await world.do(alice.flows.owner.installType({ file: changed({ title: 'Another quotation' }) })))
    for (const type of ['quote.request', 'quote.request@1']) {
      const command = { type, participant: bob.agent, proposal: PLAN }
      const refused = await world.do(alice.flows.agent.createTask(alice.agent, command))
      expect(refusalOf(refused)).to.equal('conflict type_ambiguous')
      const hashes = refused.ok ? [] : refused.refusal.details['hashes']
      expect(hashes).to.deep.equal([QUOTE_HASH, other.hash].sort())
    }
    expect((await create(world, alice, bob, QUOTE_HASH, PLAN)).type.hash).to.equal(QUOTE_HASH)
    good(await world.do(alice.flows.owner.retireType(other.hash)))
    expect((await create(world, alice, bob, 'quote.request', PLAN)).type.hash).to.equal(QUOTE_HASH)
  })

  it('are unknown by any other word', async () => {
    const { world, alice, bob } = await withQuotes()
    for (const type of [
      'quote',
      'quote.request@2',
      'quote.request@01',
      QUOTE_HASH.toUpperCase(),
      'ab'.repeat(32),
      '__proto__'
    ]) {
      const command = { type, participant: bob.agent, proposal: PLAN }
      const refused = await world.do(alice.flows.agent.createTask(alice.agent, command))
      expect(refusalOf(refused), type).to.equal('bad_request unknown_task_type type')
      expect(refusalOf(await world.do(alice.flows.owner.retireType(type))), type).to.equal('not_found type')
    }
  })

  it('finish their running tasks when they are retired, and start no new ones, over restarts', async () => {
    const { world, alice, bob } = await withQuotes()
    const { taskUid } = await create(world, alice, bob, 'quote.request', PLAN)
    await world.rest()
    for (const node of [alice, bob]) {
      good(await world.do(node.flows.owner.retireType('quote.request@1')))
      expect(refusalOf(await world.do(node.flows.owner.retireType('quote.request@1')))).to.equal(
        'conflict illegal_transition'
      )
      await node.stop()
      await node.start()
    }
    const create2 = { type: QUOTE_HASH, participant: bob.agent, proposal: PLAN }
    const refused = refusalOf(await world.do(alice.flows.agent.createTask(alice.agent, create2)))
    expect(refused).to.equal('bad_request unknown_task_type type')
    const grant = { contact: '*', capability: 'disclose.budget', effect: 'allow' } as const
    good(await world.do(bob.flows.owner.setGrant(grant)))
    const priced = { ...PLAN, unitPrice: '9.50' }
    good(await world.do(bob.flows.agent.propose(bob.agent, taskUid, { proposal: priced })))
    await world.rest()
    const wrong = refusalOf(await world.do(alice.flows.agent.propose(alice.agent, taskUid, { proposal: { item: 1 } })))
    expect(wrong).to.equal('bad_request invalid_field proposal.item')
    const view = good(await world.do(alice.flows.agent.getTask(alice.agent, taskUid)))
    const proposalId = view.proposals.at(-1)?.proposalId ?? ''
    good(await world.do(alice.flows.agent.respond(alice.agent, taskUid, { proposalId, decision: 'accept' })))
    await world.rest()
    expect(good(await world.do(bob.flows.agent.getTask(bob.agent, taskUid))).status).to.equal('agreed')
  })

  it('can be retired though built in, and come back when they are installed anew', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(bob.flows.owner.retireType('dinner.coordination')))
    const { taskUid } = await create(world, alice, bob, 'dinner.coordination', dinner())
    await world.rest()
    const ended = good(await world.do(alice.flows.agent.getTask(alice.agent, taskUid)))
    expect([ended.status, ended.statusReason]).to.deep.equal(['cancelled', 'type_retired'])
    const file = canonicalText(DINNER_TYPE.definition as unknown as Json)
    good(await world.do(bob.flows.owner.installType({ file })))
    const command = { type: 'dinner.coordination', participant: alice.agent, proposal: dinner() }
    expect((await world.do(bob.flows.agent.createTask(bob.agent, command))).ok).to.equal(true)
  })

  it('that made up a capability ask for it, whatever disclose.* allows', async () => {
    const { world, alice, bob } = await friends()
    good(await world.do(alice.flows.owner.installType({ file: QUOTE_FILE })))
    const command = { type: 'quote.request', participant: bob.agent, proposal: PLAN }
    const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    expect(answer.status).to.equal('pending_approval')
  })
})
