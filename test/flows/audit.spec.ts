import { expect } from 'chai'
import type { AuditEntry } from '../../src/policy/audit.js'
import { readEntry } from '../../src/policy/audit.js'
import { auditEntries } from '../../src/store/audit-entries.js'
import type { AuditFilter } from '../../src/flows/doors.js'
import { type Node, befriend, createWorld, dinner, friends, good, openUp, refusalOf } from './pair.js'

/** The audit log of a node. */
async function entriesOf(node: Node): Promise<AuditEntry[]> {
  return (await node.all('audit')).flatMap((bytes) => readEntry(bytes) ?? [])
}

/** `who what`, in order. */
async function told(node: Node, from = 0): Promise<string[]> {
  return (await entriesOf(node)).slice(from).map(({ who, what }) => `${who.kind} ${what}`)
}

describe('the audit log of two nodes', () => {
  it('tells of a contact on both sides, and by whose word it began', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const bob = await world.node('bob')
    await befriend(world, alice, bob)
    expect(await told(alice)).to.deep.equal(['owner agent.added', 'owner contact.invited', 'node contact.accepted'])
    expect(await told(bob, 1)).to.deep.equal(['owner contact.requested', 'peer contact.accepted'])
    const change = (action: 'remove' | 'block' | 'unblock') =>
      alice.flows.owner.changeContact({ contact: '@bob', action })
    for (const action of ['remove', 'block', 'unblock'] as const) {
      good(await world.do(change(action)))
      await world.rest()
    }
    expect(await told(alice, 3)).to.deep.equal([
      'owner contact.removed',
      'owner contact.blocked',
      'owner contact.unblocked'
    ])
    expect(await told(bob, 3)).to.deep.equal(['peer contact.removed'])
  })

  it('tells of a stranger once, however often it asks', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const bob = await world.node('bob')
    const { link } = good(await world.do(alice.flows.owner.invite({ secret: false })))
    good(await world.do(bob.flows.owner.addContact({ link })))
    await world.rest()
    good(await world.do(bob.flows.owner.changeContact({ contact: '@alice', action: 'remove' })))
    good(await world.do(bob.flows.owner.addContact({ link })))
    await world.rest(120_000)
    expect(await told(alice, 1)).to.deep.equal(['peer contact.requested'])
  })

  it('tells of a whole dinner: what left, under which grant, and what the other side did', async () => {
    const { world, alice, bob } = await friends()
    const [mine, theirs] = [(await entriesOf(alice)).length, (await entriesOf(bob)).length]
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    if (answer.status !== 'sent') throw new Error('asked')
    const uid = answer.task.taskUid
    await world.rest()
    good(await world.do(bob.flows.agent.propose(bob.agent, uid, { proposal: dinner({ partySize: 3 }) })))
    await world.rest()
    const seen = good(await world.do(alice.flows.agent.getTask(alice.agent, uid)))
    const proposalId = seen.proposals.at(-1)?.proposalId ?? ''
    good(await world.do(alice.flows.agent.respond(alice.agent, uid, { proposalId, decision: 'accept' })))
    await world.rest()

    expect(await told(alice, mine)).to.deep.equal([
      'agent task.created',
      'agent disclosure.sent',
      'peer task.proposed',
      'agent task.accepted'
    ])
    expect(await told(bob, theirs)).to.deep.equal(['peer task.received', 'agent disclosure.sent', 'peer task.accepted'])
    const sent = (await entriesOf(alice))[mine + 1]
    expect(sent?.about).to.deep.include({
      agent: alice.agent,
      contact: bob.agent,
      taskUid: uid,
      capabilities: ['disclose.availability']
    })
    expect(sent?.under).to.deep.equal({
      grants: [{ contact: '*', capability: 'disclose.*', effect: 'allow' }]
    })
  })

  it('tells of a rule, what it was before, and that it is gone', async () => {
    const world = createWorld()
    const alice = await world.node('alice')
    const rule = { contact: '*', capability: 'disclose.budget' }
    for (const effect of ['allow', 'deny'] as const)
      good(await world.do(alice.flows.owner.setGrant({ ...rule, effect })))
    good(await world.do(alice.flows.owner.deleteGrant(rule)))
    const about = { agent: alice.agent, ...rule }
    expect((await entriesOf(alice)).slice(1).map((entry) => [entry.what, entry.about])).to.deep.equal([
      ['grant.set', { ...about, effect: 'allow' }],
      ['grant.set', { ...about, effect: 'deny', was: 'allow' }],
      ['grant.deleted', { ...about, effect: 'deny' }]
    ])
  })

  it('holds no word of a plan, a title or a name', async () => {
    const { world, alice } = await friends()
    const proposal = dinner({ notes: 'CANARY of a plan' })
    const command = { type: 'dinner.coordination', participant: '@bob', title: 'CANARY of a title', proposal }
    good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    await openUp(world, alice)
    const text = (await alice.all('audit')).map((bytes) => Buffer.from(bytes).toString()).join()
    for (const word of ['CANARY', '19:00', '2026-11-14', '@bob', '@alice']) expect(text).not.to.include(word)
  })

  it('holds after a crash, and its chain with it', async () => {
    const { world, alice } = await friends()
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    void alice.flows.agent.createTask(alice.agent, command).catch(() => undefined)
    alice.crash()
    await alice.start()
    good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    await world.rest()
    expect(await auditEntries(alice.disk.open())).to.deep.equal([])
  })
})

describe('the audit log as its owner reads it', () => {
  it('comes newest first, page by page, with the head of its chain', async () => {
    const { world, alice } = await friends()
    const all = (await entriesOf(alice)).reverse()
    const seen: AuditEntry[] = []
    let after: number | undefined
    do {
      const page = good(await alice.flows.owner.audit({ limit: 2, ...(after === undefined ? {} : { after }) }))
      expect(page.head.seq).to.equal(all.length)
      seen.push(...page.items)
      after = page.next === undefined ? undefined : Number(page.next)
    } while (after !== undefined)
    expect(seen).to.deep.equal(all)
    await world.rest()
  })

  it('is narrowed by agent, contact, task, code, capability and time, which must all hold', async () => {
    const { world, alice, bob } = await friends()
    const started = new Date(world.clock.now()).toISOString()
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    const task = answer.status === 'sent' ? answer.task.taskUid : ''
    const find = async (filter: AuditFilter): Promise<string> =>
      good(await alice.flows.owner.audit({ limit: 50, ...filter }))
        .items.map(({ what }) => what)
        .join(' ')
    const both = 'disclosure.sent task.created'
    const cases: [AuditFilter, string][] = [
      [{ task }, both],
      [{ contact: '@bob' }, `${both} contact.accepted`],
      [{ contact: bob.agent, what: 'task' }, 'task.created'],
      [{ contact: '*' }, 'grant.set'],
      [{ what: 'grant.set' }, 'grant.set'],
      [{ capability: 'disclose.availability' }, 'disclosure.sent'],
      [{ capability: 'disclose.*' }, 'grant.set'],
      [{ capability: 'disclose.budget' }, ''],
      [{ agent: 'default', what: 'contact' }, 'contact.accepted contact.invited'],
      [{ agent: bob.agent }, ''],
      [{ since: started }, both],
      [{ until: started }, 'grant.set contact.accepted contact.invited agent.added'],
      [{ task, what: 'grant' }, '']
    ]
    for (const [filter, found] of cases) expect(await find(filter), JSON.stringify(filter)).to.equal(found)
  })

  it('refuses a filter that it can not read, by the name of the member', async () => {
    const { alice } = await friends()
    const cases: [AuditFilter, string][] = [
      [{ agent: 'nobody' }, 'not_found agent'],
      [{ contact: '@nobody' }, 'bad_request unknown_participant participant'],
      [{ task: 'x' }, 'bad_request malformed_id task'],
      [{ what: 'gran' }, 'bad_request invalid_field what'],
      [{ since: '2026-12-02' }, 'bad_request invalid_field since'],
      [{ until: '2026-02-30T00:00:00.000Z' }, 'bad_request invalid_field until']
    ]
    for (const [filter, refused] of cases) {
      expect(refusalOf(await alice.flows.owner.audit({ limit: 5, ...filter }))).to.equal(refused)
    }
  })

  it('names the codes that there are to who asks for another', async () => {
    const { alice } = await friends()
    const said = async (what: string) => {
      const answer = await alice.flows.owner.audit({ limit: 5, what })
      return answer.ok ? '' : answer.refusal.message
    }
    for (const family of ['grant', 'approval', 'job', 'denials']) expect(await said('bogus')).to.include(family)
    expect(await said('grant.st')).to.equal('what must be one of grant, grant.set, grant.deleted')
  })
})

describe('the audit log of approvals', () => {
  async function asked() {
    const world = createWorld()
    const alice = await world.node('alice')
    const bob = await world.node('bob')
    await befriend(world, alice, bob)
    const before = (await entriesOf(alice)).length
    const command = { type: 'dinner.coordination', participant: '@bob', proposal: dinner() }
    const { answer } = good(await world.do(alice.flows.agent.createTask(alice.agent, command)))
    if (answer.status !== 'pending_approval') throw new Error('nobody was asked')
    return { world, alice, bob, before, id: answer.approvalId, command }
  }

  it('tells of the question, the answer, and what then left under which approval', async () => {
    const { world, alice, before, id } = await asked()
    good(await world.do(alice.flows.owner.answerApproval(id, { decision: 'approve', scope: 'contact' })))
    expect(await told(alice, before)).to.deep.equal([
      'agent approval.asked',
      'owner approval.answered',
      'owner grant.set',
      'agent task.created',
      'agent disclosure.sent',
      'agent approval.used'
    ])
    const entries = (await entriesOf(alice)).slice(before)
    expect(entries.map(({ under }) => under?.approvalId)).to.deep.equal([undefined, undefined, id, id, id, undefined])
    expect(entries[1]?.about).to.deep.include({ approvalId: id, decision: 'approve', scope: 'contact' })
    expect(await auditEntries(alice.disk.open())).to.deep.equal([])
  })

  it('tells of a no, of a question whose time was over, and of one that the world left behind', async () => {
    const no = await asked()
    good(await no.world.do(no.alice.flows.owner.answerApproval(no.id, { decision: 'deny', scope: 'once' })))
    expect(await told(no.alice, no.before)).to.deep.equal(['agent approval.asked', 'owner approval.answered'])
    const late = await asked()
    await late.world.rest(25 * 3_600_000)
    expect(await told(late.alice, late.before)).to.deep.equal(['agent approval.asked', 'node approval.expired'])
    const moved = await asked()
    good(await moved.world.do(moved.alice.flows.owner.changeContact({ contact: '@bob', action: 'block' })))
    expect(await told(moved.alice, moved.before)).to.deep.equal([
      'agent approval.asked',
      'owner contact.blocked',
      'node approval.stale'
    ])
  })
})
