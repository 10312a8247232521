import { expect } from 'chai'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, until } from './agentlink.js'
import { Daemon, befriend } from './daemon.js'

const PLAN = { date: '2026-12-14', time: '19:45', timezone: 'America/Toronto', partySize: 2 }

interface Task {
  readonly task: {
    readonly status: string
    readonly taskUid: string
    readonly proposals: ReadonlyArray<{ readonly proposalId: string }>
    readonly confirms?: ReadonlyArray<{ readonly recordId: string; readonly by: string; readonly params: object }>
  }
}
interface Asked {
  readonly status: string
  readonly approvalId: string
}
type Fault = { readonly error: { readonly code: string; readonly details: { readonly code?: string } } }

describe('a booking between two running nodes', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon
  let taskUid = ''
  let approvalId = ''

  before(async () => {
    alice = await Daemon.make(homes.make(), '@alice')
    bob = await Daemon.make(homes.make(), '@bob')
    await befriend(alice, bob)
    for (const node of [alice, bob]) {
      await node.owner('PUT', 'grants', { contact: '*', capability: 'disclose.*', effect: 'allow' })
    }
    const command = { type: 'dinner.coordination', participant: bob.run.agent, proposal: PLAN }
    const made = await alice.agent<Task>('POST', 'tasks', command)
    taskUid = made.body.task.taskUid
    await until(
      () => bob.agent('GET', `tasks/${taskUid}`),
      ({ status }) => status === 200
    )
    const proposalId = made.body.task.proposals[0]?.proposalId
    await bob.agent('POST', `tasks/${taskUid}/responses`, { proposalId, decision: 'accept' })
    await until(
      () => statusAt(alice),
      (status) => status === 'agreed'
    )
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
  })

  const statusAt = async (node: Daemon) => (await node.agent<Task>('GET', `tasks/${taskUid}`)).body.task.status
  const book = <T>(more: object = {}) =>
    alice.agent<T>('POST', 'actions', { taskUid, action: 'reservation.book', ...more })

  it('waits for the owner', async () => {
    const asked = await book<Asked>()
    expect([asked.status, asked.body.status]).to.deep.equal([202, 'pending_approval'])
    approvalId = asked.body.approvalId
    expect(await statusAt(alice)).to.equal('awaiting_approval')
    expect(await statusAt(bob)).to.equal('agreed')
  })

  it("can't be answered with the agent's token", async () => {
    const token = await alice.agent<Fault>('POST', `../owner/approvals/${approvalId}`, { decision: 'approve' })
    expect(token.status).to.be.oneOf([400, 401, 404])
    expect((await alice.agent<{ approval: Asked }>('GET', `approvals/${approvalId}`)).body.approval.status).to.equal(
      'pending'
    )
  })

  it('shows its owner the exact params, and which of them leave', async () => {
    const shown = await agentlink(['approval', 'show', approvalId, '--home', alice.home])
    expect(shown.out)
      .to.include('reservation.book')
      .and.to.include('"19:45"')
      .and.to.include('leaves, the plan says it')
      .and.to.include('action.reservation.book')
  })

  it('is answered once, though two programs answer at the same moment', async () => {
    const yes = { decision: 'approve', scope: 'once' }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => alice.owner<Fault>('POST', `approvals/${approvalId}`, yes))
    )
    expect(answers.filter(({ status }) => status === 200).length).to.equal(1)
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error.details.code)
    expect(new Set(refused)).to.deep.equal(new Set(['approval_answered']))
  })

  it('is not recorded with other params', async () => {
    const swapped = await book<Fault>({ approvalId, params: { venueName: 'N\u043enna' } })
    expect([swapped.status, swapped.body.error.details.code]).to.deep.equal([409, 'approval_mismatch'])
  })

  it('is recorded once on the same call, and both tasks end confirmed', async () => {
    const calls = await Promise.all(Array.from({ length: 4 }, () => book<{ recordId: string }>({ approvalId })))
    expect(calls.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    expect(calls[0]?.body).to.deep.include({ status: 'recorded', simulated: true })
    expect(new Set(calls.map(({ body }) => body.recordId)).size).to.equal(1)
    await until(
      () => statusAt(bob),
      (status) => status === 'confirmed'
    )
    expect(await statusAt(alice)).to.equal('confirmed')
    const told = (await bob.agent<Task>('GET', `tasks/${taskUid}`)).body.task.confirms
    expect(told?.map(({ recordId, by, params }) => [recordId, by, params])).to.deep.equal([
      [calls[0]?.body.recordId, 'peer', PLAN]
    ])
    const shown = await agentlink(['task', 'show', taskUid, '--home', bob.home])
    expect(shown.out).to.include('Recorded: reservation.book by the other side, ')
  })
})
