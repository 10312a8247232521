import { expect } from 'chai'
import { readEntry } from '../../src/policy/audit.js'
import type { PresetView } from '../../src/flows/views/contacts.js'
import { type Node, type World, befriend, createWorld, dinner, good, refusalOf } from './pair.js'

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

async function stage(): Promise<Stage> {
  const world = createWorld()
  const alice = await world.node('alice', { agents: ['eve'] })
  const bob = await world.node('bob')
  await befriend(world, alice, bob)
  return { world, alice, bob }
}

function look({ world, alice }: Stage, preset: string, agent = 'default'): Promise<PresetView> {
  return world.do(alice.flows.owner.preset({ preset, agent })).then(good)
}

function apply({ world, alice }: Stage, options: { preset: string; digest: string; agent?: string }) {
  return world.do(alice.flows.owner.applyPreset(options))
}

async function put(at: Stage, preset: string, agent = 'default'): Promise<PresetView> {
  const { digest } = await look(at, preset, agent)
  return good(await apply(at, { preset, digest, agent }))
}

function rule({ world, alice }: Stage, contact: string, capability: string, effect: 'allow' | 'ask' | 'deny') {
  return world.do(alice.flows.owner.setGrant({ contact, capability, effect })).then(good)
}

async function rules({ world, alice }: Stage, agent = 'default'): Promise<string[]> {
  const { items } = good(await world.do(alice.flows.owner.grants({ agent })))
  return items.map(({ contact, capability, effect }) => `${contact === '*' ? '*' : '@'} ${capability} ${effect}`)
}

async function log({ alice }: Stage, from = 0): Promise<string[]> {
  const entries = (await alice.all('audit')).flatMap((bytes) => readEntry(bytes) ?? []).slice(from)
  return entries.map(({ who, what, about }) =>
    [who.kind, what, about.preset, about.capability, about.was, about.effect].filter((part) => part).join(' ')
  )
}

async function ask({ world, alice }: Stage, more = {}): Promise<string> {
  const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner(more) }
  const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
  return answer.status === 'sent' ? 'sent' : answer.approvalId
}

describe('a preset that is looked at', () => {
  it('shows what each capability is and becomes, what goes and what stays, and changes nothing', async () => {
    const at = await stage()
    await rule(at, '*', 'disclose.x.parking', 'allow')
    await rule(at, '@bob', 'disclose.budget', 'allow')
    const before = [await rules(at), (await log(at)).length]
    const view = await look(at, 'private')
    expect([await rules(at), (await log(at)).length]).to.deep.equal(before)
    expect(view.removes).to.deep.equal([{ contact: '*', capability: 'disclose.x.parking', effect: 'allow' }])
    expect(view.keeps).to.deep.equal([{ contact: at.bob.agent, capability: 'disclose.budget', effect: 'allow' }])
    const found = (name: string) => view.capabilities.find(({ capability }) => capability === name)
    expect(found('disclose.budget')).to.deep.equal({ capability: 'disclose.budget', now: 'ask', becomes: 'deny' })
    expect(found('disclose.x.parking')).to.deep.include({ now: 'allow', becomes: 'deny' })
    expect(found('disclose.availability')).to.deep.include({ now: 'ask', becomes: 'ask' })
    expect(found('disclose.*')).to.equal(undefined)
  })

  it('says for each capability what then is so', async () => {
    const at = await stage()
    await rule(at, '*', 'disclose.dietary', 'deny')
    for (const preset of ['open', 'balanced', 'private']) {
      const { capabilities } = await put(at, preset)
      const { items } = good(await at.world.do(at.alice.flows.agent.capabilities(at.alice.agent)))
      const effects = new Map(items.map(({ capability, effect }) => [capability, effect]))
      for (const { capability, becomes } of capabilities) {
        if (effects.has(capability)) expect(effects.get(capability), capability).to.equal(becomes)
      }
    }
  })
})

describe('a preset that is applied', () => {
  it('replaces every rule for all contacts, keeps those for one, and is told rule by rule', async () => {
    const at = await stage()
    await rule(at, '*', 'disclose.availability', 'deny')
    await rule(at, '*', 'disclose.x.parking', 'allow')
    await rule(at, '@bob', 'disclose.notes', 'deny')
    const from = (await log(at)).length
    await put(at, 'balanced')
    expect(await rules(at)).to.deep.equal([
      '@ disclose.notes deny',
      '* disclose.availability allow',
      '* disclose.preferences allow'
    ])
    expect(await log(at, from)).to.deep.equal([
      'owner preset.applied balanced',
      'owner grant.deleted disclose.x.parking allow',
      'owner grant.set disclose.availability deny allow',
      'owner grant.set disclose.preferences allow'
    ])
  })

  it('is of one agent alone', async () => {
    const at = await stage()
    await put(at, 'open', 'eve')
    expect(await rules(at)).to.deep.equal([])
    expect(await rules(at, 'eve')).to.include('* disclose.* allow')
  })

  it('acts at once on what waits: a deny drops the question, an allow executes nothing', async () => {
    const at = await stage()
    const [plain, secret] = [await ask(at), await ask(at, { dietaryNotes: ['vegan'] })]
    await put(at, 'private')
    const status = async (id: string) =>
      good(await at.world.do(at.alice.flows.agent.approval(at.alice.agent, id))).status
    expect([await status(plain), await status(secret)]).to.deep.equal(['pending', 'stale'])
    await put(at, 'open')
    expect([await status(plain), await status(secret)]).to.deep.equal(['pending', 'stale'])
    expect(await ask(at)).to.equal('sent')
    expect(await status(plain)).to.equal('stale')
  })

  it('holds after a crash, with its entries', async () => {
    const at = await stage()
    await put(at, 'private')
    const before = [await rules(at), await log(at)]
    at.alice.crash()
    await at.alice.start()
    expect([await rules(at), await log(at)]).to.deep.equal(before)
  })
})

describe('a preset that is not what was shown', () => {
  const changes: ReadonlyArray<[string, (at: Stage) => Promise<unknown>]> = [
    ['a rule for all was set', (at) => rule(at, '*', 'disclose.budget', 'allow')],
    ['a rule for one was set', (at) => rule(at, '@bob', 'disclose.budget', 'allow')],
    ['another preset was applied', (at) => put(at, 'private')],
    [
      'a yes made a rule',
      async (at) => {
        const id = await ask(at)
        good(await at.world.do(at.alice.flows.owner.answerApproval(id, { decision: 'approve', scope: 'contact' })))
      }
    ]
  ]
  for (const [why, change] of changes) {
    it(`is refused and changes nothing: ${why}`, async () => {
      const at = await stage()
      const { digest } = await look(at, 'open')
      await change(at)
      const before = [await rules(at), await log(at)]
      expect(refusalOf(await apply(at, { preset: 'open', digest }))).to.equal('conflict preset_stale digest')
      expect([await rules(at), await log(at)]).to.deep.equal(before)
    })
  }

  it('is refused under the digest of another preset or agent', async () => {
    const at = await stage()
    const [open, eve] = [await look(at, 'open'), await look(at, 'open', 'eve')]
    for (const options of [
      { preset: 'balanced', digest: open.digest },
      { preset: 'open', digest: eve.digest },
      { preset: 'open', digest: '' }
    ]) {
      expect(refusalOf(await apply(at, options))).to.equal('conflict preset_stale digest')
    }
    expect(await rules(at)).to.deep.equal([])
  })

  it('counts a rule that came and went as nothing', async () => {
    const at = await stage()
    const { digest } = await look(at, 'open')
    await rule(at, '*', 'disclose.budget', 'allow')
    good(await at.world.do(at.alice.flows.owner.deleteGrant({ contact: '*', capability: 'disclose.budget' })))
    good(await apply(at, { preset: 'open', digest }))
  })

  it('is refused by name when there is no such preset or agent', async () => {
    const at = await stage()
    const { digest } = await look(at, 'open')
    for (const preset of ['Open', '', 'closed', '__proto__']) {
      expect(refusalOf(await apply(at, { preset, digest }))).to.equal('not_found preset')
      expect(refusalOf(await at.world.do(at.alice.flows.owner.preset({ preset })))).to.equal('not_found preset')
    }
    expect(refusalOf(await apply(at, { preset: 'open', digest, agent: 'nobody' }))).to.equal('not_found agent')
  })
})
