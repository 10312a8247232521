import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { homePaths } from '../../src/api/home.js'
import { temporaryHomes } from '../support/homes.js'
import { CREATE, DENIED, PROPOSE, READ, RESPOND, UNDECLARED, needCurl } from '../support/seed-commands.js'
import { until } from './agentlink.js'
import { befriend, Daemon } from './daemon.js'

const run = promisify(execFile)

interface Task {
  readonly taskUid: string
  readonly status: string
  readonly title?: string
  readonly agreedProposalId?: string
  readonly proposals: ReadonlyArray<{
    readonly proposalId: string
    readonly version: number
    readonly proposal: object
  }>
  readonly delivery: { readonly state: string }
}
interface Said {
  readonly status?: string
  readonly task: Task
  readonly error?: { readonly code: string; readonly details: Record<string, unknown> }
}
interface Inbox {
  readonly items: ReadonlyArray<{
    readonly kind: string
    readonly taskUid?: string
    readonly content: { readonly initialProposal?: { readonly proposal: object } }
  }>
}

const WAYS = {
  'loopback TCP': () => undefined,
  'api.sock': (node: Daemon) => node.run.socket,
  "the agent's own socket": (node: Daemon) => homePaths(node.home).agent('default').socket
} as const

describe('the commands of seed 002 between two nodes', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let alice: Daemon
  let bob: Daemon

  before(async function () {
    needCurl(this)
    alice = await Daemon.make(homes.make(), '@alice')
    bob = await Daemon.make(homes.make(), '@bob')
    await befriend(alice, bob)
    await alice.owner('PUT', 'grants', { contact: '@bob', capability: 'disclose.dietary', effect: 'deny' })
  })
  after(async () => {
    for (const node of [alice, bob]) await node?.kill('SIGTERM')
    homes.clean()
  })

  for (const [way, socketOf] of Object.entries(WAYS)) {
    describe(`over ${way}`, () => {
      async function shell(of: Daemon, command: string, more: Record<string, string> = {}): Promise<Said> {
        const socket = socketOf(of)
        const line = socket === undefined ? command : command.replace('curl ', `curl --unix-socket '${socket}' `)
        const url = socket === undefined ? of.run.url : 'http://localhost'
        const env = { PATH: process.env.PATH, AGENTLINK_URL: url, TOKEN: of.token, ...more }
        return JSON.parse((await run('sh', ['-c', line], { env })).stdout) as Said
      }

      const toBob = (command: string): string => command.replace('al1...', bob.run.agent)

      it('settle the same plan on both, byte for byte', async () => {
        const created = await shell(alice, toBob(CREATE))
        expect(created.status).to.equal('sent')
        const uid = { TASK_UID: created.task.taskUid }

        const invited = await until(
          () => bob.agent<Inbox>('GET', 'inbox?after=0&limit=200'),
          ({ body }) => body.items.some((item) => item.taskUid === uid.TASK_UID)
        )
        const invite = invited.body.items.find((item) => item.taskUid === uid.TASK_UID)
        expect(invite?.kind).to.equal('task.invite')
        expect(invite?.content.initialProposal?.proposal).to.deep.equal(created.task.proposals[0]?.proposal)

        expect((await shell(bob, PROPOSE, uid)).status).to.equal('sent')
        const read = await until(
          () => shell(alice, READ, uid),
          ({ task }) => task.proposals.length === 2
        )
        const second = read.task.proposals.find((one) => one.version === 2)?.proposalId ?? ''
        const accepted = await shell(alice, RESPOND.replace('<proposalId of version 2>', second), uid)
        expect(accepted).to.have.nested.property('task.agreedProposalId', second)

        const settled = (said: Said): boolean =>
          said.task.status === 'agreed' && said.task.delivery.state === 'delivered'
        const [here, there] = [
          await until(() => shell(alice, READ, uid), settled),
          await until(() => shell(bob, READ, uid), settled)
        ]
        expect(planOf(there)).to.equal(planOf(here))
        expect(here.task.title).to.equal('Dinner with Bob')
        expect(there.task).not.to.have.property('title')
        const late = await shell(alice, RESPOND.replace('<proposalId of version 2>', second), uid)
        expect(late.error).to.nested.include({ code: 'conflict' })
      })

      it('are refused as the seed says when a field is denied or undeclared, and leave nothing behind', async () => {
        const before = await alice.agent('GET', 'tasks')
        const denied = await shell(alice, toBob(DENIED))
        expect(denied.error?.code).to.equal('policy_denied')
        expect(denied.error?.details.denied).to.deep.equal(['disclose.dietary'])
        const undeclared = await shell(alice, toBob(UNDECLARED))
        expect(undeclared.error?.code).to.equal('bad_request')
        expect(undeclared.error?.details).to.deep.include({ code: 'undeclared_field', field: 'proposal.homeAddress' })
        const status = `curl -sS -o /dev/null -w '{"status":"%{http_code}"}' `
        expect((await shell(alice, toBob(DENIED).replace('curl -sS ', status))).status).to.equal('403')
        expect((await shell(alice, toBob(UNDECLARED).replace('curl -sS ', status))).status).to.equal('400')
        expect(await alice.agent('GET', 'tasks')).to.deep.equal(before)
      })
    })
  }
})

/** The agreed plan as the bytes that a program would compare. */
function planOf({ task }: Said): string {
  const agreed = task.proposals.find((one) => one.proposalId === task.agreedProposalId)
  return JSON.stringify([task.agreedProposalId, agreed?.version, agreed?.proposal])
}
