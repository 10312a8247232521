import { expect } from 'chai'
import type { Json, JsonObject } from '../../src/base/json.js'
import type { EnvelopeCommand } from '../../src/flows/envelope-commands.js'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { InboxItem } from '../../src/flows/views/pages.js'
import { ARTIFACT, CONTRACT, EVIDENCE } from './delegation.js'
import { type Node, type World, createWorld, befriend, friends, good, refusalOf } from './pair.js'

interface Stage {
  readonly world: World
  readonly alice: Node
  readonly bob: Node
}

/** Two friends whose owners let delegated text out and back. */
async function stage(): Promise<Stage> {
  const at = await friends()
  for (const node of [at.alice, at.bob]) {
    for (const capability of ['delegate.submit', 'delegate.report']) {
      good(await at.world.do(node.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' })))
    }
  }
  return at
}

function say({ world }: Pick<Stage, 'world'>, node: Node, command: EnvelopeCommand) {
  return world.do(node.flows.agent.envelope(node.agent, command))
}

async function sent(at: Stage, node: Node, command: EnvelopeCommand): Promise<EnvelopeView> {
  const { answer } = good(await say(at, node, command))
  if (answer.status === 'pending_approval') throw new Error('asked')
  await at.world.rest()
  return answer.envelope
}

const submit = (taskId: string, more: JsonObject = {}): EnvelopeCommand => ({
  do: 'submit',
  recipient: '@bob',
  taskId,
  envelope: { ...CONTRACT, ...more } as unknown as JsonObject
})

async function read({ world }: Pick<Stage, 'world'>, node: Node, taskId: string): Promise<EnvelopeView> {
  return good(await world.do(node.flows.agent.getEnvelope(node.agent, taskId)))
}

async function states(at: Stage, taskId: string): Promise<string[]> {
  return [(await read(at, at.alice, taskId)).state, (await read(at, at.bob, taskId)).state]
}

async function inbox({ world }: Pick<Stage, 'world'>, node: Node): Promise<readonly InboxItem[]> {
  const options = { after: 0, waitSeconds: 0, limit: 200 }
  return good(await world.do(node.flows.agent.inbox(node.agent, options))).items
}

async function kinds(at: Stage, node: Node): Promise<string[]> {
  return (await inbox(at, node)).map((item) => item.kind).filter((kind) => kind.startsWith('envelope.'))
}

async function record(at: Stage, taskId: string, evidence: object = EVIDENCE): Promise<void> {
  const { bob, world } = at
  good(await world.do(bob.flows.agent.stageArtifacts(bob.agent, taskId, [ARTIFACT])))
  good(await world.do(bob.flows.agent.stageEvidence(bob.agent, taskId, evidence as JsonObject)))
}

describe('a delegated task between two nodes', () => {
  it('is claimed, proved, completed and verified, and both nodes say the same', async () => {
    const at = await stage()
    const { alice, bob } = at
    expect((await sent(at, alice, submit('fix'))).state).to.equal('submitted')
    expect((await at.world.do(bob.flows.agent.counters(bob.agent))).envelopesQueued).to.equal(1)
    await sent(at, bob, { do: 'claim', taskId: 'fix' })
    expect(await states(at, 'fix')).to.deep.equal(['working', 'working'])
    expect((await at.world.do(bob.flows.agent.counters(bob.agent))).envelopesQueued).to.equal(0)
    await record(at, 'fix')
    expect((await read(at, alice, 'fix')).result).to.equal(undefined)
    const done = await sent(at, bob, { do: 'complete', taskId: 'fix', summary: 'Done' })
    expect([done.state, done.proof, done.staged]).to.deep.equal(['completed', 'claimed', undefined])
    expect(await states(at, 'fix')).to.deep.equal(['completed', 'completed'])
    const { command, exitStatus, output, durationMs } = EVIDENCE
    const run = { command, exitStatus, output, durationMs }
    const judged = { passed: true, freshContext: true, verdictSource: 'script' } as const
    await sent(at, alice, { do: 'verdict', taskId: 'fix', ...judged, run: run as Json as JsonObject })
    expect([(await read(at, alice, 'fix')).proof, (await read(at, bob, 'fix')).proof]).to.deep.equal([
      'verified',
      'verified'
    ])
    expect(await kinds(at, bob)).to.deep.equal(['envelope.submit', 'envelope.verdict'])
    expect(await kinds(at, alice)).to.deep.equal(['envelope.claim', 'envelope.result'])
  })

  it('is refused with every fault by name before anything is there', async () => {
    const at = await stage()
    const said = await say(at, at.alice, { do: 'submit', recipient: '@bob', envelope: {} })
    if (said.ok) throw new Error('not refused')
    expect(said.refusal.details['errors']).to.deep.equal([
      'objective_required',
      'output_format_required',
      'tool_and_source_guidance_required',
      'boundaries_required',
      'files_and_interfaces_required',
      'acceptance_check_command_required',
      'acceptance_check_end_to_end_required',
      'context_id_required'
    ])
    const bent = submit('x', { dependsOn: ['nowhere'], surprise: 1 })
    const also = await say(at, at.alice, bent)
    expect(!also.ok && also.refusal.details['errors']).to.deep.equal(['unknown_member', 'unknown_dependency'])
    expect(at.world.wires.said).to.deep.equal([])
    expect(await at.alice.all('envelopes')).to.deep.equal([])
  })

  it('is not completed without evidence that it passed, and says what lacks', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    const complete: EnvelopeCommand = { do: 'complete', taskId: 'fix' }
    await sent(at, at.bob, { do: 'claim', taskId: 'fix' })
    expect(refusalOf(await say(at, at.bob, complete))).to.equal('conflict evidence_required')
    for (const [bend, code] of [
      [{ exitStatus: 1 }, 'acceptance_check_failed'],
      [{ command: 'node test.js ' }, 'evidence_command_mismatch'],
      [{ endToEnd: { passed: false } }, 'end_to_end_not_passed']
    ] as const) {
      await record(at, 'fix', { ...EVIDENCE, ...bend })
      expect(refusalOf(await say(at, at.bob, complete))).to.equal(`conflict ${code}`)
    }
    expect(await states(at, 'fix')).to.deep.equal(['working', 'working'])
  })

  it('is claimed by one of 50 claims, and ends in the same way twice without a word', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    const claims = Array.from({ length: 50 }, () =>
      at.bob.flows.agent.envelope(at.bob.agent, { do: 'claim', taskId: 'fix' })
    )
    const answers = await at.world.do(Promise.all(claims))
    expect(answers.filter((answer) => answer.ok)).to.have.length(1)
    const losers = answers.filter((answer) => !answer.ok).map(refusalOf)
    expect([...new Set(losers)]).to.deep.equal(['conflict already_claimed'])
    await sent(at, at.bob, { do: 'fail', taskId: 'fix', code: 'blocked', reason: 'No compiler' })
    const before = (await at.bob.all('sent')).length
    const { answer } = good(await say(at, at.bob, { do: 'fail', taskId: 'fix', code: 'other' }))
    expect(answer.status === 'unchanged' && [answer.envelope.state, answer.envelope.code]).to.deep.equal([
      'failed',
      'blocked'
    ])
    expect((await at.bob.all('sent')).length).to.equal(before)
    expect(refusalOf(await say(at, at.alice, { do: 'cancel', taskId: 'fix' }))).to.equal('conflict illegal_transition')
    expect((await read(at, at.alice, 'fix')).reason).to.equal('No compiler')
  })

  it('asks for input, shows on the sender’s badge, and goes on by the recipient', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    await sent(at, at.bob, { do: 'claim', taskId: 'fix' })
    await sent(at, at.bob, { do: 'status', taskId: 'fix', state: 'input_required', code: 'needs_decision' })
    expect((await at.world.do(at.alice.flows.agent.counters(at.alice.agent))).tasksWaitingForMe).to.equal(1)
    await sent(at, at.alice, { do: 'answer', taskId: 'fix', text: 'Take the first' })
    expect((await at.world.do(at.alice.flows.agent.counters(at.alice.agent))).tasksWaitingForMe).to.equal(0)
    expect((await read(at, at.bob, 'fix')).questions[0]?.answer?.text).to.equal('Take the first')
    expect(await states(at, 'fix')).to.deep.equal(['input_required', 'input_required'])
    await sent(at, at.bob, { do: 'status', taskId: 'fix', state: 'working' })
    expect(await states(at, 'fix')).to.deep.equal(['working', 'working'])
  })

  it('refuses what belongs to the other side, unknown ids and junk, naming the field', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    expect(refusalOf(await say(at, at.alice, { do: 'claim', taskId: 'fix' }))).to.equal('conflict illegal_transition')
    expect(refusalOf(await say(at, at.bob, { do: 'cancel', taskId: 'fix' }))).to.equal('conflict illegal_transition')
    expect(refusalOf(await say(at, at.bob, { do: 'claim', taskId: 'nope' }))).to.equal('not_found taskId')
    expect(refusalOf(await say(at, at.alice, submit('fix')))).to.equal('conflict task_id_taken taskId')
    expect(refusalOf(await say(at, at.alice, submit('a b')))).to.equal('bad_request invalid_field taskId')
    const node = { do: 'reject', taskId: 'fix', code: 'ownership_conflict' } as const
    expect(refusalOf(await say(at, at.bob, node))).to.equal('bad_request invalid_field code')
    const junk = at.bob.flows.agent.stageEvidence(at.bob.agent, 'fix', { command: 1 })
    expect(refusalOf(await at.world.do(junk))).to.match(/^bad_request (missing|invalid)_field evidence/)
  })
})

describe('ownership, dependencies and tools of delegated tasks', () => {
  it('reject an overlapping task of the same context in the receiving commit, until the first has ended', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('one'))
    await sent(at, at.alice, submit('two', { filesAndInterfaces: ['./SRC/parser/lexer.ts'] }))
    const two = await read(at, at.alice, 'two')
    expect([two.state, two.code, two.conflictsWith]).to.deep.equal(['rejected', 'ownership_conflict', 'one'])
    expect(two.conflictingFiles).to.deep.equal(['./SRC/parser/lexer.ts'])
    const { state, code, conflictsWith, conflictingFiles, toolsGranted } = await read(at, at.bob, 'two')
    expect({ state, code, conflictsWith, conflictingFiles }).to.deep.equal({
      state: two.state,
      code: two.code,
      conflictsWith: 'one',
      conflictingFiles: two.conflictingFiles
    })
    expect(toolsGranted).to.deep.equal([])
    expect(await kinds(at, at.bob)).to.deep.equal(['envelope.submit'])
    await sent(at, at.alice, submit('other', { contextID: 'repo-2' }))
    const { items } = await at.world.do(at.bob.flows.agent.ownedEnvelopes(at.bob.agent))
    expect(items.map(({ taskId, paths }) => [taskId, ...paths])).to.deep.equal([
      ['one', 'src/parser'],
      ['other', 'src/parser']
    ])
    await sent(at, at.bob, { do: 'reject', taskId: 'one', code: 'busy' })
    expect((await sent(at, at.alice, submit('three'))).taskId).to.equal('three')
    expect(await states(at, 'three')).to.deep.equal(['submitted', 'submitted'])
  })

  it('hold a claim back until the dependency is completed', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('lexer'))
    await sent(at, at.alice, submit('parser', { filesAndInterfaces: ['docs'], dependsOn: ['lexer'] }))
    expect(refusalOf(await say(at, at.bob, { do: 'claim', taskId: 'parser' }))).to.equal(
      'conflict dependencies_unresolved'
    )
    await sent(at, at.bob, { do: 'claim', taskId: 'lexer' })
    await record(at, 'lexer')
    await sent(at, at.bob, { do: 'complete', taskId: 'lexer' })
    expect((await read(at, at.bob, 'parser')).claimable).to.equal(true)
    expect((await sent(at, at.bob, { do: 'claim', taskId: 'parser' })).state).to.equal('working')
  })

  it('cancel what depends on a task that failed, with the reason', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('lexer'))
    await sent(at, at.alice, submit('parser', { filesAndInterfaces: ['docs'], dependsOn: ['lexer'] }))
    await sent(at, at.bob, { do: 'fail', taskId: 'lexer', code: 'blocked' })
    for (const node of [at.alice, at.bob]) {
      const { state, code, dependencies } = await read(at, node, 'parser')
      expect([state, code, dependencies[0]?.outcome]).to.deep.equal(['canceled', 'dependency_failed', 'failed'])
    }
    expect((await kinds(at, at.alice)).at(-1)).to.equal('envelope.ended')
  })

  it('grant what was asked for and is in the ledger, less what the owner takes away, and nothing later', async () => {
    const at = await stage()
    const ledger = (tools: readonly string[]) => at.world.do(at.bob.flows.owner.setLedger({ tools }))
    good(await ledger(['git', 'shell']))
    await sent(at, at.alice, submit('fix', { toolsAllowed: ['shell', 'git', 'network'] }))
    const bound = await read(at, at.bob, 'fix')
    expect([bound.toolsGranted, 'toolsAllowed' in bound.contract]).to.deep.equal([['git', 'shell'], false])
    expect((await inbox(at, at.bob)).at(-1)?.content['toolsGranted']).to.deep.equal(['git', 'shell'])
    good(await ledger(['git', 'network']))
    expect((await read(at, at.bob, 'fix')).toolsGranted).to.deep.equal(['git'])
    expect(refusalOf(await ledger(['two words']))).to.equal('bad_request invalid_field tools[0]')
  })

  it('end at their time on both sides, and free what they owned', async () => {
    const at = await stage()
    await sent(at, at.alice, { ...submit('fix'), expiresInHours: 1 } as EnvelopeCommand)
    await sent(at, at.bob, { do: 'claim', taskId: 'fix' })
    await at.alice.stop()
    await at.world.rest(3_700_000)
    const alone = await read(at, at.bob, 'fix')
    expect([alone.state, alone.code]).to.deep.equal(['canceled', 'expired'])
    expect(await kinds(at, at.bob)).to.deep.equal(['envelope.submit', 'envelope.ended'])
    expect(await at.bob.all('owned')).to.deep.equal([])
    expect(refusalOf(await say(at, at.bob, { do: 'fail', taskId: 'fix', code: 'busy' }))).to.equal(
      'conflict illegal_transition'
    )
    await at.alice.start()
    await at.world.rest(10_000)
    expect(await states(at, 'fix')).to.deep.equal(['canceled', 'canceled'])
    expect((await read(at, at.alice, 'fix')).code).to.equal('expired')
  })
})

describe('the text of delegated tasks', () => {
  it('waits for the owner on both sides, and leaves with the yes', async () => {
    const world = createWorld()
    const at = { world, alice: await world.node('alice'), bob: await world.node('bob') }
    await befriend(world, at.alice, at.bob)
    const asked = good(await say(at, at.alice, submit('fix'))).answer
    if (asked.status !== 'pending_approval') throw new Error('not asked')
    expect(refusalOf(await world.do(at.alice.flows.agent.getEnvelope(at.alice.agent, 'fix')))).to.equal(
      'not_found taskId'
    )
    const again = good(await say(at, at.alice, submit('fix'))).answer
    expect(again).to.deep.equal(asked)
    const yes = { decision: 'approve', scope: 'once' } as const
    const shown = good(await world.do(at.alice.flows.owner.answerApproval(asked.approvalId, yes)))
    expect([shown.status, shown.kind === 'envelope' && shown.action]).to.deep.equal(['used', 'envelope.submit'])
    await world.rest()
    await sent(at, at.bob, { do: 'claim', taskId: 'fix' })
    await record(at, 'fix')
    const report = good(await say(at, at.bob, { do: 'complete', taskId: 'fix' })).answer
    if (report.status !== 'pending_approval') throw new Error('not asked')
    expect(await states(at, 'fix')).to.deep.equal(['working', 'working'])
    good(await world.do(at.bob.flows.owner.answerApproval(report.approvalId, yes)))
    await world.rest()
    expect(await states(at, 'fix')).to.deep.equal(['completed', 'completed'])
  })

  it('does not leave where the owner denies it, and a bare code needs no yes', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    const deny = { contact: '@alice', capability: 'delegate.report', effect: 'deny' } as const
    good(await at.world.do(at.bob.flows.owner.setGrant(deny)))
    const reject = { do: 'reject', taskId: 'fix', code: 'unsafe' } as const
    expect(refusalOf(await say(at, at.bob, { ...reject, reason: 'Because' }))).to.equal('policy_denied')
    expect((await sent(at, at.bob, reject)).state).to.equal('rejected')
  })
})

describe('a cancel of a delegated task', () => {
  it('is under way until it is settled, and a result that crosses it stands', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    await sent(at, at.bob, { do: 'claim', taskId: 'fix' })
    await record(at, 'fix')
    const [cancel, complete] = await at.world.do(
      Promise.all([
        at.alice.flows.agent.envelope(at.alice.agent, { do: 'cancel', taskId: 'fix' }),
        at.bob.flows.agent.envelope(at.bob.agent, { do: 'complete', taskId: 'fix' })
      ])
    )
    const { answer } = good(cancel)
    expect(answer.status === 'sent' && [answer.envelope.state, answer.envelope.cancelRequested]).to.deep.equal([
      'working',
      true
    ])
    good(complete)
    await at.world.rest()
    expect(await states(at, 'fix')).to.deep.equal(['completed', 'completed'])
  })

  it('ends the task when nothing crosses it, and once more is no second one', async () => {
    const at = await stage()
    await sent(at, at.alice, submit('fix'))
    await sent(at, at.alice, { do: 'cancel', taskId: 'fix', code: 'changed_plans' })
    expect(await states(at, 'fix')).to.deep.equal(['canceled', 'canceled'])
    const again = good(await say(at, at.alice, { do: 'cancel', taskId: 'fix' })).answer
    expect(again.status).to.equal('unchanged')
    expect(await at.alice.all('closing')).to.deep.equal([[]])
  })
})
