import { expect } from 'chai'
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { type TestApi, PROPOSAL_ID, TOKENS, startTestApi } from './double.js'

const run = promisify(execFile)

/** The four commands of seed 002, with the ids that it leaves to the reader filled in by the shell. */
const CREATE = `curl -sS -X POST "$AGENTLINK_URL/v1/agent/tasks" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"type":"dinner.coordination","participant":"al1...","title":"Dinner with Bob","expiresInHours":48,
       "proposal":{"date":"2026-11-14","time":"19:00","timezone":"America/Toronto","cuisine":"Italian","partySize":2}}'`
const PROPOSE = `curl -sS -X POST "$AGENTLINK_URL/v1/agent/tasks/$TASK_UID/proposals" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"proposal":{"date":"2026-11-14","time":"19:45","timezone":"America/Toronto","cuisine":"Italian","partySize":2,
       "dietaryNotes":["vegetarian"],"venue":{"name":"Trattoria Nonna","area":"Little Italy"}}}'`
const READ = `curl -sS "$AGENTLINK_URL/v1/agent/tasks/$TASK_UID" -H "Authorization: Bearer $TOKEN"`
const RESPOND = `curl -sS -X POST "$AGENTLINK_URL/v1/agent/tasks/$TASK_UID/responses" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"proposalId":"<proposalId of version 2>","decision":"accept"}'`

interface Answer {
  readonly status?: string
  readonly task: { readonly taskUid: string; readonly proposals: readonly { readonly proposalId: string }[] }
  readonly error?: { readonly code: string; readonly details: Record<string, unknown> }
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
}

for (const way of ['loopback TCP', 'the unix socket', "the agent's own socket"]) {
  describe(`the commands of seed 002 over ${way}`, function () {
    let api: TestApi
    before(async function () {
      if (!hasCurl()) this.skip()
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
      const denied = await shell(CREATE.replace('"partySize":2', '"partySize":2,"dietaryNotes":["no shellfish"]'))
      expect(denied.error).to.deep.include({ code: 'policy_denied' })
      expect(denied.error?.details.denied).to.deep.equal(['disclose.dietary'])
      const undeclared = await shell(CREATE.replace('"partySize":2', '"partySize":2,"homeAddress":"12 Elm"'))
      expect(undeclared.error).to.deep.include({ code: 'bad_request' })
    })
  })
}
