import { expect } from 'chai'
import {
  type Envelope,
  claimedText,
  envelopeList,
  envelopeText,
  writtenText
} from '../../src/clients/cli/envelope-text.js'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { TASK_ID, envelopeView } from '../api/views.js'
import { makeHome } from './home.js'
import { type Shown, agentlink } from './screen.js'
import { table } from '../../src/clients/cli/table.js'

const hints = { command: (words: string): string => `agentlink ${words} --home ./bob`, table }
const nameOf = (): string => '@bob'
const listed = (one: Envelope): string => envelopeList({ items: [one] }, nameOf, hints)
const shown = (one: Envelope): string => envelopeText(one, nameOf, hints)

describe('a delegated task on the screen', () => {
  it('says what it waits for', () => {
    const waiting = envelopeView()
    expect(listed(waiting)).to.include('submitted, waits for lexer ')
    expect(listed(envelopeView({ dependencies: [{ taskId: 'a' }, { taskId: 'b', outcome: 'failed' }] }))).to.include(
      'waits for a and 1 more'
    )
    expect(shown(waiting)).to.match(/depends on +lexer \(still open\)\n +names \(completed\)/)
    expect(listed(envelopeView({ state: 'canceled' }))).not.to.include('waits')
  })

  it('says with what it collides, and over which files, to its sender and to its recipient', () => {
    const rejected = { state: 'rejected', code: 'ownership_conflict' } as const
    for (const role of ['sender', 'recipient'] as const) {
      const one = envelopeView({ ...rejected, role, conflictsWith: 'first', conflictingFiles: ['src/a.js', 'docs'] })
      expect(listed(one)).to.include('rejected (ownership_conflict), with first, over src/a.js, docs')
      expect(shown(one)).to.match(/^why +other work has some of its files for itself \(ownership_conflict\)$/m)
      expect(shown(one)).to.match(/conflicts with +task first\n +src\/a\.js\n +docs/)
      expect(shown(envelopeView({ ...rejected, role }))).to.match(/conflicts with +a task of another sender/)
    }
  })

  it('gives no reason where there is none, and tells the sender alone how to verify', () => {
    expect(
      writtenText({ status: 'sent', envelope: envelopeView({ state: 'canceled', code: 'other' }) }, hints)
    ).to.equal('parser is canceled.')
    const claimed = { state: 'completed', proof: 'claimed' } as const
    expect(shown(envelopeView({ ...claimed, role: 'sender' }))).to.include(
      'agentlink envelope verify parser --home ./bob'
    )
    expect(shown(envelopeView(claimed))).not.to.include('envelope verify')
  })

  it('says why it stopped, in words, and what its writer said about that', () => {
    const text = shown(envelopeView({ state: 'failed', code: 'blocked', reason: 'No disk\u202e' }))
    expect(text).to.match(/^why +something else has to happen first \(blocked\)$/m)
    expect(text).to.match(/^in its words +No disk\\u\{202e\}$/m)
  })

  it('says which tools a claim gave', () => {
    const text = (toolsGranted: string[]): string =>
      claimedText({ status: 'sent', envelope: envelopeView({ state: 'working', toolsGranted }) }, hints)
    expect(text(['git', 'shell'])).to.include('parser is working.\nTools granted: git, shell.')
    expect(text([])).to.include('Tools granted: none.')
  })
})

describe('agentlink envelope', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  function run(words: readonly string[], stdin = ''): Promise<Shown> {
    return agentlink(['envelope', ...words, '--home', api.home], { stdin })
  }

  it('tells a person every fault of a contract with the member, and a program what the API says', async () => {
    const submit = ['submit', '-', '--to', '@bob']
    const contract = JSON.stringify({ objective: 'x', surprise: 1, acceptanceCheck: { passFailComand: 'x' } })
    const { code, err } = await run(submit, contract)
    expect(code).to.equal(1)
    const lines = err.split('\n')
    expect(lines[0]).to.equal('agentlink: the task envelope was refused, and nothing was sent:')
    expect(lines).to.include('  surprise is not a member of a task envelope. (unknown_member)')
    expect(lines).to.include('  acceptanceCheck.passFailComand is not a member of a task envelope. (unknown_member)')
    expect(lines.filter((line) => line.endsWith('_required)'))).to.have.length(7)
    const { out } = await run([...submit, '--json'], contract)
    const { error } = JSON.parse(out) as { error: { message: string; details: { errors: string[] } } }
    expect(error.details.errors).to.have.length(8)
    expect(error.message).to.include(
      'context_id_required, unknown_member (surprise, acceptanceCheck.passFailComand). Nothing'
    )
  })

  it('names the command that claims, before a check', async () => {
    const { code, err } = await run(['check', TASK_ID])
    expect([code, err]).to.deep.equal([
      1,
      `agentlink: claim it first: \`agentlink envelope claim parser --home ${api.home}\``
    ])
    expect((await run(['claim', TASK_ID])).out).to.include('Tools granted: git.')
  })

  it('speaks of commands where the API speaks of routes, and leaves the JSON to programs', async () => {
    const hint = `\`agentlink envelope list --home ${api.home}\``
    expect((await run(['show', 'nothing'])).err).to.equal(
      `agentlink: There is no such task. ${hint} lists them. (not_found)`
    )
    expect((await run(['show', 'nothing', '--json'])).out).to.include('GET /v1/agent/envelopes')
  })

  it('takes no note without the word that it goes with', async () => {
    expect(await run(['complete', TASK_ID, '--note', 'fine'])).to.include({ code: 2 })
  })
})
