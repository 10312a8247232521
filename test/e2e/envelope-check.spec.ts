import { expect } from 'chai'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, endAll, until } from './agentlink.js'
import { Daemon } from './daemon.js'
import { contractIn } from './delegated.js'
import { CTRL_C, CTRL_D, hasTerminals, typist } from './typist.js'

interface Shown {
  readonly envelope: {
    readonly state: string
    readonly proof: string
    readonly role: string
    readonly staged?: { readonly evidence?: { readonly exitStatus: number } }
  }
}

/** One node whose owner has two agents, `default` and `eve`, that delegate to each other. */
describe('a task delegated between two agents of one daemon', function () {
  this.timeout(120_000)
  const homes = temporaryHomes()
  let node: Daemon
  let work: string
  const as = (agent: string, ...words: string[]): string[] => [
    'envelope',
    ...words,
    '--agent',
    agent,
    '--home',
    node.home
  ]
  const show = async (agent: string, taskId: string): Promise<Shown['envelope']> =>
    (await answer<Shown>(as(agent, 'show', taskId))).envelope

  before(async () => {
    const home = homes.make()
    node = await Daemon.make(home, '@alice')
    work = `${home}-work`
    mkdirSync(work)
    await answer(['agent', 'add', 'eve', '--handle', '@eve', '--home', node.home])
    const { body } = await node.owner<{ link: string }>('POST', 'invites', { agent: 'eve' })
    await node.owner('POST', 'contacts', { agent: 'default', link: body.link })
    for (const agent of ['default', 'eve']) {
      for (const capability of ['delegate.submit', 'delegate.report']) {
        await node.owner('PUT', 'grants', { agent, contact: '*', capability, effect: 'allow' })
      }
    }
  })
  after(async () => {
    await node.kill('SIGTERM')
    await endAll()
    homes.clean()
  })

  /** Submits a task whose check is `command`, and has Eve claim it. */
  async function claimed(taskId: string, command: string): Promise<void> {
    const acceptanceCheck = { passFailCommand: command, endToEndVerification: 'Look at it' }
    const contract = JSON.stringify({ ...contractIn(taskId), acceptanceCheck })
    await until(
      () => agentlink(as('default', 'submit', '-', '--to', '@eve', '--task-id', taskId), contract),
      ({ code }) => code === 0
    )
    await until(
      () => agentlink(as('eve', 'claim', taskId)),
      ({ code }) => code === 0
    )
  }

  it('is claimed, checked, completed and verified through the command line', async () => {
    await claimed('note', 'grep -q done note.txt')
    writeFileSync(join(work, 'note.txt'), 'done')
    expect(await agentlink(as('default', 'claim', 'note'))).to.include({ code: 1 })
    await answer(as('eve', 'check', 'note', '--directory', work, '--run', '--end-to-end', 'passed'))
    await answer(as('eve', 'complete', 'note', '--artifact', `${join(work, 'note.txt')}=note.txt`))
    await until(
      () => show('default', 'note'),
      ({ state }) => state === 'completed'
    )
    await answer(as('default', 'verify', 'note', '--directory', work, '--run'))
    await until(
      () => show('eve', 'note'),
      ({ proof }) => proof === 'verified'
    )
    expect([(await show('default', 'note')).role, (await show('eve', 'note')).role]).to.deep.equal([
      'sender',
      'recipient'
    ])
  })

  it('has its check run on a typed yes, and on nothing else that a person does at the question', async function () {
    if (!hasTerminals()) this.skip()
    await claimed('asked', 'echo ran > ran.txt')
    const check = as('eve', 'check', 'asked', '--directory', work)
    for (const keys of ['no\r', 'y\r', '\r', CTRL_C, CTRL_D]) {
      const person = typist(check)
      await person.sees('Run it? Type yes:')
      expect(person.screen()).to.include('Another agent wrote this').and.include('echo ran > ran.txt')
      person.type(keys)
      expect(await person.ended, JSON.stringify(keys)).to.equal(0)
      expect(person.screen()).to.include('Not run.')
    }
    expect([existsSync(join(work, 'ran.txt')), (await show('eve', 'asked')).staged]).to.deep.equal([false, undefined])
    const person = typist([...check, '--end-to-end', 'passed'])
    await person.sees('Run it? Type yes:')
    person.type('yes\r')
    expect(await person.ended).to.equal(0)
    expect(person.screen()).to.include('Passed: exit status 0').and.include('Recorded as evidence.')
    expect(existsSync(join(work, 'ran.txt'))).to.equal(true)
    expect((await show('eve', 'asked')).staged?.evidence?.exitStatus).to.equal(0)
  })

  it('ends a check with everything that it started on Ctrl-C, records nothing and says so', async function () {
    if (!hasTerminals()) this.skip()
    await claimed('slow', 'sleep 300 & echo $! > child; printf "be%s\\n" gun; wait')
    const person = typist(as('eve', 'check', 'slow', '--directory', work, '--run'))
    await person.sees('begun')
    const child = Number(readFileSync(join(work, 'child'), 'utf8'))
    person.type(CTRL_C)
    expect(await person.ended).to.equal(1)
    expect(person.screen()).to.include('interrupted; nothing was recorded')
    await until(
      () => Promise.resolve(isRunning(child)),
      (running) => !running
    )
    expect(await show('eve', 'slow'))
      .to.deep.include({ state: 'working' })
      .and.not.have.property('staged')
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync(`/proc/${pid}/stat`) || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
