import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { CREATE, DENIED, PROPOSE, READ, RESPOND, UNDECLARED, needCurl } from '../support/seed-commands.js'
import { type TestApi, startTestApi } from './test-api.js'
import { PROPOSAL_ID, TOKENS } from './views.js'

const run = promisify(execFile)

interface Answer {
  readonly status?: string
  readonly task: { readonly taskUid: string; readonly proposals: readonly { readonly proposalId: string }[] }
  readonly error?: { readonly code: string; readonly details: Record<string, unknown> }
}

for (const way of ['loopback TCP', 'the unix socket', "the agent's own socket"]) {
  describe(`the commands of seed 002 over ${way}`, function () {
    let api: TestApi
    before(async function () {
      needCurl(this)
      api = await startTestApi()
    })
    after(() => api?.stop())

    async function shell(command: string, more: Record<string, string> = {}): Promise<Answer> {
      const socket = { 'the unix socket': api.socket, "the agent's own socket": api.aliceSocket }[way]
      const line = socket === undefined ? command : command.replace('curl ', `curl --unix-socket ${socket} `)
      const url = socket === undefined ? api.url : 'http://localhost'
      const env = { PATH: process.env.PATH, AGENTLINK_URL: url, TOKEN: TOKENS.alice, ...more }
      return JSON.parse((await run('sh', ['-c', line], { env })).stdout) as Answer
    }

    it('create, propose, read and respond', async () => {
      const created = await shell(CREATE)
      expect(created.status).to.equal('sent')
      const more = { TASK_UID: created.task.taskUid }
      expect((await shell(PROPOSE, more)).status).to.equal('sent')
      const read = await shell(READ, more)
      expect(Object.keys(read)).to.deep.equal(['task'])
      expect(read.task.proposals[0]?.proposalId).to.equal(PROPOSAL_ID)
      expect((await shell(RESPOND.replace('<proposalId of version 2>', PROPOSAL_ID), more)).status).to.equal('sent')
    })

    it('are refused as the seed says when a field is denied or undeclared', async () => {
      const denied = await shell(DENIED)
      expect(denied.error).to.deep.include({ code: 'policy_denied' })
      expect(denied.error?.details.denied).to.deep.equal(['disclose.dietary'])
      const undeclared = await shell(UNDECLARED)
      expect(undeclared.error).to.deep.include({ code: 'bad_request' })
    })
  })
}
