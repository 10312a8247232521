import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentlink, answer, endAll, until } from './agentlink.js'
import { Daemon } from './daemon.js'

const CONTRACT = {
  objective: 'Make the test pass',
  outputFormat: 'A changed file',
  toolAndSourceGuidance: 'Only this folder',
  boundaries: 'Touch nothing else',
  filesAndInterfaces: ['sum.js'],
  acceptanceCheck: { passFailCommand: 'node test.js', endToEndVerification: 'Read the output' },
  contextID: 'folder-1'
}

interface Shown {
  readonly envelope: { readonly state: string; readonly proof: string }
}

describe('a delegated task between two real nodes', function () {
  this.timeout(120_000)
  let root: string
  let alice: Daemon
  let bob: Daemon
  let work: string

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'al-env-'))
    work = mkdtempSync(join(root, 'work-'))
    writeFileSync(join(work, 'sum.js'), 'module.exports = (a, b) => a - b\n')
    writeFileSync(
      join(work, 'test.js'),
      "if (require('./sum.js')(2, 2) !== 4) { console.log('wrong'); process.exit(7) }\n"
    )
    alice = await Daemon.make(join(root, 'a'), '@alice')
    bob = await Daemon.make(join(root, 'b'), '@bob')
    const { link } = await answer<{ link: string }>(['contact', 'invite', '--home', alice.home])
    await answer(['contact', 'add', link, '--home', bob.home])
    for (const { home } of [alice, bob]) {
      for (const capability of ['delegate.submit', 'delegate.report']) {
        await answer([
          'grant',
          'set',
          '--contact',
          '*',
          '--capability',
          capability,
          '--effect',
          'allow',
          '--home',
          home
        ])
      }
    }
    const active = (): Promise<{ items: { status: string }[] }> => answer(['contact', 'list', '--home', alice.home])
    await until(active, ({ items }) => items[0]?.status === 'active')
  })
  after(async () => {
    await Promise.all([alice.kill('SIGTERM'), bob.kill('SIGTERM')])
    await endAll()
    rmSync(root, { recursive: true, force: true })
  })

  function words(node: Daemon, ...more: string[]): string[] {
    return ['envelope', ...more, '--home', node.home]
  }

  async function stateAt(node: Daemon): Promise<string> {
    const { code, out } = await agentlink([...words(node, 'show', 'sum'), '--json'])
    if (code !== 0) return 'none'
    const { envelope } = JSON.parse(out) as Shown
    return `${envelope.state} ${envelope.proof}`
  }

  it('fails its check, passes it, is completed, and is verified by the sender', async () => {
    const submit = words(alice, 'submit', '-', '--to', '@bob', '--task-id', 'sum')
    const broken = await agentlink([...submit, '--json'], '{}')
    expect([broken.code, broken.out]).to.satisfy(
      ([code, out]: [number, string]) => code === 1 && out.includes('context_id_required')
    )
    await answer(submit, JSON.stringify(CONTRACT))
    await until(
      () => stateAt(bob),
      (state) => state === 'submitted none'
    )

    const { body } = await bob.agent<{ items: unknown[] }>('GET', 'envelopes/owned')
    expect(body.items).to.have.length(1)
    const claims = await Promise.all(Array.from({ length: 50 }, () => bob.agent('POST', 'envelopes/sum/claim', {})))
    expect(claims.filter(({ status }) => status === 200)).to.have.length(1)
    expect(claims.filter(({ status }) => status === 409)).to.have.length(49)

    const shown = await agentlink(words(bob, 'check', 'sum', '--directory', work))
    expect([shown.code, shown.out.includes('Not run'), shown.err.includes('node test.js')]).to.deep.equal([
      0,
      true,
      true
    ])
    const check = words(bob, 'check', 'sum', '--directory', work, '--run', '--end-to-end', 'passed')
    const failed = await agentlink([...check, '--json'])
    expect(failed.code).to.equal(1)
    expect((JSON.parse(failed.out) as { run: object }).run).to.include({ command: 'node test.js', exitStatus: 7 })
    const early = await agentlink(words(bob, 'complete', 'sum'))
    expect([early.code, early.err.includes('exit status is not 0')]).to.deep.equal([1, true])

    writeFileSync(join(work, 'sum.js'), 'module.exports = (a, b) => a + b\n')
    await answer(words(bob, 'check', 'sum', '--directory', work, '--run'))
    const complete = words(bob, 'complete', 'sum', '--summary', 'Plus, not minus')
    const kept = await agentlink([...complete, '--artifact', join(work, 'sum.js')])
    expect([kept.code, kept.err.includes('say FILE=LOCATION')]).to.deep.equal([2, true])
    const named = ['--artifact', `${join(work, 'sum.js')}=sum.js`]
    expect((await agentlink([...complete, ...named])).err).to.include('end_to_end_not_passed')
    const done = await agentlink([...complete, ...named, '--end-to-end', 'passed'])
    expect([done.code, /sum\.js +sum\.js +\d/.test(done.out)]).to.deep.equal([0, true])
    await until(
      () => stateAt(alice),
      (state) => state === 'completed claimed'
    )
    await answer(words(alice, 'verify', 'sum', '--directory', work, '--run'))
    await until(
      () => stateAt(bob),
      (state) => state === 'completed verified'
    )
    const again = await bob.agent<{ status: string }>('POST', 'envelopes/sum/complete', {})
    expect([again.status, again.body.status]).to.deep.equal([200, 'unchanged'])
    const ledger = await answer<{ ledger: { tools: string[] } }>(['ledger', 'set', 'shell', 'git', '--home', bob.home])
    expect(ledger.ledger.tools).to.deep.equal(['git', 'shell'])

    const file = join(root, 'sum.transcript.json')
    await answer(['transcript', 'export', 'sum', '--out', file, '--home', alice.home])
    const proved = await answer<{ task: string }>(['transcript', 'verify', file])
    expect(proved).to.include({ kind: 'envelope', taskId: 'sum', state: 'completed', proof: 'verified' })
    expect((await agentlink(['transcript', 'show', file])).out)
      .to.include('Plus, not minus')
      .and.include('envelope.verdict')
    const byUid = await answer<{ task: string }>(['transcript', 'export', proved.task, '--home', bob.home])
    expect(byUid.task).to.equal(proved.task)
    const unknown = await agentlink(['transcript', 'export', 'nothing', '--home', bob.home])
    expect([unknown.code, unknown.err.includes('no such task')]).to.deep.equal([1, true])
  })
})
