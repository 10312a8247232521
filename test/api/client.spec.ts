import { expect } from 'chai'
import { type Client, createClient } from '../../src/api/client.js'
import { type TestApi, startTestApi } from './test-api.js'
import { ALICE, DINNER, PROPOSAL_ID, TOKENS, UID, taskView } from './views.js'

describe('the API client', () => {
  let api: TestApi
  let client: Client
  let owner: Client
  beforeEach(async () => {
    api = await startTestApi()
    client = createClient({ socketPath: api.socket, token: TOKENS.alice })
    owner = createClient({ socketPath: api.socket, token: TOKENS.owner })
  })
  afterEach(async () => {
    client.close()
    owner.close()
    await api.stop()
  })

  it('creates a task and reads it back', async () => {
    const body = { type: 'dinner.coordination', participant: '@bob', title: 'Dinner', proposal: DINNER }
    const made = await client.call('tasks.create', { body })
    expect(made).to.deep.equal({
      ok: true,
      status: 201,
      replayed: false,
      body: { task: taskView(DINNER, 'Dinner'), status: 'sent' }
    })
    const read = await client.call('tasks.read', { params: { taskUid: UID } })
    expect(read).to.deep.include({ status: 200, body: { task: taskView(DINNER, 'Dinner') } })
  })

  it('gives a refusal as a value with its code and details', async () => {
    const answer = await client.call('tasks.read', { params: { taskUid: UID } })
    expect(answer).to.deep.equal({
      ok: false,
      status: 404,
      refusal: { code: 'not_found', message: 'there is no such task', details: {} }
    })
  })

  it('says that the node is not running when no socket is there', async () => {
    const nobody = createClient({ socketPath: `${api.home}/none.sock`, token: 'x' })
    const answer = await nobody.call('health.read')
    expect(answer).to.deep.include({ ok: false, status: 0 })
    expect(answer.ok ? '' : answer.refusal.code).to.equal('unavailable')
    expect(answer.ok ? '' : answer.refusal.message).to.include('agentlink start')
  })

  it('works over the loopback URL too', async () => {
    const tcp = createClient({ url: api.url, token: TOKENS.alice })
    expect(await tcp.call('health.read')).to.deep.include({ status: 200, body: { status: 'ok' } })
    tcp.close()
  })

  for (const url of [
    'https://127.0.0.1:1',
    'http://u:p@127.0.0.1:1',
    'http://127.0.0.1:1/x',
    'http://127.0.0.1/?a=1'
  ]) {
    it(`refuses the URL ${url}`, () => {
      expect(() => createClient({ url, token: 'x' })).to.throw(TypeError)
    })
  }

  it('carries query numbers and leaves undefined ones out', async () => {
    await client.call('inbox.read', { query: { after: 7, limit: 3 } })
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ after: 7, limit: 3, waitSeconds: 0 })
  })

  it('encodes path parameters so that they stay one step', async () => {
    await owner.call('owner.contacts.block', { params: { contact: '@a/../b?c' }, body: {} })
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ contact: '@a/../b?c', action: 'block' })
  })

  it('reports a replayed answer', async () => {
    const input = { body: { type: 't', participant: '@bob', proposal: {} }, idempotencyKey: 'k1' }
    expect(await client.call('tasks.create', input)).to.deep.include({ replayed: false, status: 201 })
    expect(await client.call('tasks.create', input)).to.deep.include({ replayed: true, status: 201 })
  })

  it('reaches every owner door', async () => {
    const params = { contact: '@bob' }
    for (const action of ['accept', 'decline', 'remove', 'block', 'unblock', 'unfreeze'] as const) {
      expect((await owner.call(`owner.contacts.${action}`, { params })).ok).to.equal(true)
      expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ contact: '@bob', action })
    }
    expect(await owner.call('owner.contacts.rename', { params, body: { alias: '@rob' } })).to.include({ status: 200 })
    expect(await owner.call('owner.contacts.add', { body: { link: 'agentlink:x' } })).to.include({ status: 201 })
    expect(await owner.call('owner.invites.create', { body: {} })).to.include({ status: 201 })
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ secret: true })
    const grant = { contact: '*', capability: 'disclose.budget' }
    expect(await owner.call('owner.grants.set', { body: { ...grant, effect: 'allow' } })).to.include({ status: 200 })
    expect(await owner.call('owner.grants.delete', { query: grant })).to.include({ status: 200 })
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal(grant)
    const answered = await owner.call('owner.approvals.answer', {
      params: { approvalId: UID },
      body: { decision: 'approve' }
    })
    expect(answered).to.include({ status: 200 })
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ decision: 'approve', scope: 'once' })
    for (const name of [
      'owner.agents.list',
      'owner.contacts.list',
      'owner.grants.list',
      'owner.status.read'
    ] as const) {
      expect(await owner.call(name)).to.include({ status: 200 })
    }
    expect(await owner.call('owner.approvals.list')).to.include({ status: 200 })
    expect(await owner.call('owner.approvals.read', { params: { approvalId: UID } })).to.include({ status: 200 })
  })

  it('reaches every agent door', async () => {
    await client.call('tasks.create', { body: { type: 't', participant: '@bob', proposal: DINNER } })
    const params = { taskUid: UID }
    expect(await client.call('tasks.propose', { params, body: { proposal: DINNER } })).to.include({ status: 200 })
    const decision = { proposalId: PROPOSAL_ID, decision: 'accept' as const }
    expect(await client.call('tasks.respond', { params, body: decision })).to.include({ status: 200 })
    expect(await client.call('tasks.cancel', { params })).to.include({ status: 200 })
    expect(await client.call('tasks.list', { query: { status: 'open' } })).to.include({ status: 200 })
    expect(await client.call('taskTypes.list')).to.include({ status: 200 })
    expect(await client.call('inbox.ack', { body: { upTo: 3 } })).to.deep.include({ body: { ackedUpTo: 3 } })
    expect(await client.call('counters.read')).to.include({ status: 200 })
    expect(await client.call('capabilities.list', { query: { participant: '@bob' } })).to.include({ status: 200 })
    expect(await client.call('approvals.read', { params: { approvalId: UID } })).to.include({ status: 200 })
  })

  it('shows an agent its contacts without the places of their nodes', async () => {
    const answer = await client.call('contacts.list')
    expect(answer.ok && Object.keys(answer.body.items[0] ?? {})).to.not.include.members(['peerId', 'addrs'])
    const all = await owner.call('owner.contacts.list')
    expect(all.ok && all.body.items[0]?.peerId).to.equal('12D3KooWBob')
    expect(ALICE).to.be.a('string')
  })
})
