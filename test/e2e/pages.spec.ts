import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { PAGES, pageNames } from '../../src/api/pages.js'
import { ROUTE_NAMES, routeOf } from '../../src/api/routes.js'
import { toolNames } from '../../src/api/tools.js'
import { homePaths } from '../../src/api/home.js'
import { temporaryHomes } from '../support/homes.js'
import { needCurl } from '../support/seed-commands.js'
import { endAll, until } from './agentlink.js'
import { type Daemon, befriend } from './daemon.js'
import { type Stage, delegated, mayDelegate } from './delegated.js'
import { hireable, hired, localChain, mayPay, offered } from './hired.js'

/** A fenced block of a page: its language, what the page says of it, and its text. */
interface Block {
  readonly language: string
  readonly marks: readonly string[]
  readonly text: string
}

const DINNER = { date: '2026-12-14', time: '19:00', timezone: 'America/Toronto', partySize: 2 }
/** How far a delegated task must be before a step is shown; steps that are not named take one that is only submitted. */
const STAGES: Readonly<Record<string, Stage>> = {
  status: 'claimed',
  artifacts: 'claimed',
  evidence: 'claimed',
  fail: 'claimed',
  complete: 'proved',
  answer: 'asked',
  verdict: 'completed'
}
const OF_THE_SENDER: ReadonlySet<string> = new Set(['answer', 'cancel', 'verdict'])
const FILES = ['agents.md', ...pageNames().map((page) => `agents/${page}.md`)]

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\S+)([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', marks = '', text = '']) => ({
    language,
    marks: marks.trim().split(' ').filter(Boolean),
    text
  }))
}

/** Runs a block as an agent would, after the lines that connect it. Answers the status and the body. */
function runInShell(lines: string, block: Block, environment: Record<string, string>): Promise<[number, string]> {
  // What the page writes is run as it stands; only what curl says at its end is added. Without --norc bash takes a
  // pipe for a remote login, and runs what its user set up for those.
  const ends = block.marks.includes('stream') ? '-m 2' : ''
  const wrap = `command() { [ "$1" = curl ] && shift; /usr/bin/env curl -w '\\n%{http_code}' ${ends} "$@"; }`
  const plain = `curl() { command curl "$@"; }`
  const script = ['set -u', wrap, plain, lines, block.text].join('\n')
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--norc', '-c', script],
      { env: { PATH: process.env['PATH'] ?? '', ...environment } },
      (_, out) => {
        const cut = out.lastIndexOf('\n')
        resolve([Number(out.slice(cut + 1)), out.slice(0, cut)])
      }
    )
  })
}

describe('the skill pages', function () {
  this.timeout(90_000)
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon
  let offerId: string
  before(async function () {
    needCurl(this)
    const url = await localChain()
    ;[alice, bob] = await Promise.all([hireable(homes.make(), '@alice', url), hireable(homes.make(), '@bob', url)])
    await befriend(alice, bob)
    await mayDelegate([alice, bob])
    await mayPay([alice, bob])
    offerId = await offered(bob)
    const contact = bob.run.agent
    await alice.owner('PUT', 'grants', { contact, capability: 'disclose.dietary', effect: 'deny' })
    await alice.owner('PUT', 'grants', { contact, capability: 'disclose.budget', effect: 'ask' })
  })
  after(async () => {
    await endAll()
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
  })

  const read = async (file: string) => {
    const response = await fetch(`${alice.run.url}/${file}`)
    return { response, text: await response.text() }
  }

  /** What the variables in a block stand for: a task that Bob proposed just now, a question to Alice's owner. */
  async function environmentFor({ text }: Block): Promise<Record<string, string>> {
    const environment: Record<string, string> = { PARTICIPANT: bob.run.agent, OFFER_ID: offerId }
    const job = await jobFor(text)
    if (job !== undefined) return { ...environment, TASK_UID: job }
    if (text.includes('$APPROVAL_ID')) {
      const proposal = { ...DINNER, budgetPerPerson: 40 }
      const asked = { type: 'dinner.coordination', participant: bob.run.agent, proposal }
      environment['APPROVAL_ID'] = (await alice.agent<{ approvalId: string }>('POST', 'tasks', asked)).body.approvalId
    }
    if (text.includes('$TASK_ID')) environment['TASK_ID'] = await delegatedFor(text)
    if (!text.includes('$TASK_UID')) return environment
    const invite = { type: 'dinner.coordination', participant: alice.run.agent, proposal: DINNER }
    const { task } = (await bob.agent<{ task: { taskUid: string } }>('POST', 'tasks', invite)).body
    const arrived = await until(
      () => alice.agent<{ task: { proposals: { proposalId: string }[] } }>('GET', `tasks/${task.taskUid}`),
      ({ status }) => status === 200
    )
    return { ...environment, TASK_UID: task.taskUid, PROPOSAL_ID: arrived.body.task.proposals[0]?.proposalId ?? '' }
  }

  /** A delegated task in the state that the step of a request needs, with Alice on the side that takes it. */
  async function delegatedFor(text: string): Promise<string> {
    const step = /\$TASK_ID\/([a-z]+)/.exec(text)?.[1] ?? 'read'
    const stage = STAGES[step] ?? 'submitted'
    return OF_THE_SENDER.has(step) ? delegated(alice, bob, stage) : delegated(bob, alice, stage)
  }

  /** A job in the state that a step needs, with Alice on the side that takes it; undefined when it is no step of a job. */
  async function jobFor(text: string): Promise<string | undefined> {
    if (text.includes('$TASK_UID/payments')) return hired(alice, bob, 'agreed')
    if (text.includes('$TASK_UID/deliveries')) return hired(bob, alice, 'paid')
    if (text.includes('$TASK_UID/completion')) return hired(alice, bob, 'delivered')
    return text.includes('$TASK_UID/proposals') && text.includes('"brief"') ? hired(bob, alice, 'open') : undefined
  }

  async function check(lines: string, block: Block): Promise<void> {
    const [status, body] = await runInShell(lines, block, await environmentFor(block))
    const [mark, want, code] = block.marks
    const said = `${lines}${block.text}\n${status} ${body}`
    if (mark === 'stream') expect(body, said).to.include('id: 1\ndata: {"cursor":1,')
    else if (mark === 'refused') expect(status, said).to.equal(Number(want))
    else expect(status, said).to.be.oneOf([200, 201])
    if (code !== undefined) expect(body, said).to.include(`"code":"${code}"`)
  }

  it('are the files that are shipped, and the ones that the front page lists', async () => {
    const shipped = readdirSync('dist/api/pages').sort()
    expect(shipped).to.deep.equal(['agents', ...Object.keys(PAGES)].map((page) => `${page}.md`).sort())
    const { text } = await read('agents.md')
    for (const page of pageNames()) expect(text).to.include(`- ${alice.run.url}/agents/${page}.md : `)
  })

  for (const file of FILES) {
    describe(`/${file}`, () => {
      it('is Markdown with the addresses of its node, and asks for no token', async () => {
        const { response, text } = await read(file)
        expect(response.status).to.equal(200)
        expect(response.headers.get('content-type')).to.equal('text/markdown; charset=utf-8')
        expect(response.headers.get('x-content-type-options')).to.equal('nosniff')
        expect(text).to.match(/^# /)
        expect(text).to.not.include('{{')
        expect(text.length, 'short enough to be read whole').to.be.lessThan(9000)
        if (blocksOf(text).some((block) => block.language === 'sh')) {
          expect(text).to.include(alice.run.url).and.include(homePaths(alice.home).agent('default').socket)
        }
      })

      it('links only to what is there', async () => {
        const { text } = await read(file)
        const links = text.match(new RegExp(`${alice.run.url}/(agents|v1)[a-z0-9./-]*`, 'g')) ?? []
        for (const link of new Set(links)) expect((await fetch(link)).status, link).to.equal(200)
      })

      it('names no route that is not there', async () => {
        const { text } = await read(file)
        const paths = ROUTE_NAMES.map((name) => new RegExp(`^${routeOf(name).path.replace(/:\w+/g, '[^/]+')}$`))
        for (const [, path = ''] of text.matchAll(/\$AGENTLINK_URL([^\s"?]*)/g)) {
          expect(
            paths.some((known) => known.test(path)),
            path
          ).to.equal(true)
        }
      })

      it('shows requests that work as they stand, over TCP and over the socket', async () => {
        const blocks = blocksOf((await read(file)).text)
        const shells = blocks.filter((block) => block.language === 'sh')
        const connections = shells.filter((block) => block.marks[0] === 'connection')
        expect(connections.length).to.equal(shells.length === 0 ? 0 : 2)
        const requests = shells.filter((block) => block.marks[0] !== 'connection')
        const pairs = connections.flatMap((connection) => requests.map((block) => ({ connection, block })))
        // Each has a task of its own, so they may run side by side.
        await Promise.all(pairs.map(({ connection, block }) => check(connection.text, block)))
        for (const block of blocks.filter((each) => each.language === 'json')) {
          expect(() => JSON.parse(block.text) as unknown).to.not.throw()
        }
      })
    })
  }

  it('name every tool', async () => {
    const { text } = await read('agents/mcp.md')
    for (const { name } of toolNames()) expect(text).to.include(`| \`${name}\` |`)
  })

  for (const path of ['agents/nothing.md', 'agents/tasks', 'agents/..%2fagents.md', 'agents/agents', 'agents.md?x=1']) {
    it(`are not found under /${path}`, async () => {
      const { response, text } = await read(path)
      expect(response.status).to.be.oneOf([400, 404])
      expect(JSON.parse(text)).to.have.nested.property('error.code')
    })
  }
})
