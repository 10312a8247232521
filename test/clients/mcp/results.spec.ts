import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Client } from '../../../src/api/client.js'
import { NOTICE, type Tool, agentTools } from '../../../src/api/tools.js'
import type { Json, JsonObject } from '../../../src/base/json.js'
import { badRequest, conflict, refusal } from '../../../src/base/refusal.js'
import { ok } from '../../../src/base/result.js'
import { callTool } from '../../../src/clients/mcp/call-tool.js'
import type { NodeLine } from '../../../src/clients/mcp/node-line.js'
import { type ToolResult, remoteResult } from '../../../src/clients/mcp/result.js'
import { HOSTILE, UNSEEN, hostileValue } from './hostile.js'

/** A node that answers the same to everything. */
function lineOf(answer: unknown): NodeLine {
  const client = { call: async () => answer, close: () => undefined } as unknown as Client
  return { open: () => ok(client), close: () => undefined }
}

function argumentsOf({ places }: Tool): Record<string, string> {
  return Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => (place === 'params' ? [[name, 'x']] : []))
  )
}

const callOf = (tool: Tool, answer: unknown) =>
  callTool(tool, argumentsOf(tool), lineOf(answer), new AbortController().signal)
const textOf = (result: ToolResult) => result.content.map((part) => part.text).join('')

/** Checks the frame of a result with remote bytes, and gives what stands between its fence lines. */
function framed(result: ToolResult): Json {
  const text = textOf(result)
  const lines = text.split('\n')
  expect(lines[0]).to.equal(NOTICE)
  const opening = lines.findIndex((line) => line.startsWith('<<<'))
  const fence = (lines[opening] as string).slice(3)
  expect(fence).to.match(/^[0-9a-f]{32}$/)
  expect(lines.slice(opening + 2)).to.deep.equal([`${fence}>>>`])
  expect(text.split(fence).length, 'the fence stands twice, nowhere else').to.equal(3)
  expect(UNSEEN.test(text)).to.equal(false)
  expect(UNSEEN.test(JSON.stringify(result.structuredContent).replace(/\\[ntr]/g, ''))).to.equal(false)
  expect(Object.keys(result.structuredContent)[0]).to.equal('notice')
  expect(result.structuredContent['notice']).to.equal(NOTICE)
  const remote = JSON.parse(lines[opening + 1] as string) as Json
  expect(result.structuredContent['remote']).to.deep.equal(remote)
  return remote
}

/** What our own node says, outside the fence and outside `remote`. */
function ownWords(result: ToolResult): string {
  const lines = textOf(result).split('\n')
  const { remote: _remote, ...own } = result.structuredContent
  return [
    ...lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('<<<'))
    ),
    JSON.stringify(own)
  ].join('\n')
}

describe('results with remote bytes', () => {
  for (const tool of agentTools()) {
    const outputs = tool.outputSchema['properties'] as JsonObject
    const matches = new Ajv2020({ strict: false }).compile(tool.outputSchema)

    it(`${tool.name} keeps hostile texts in its fence, in whichever member they stand`, async () => {
      for (const start of HOSTILE.keys()) {
        let at = start
        const turn = (): string => HOSTILE[at++ % HOSTILE.length] as string
        const schema = (tool.remote ? outputs['remote'] : outputs['result']) as JsonObject
        const answer = hostileValue(schema, turn)
        const result = await callOf(tool, { ok: true, status: 200, replayed: false, body: answer })
        expect(matches(result.structuredContent), JSON.stringify(matches.errors)).to.equal(true)
        expect(result.isError).to.equal(undefined)
        if (!tool.remote) continue
        framed(result)
        for (const text of HOSTILE.slice(3, 8)) expect(ownWords(result)).to.not.include(text.slice(0, 24))
      }
    })

    it(`${tool.name} keeps hostile texts in the fence of a refusal`, async () => {
      for (const text of HOSTILE) {
        for (const said of [refusal('not_found', text, { seen: text }), badRequest('invalid_field', text, text)]) {
          const result = await callOf(tool, { ok: false, status: 400, refusal: said })
          expect(result.isError).to.equal(true)
          expect(matches(result.structuredContent), JSON.stringify(matches.errors)).to.equal(true)
          expect(framed(result)).to.have.nested.property('error.code', said.code)
          expect(result.structuredContent['error']).to.deep.include({ code: said.code })
        }
      }
    })
  }

  it('have another fence each time', () => {
    const fences = new Set(Array.from({ length: 100 }, () => /<<<(\w+)/.exec(textOf(remoteResult('x')))?.[1]))
    expect(fences.size).to.equal(100)
  })

  it('hold any text in their fence, and it can be read back', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...HOSTILE))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), text, (texts, name) => {
        framed(remoteResult({ items: texts, [name]: texts }))
      }),
      { numRuns: 300 }
    )
  })

  it('take a proposal of 64 KB', async () => {
    const tool = agentTools().find((each) => each.name === 'agentlink_task_status') as Tool
    const notes = HOSTILE.join(' ')
      .repeat(200)
      .slice(0, 64 * 1024)
    const remote = framed(await callOf(tool, { ok: true, status: 200, replayed: false, body: { task: { notes } } }))
    expect(JSON.stringify(remote).length).to.be.greaterThan(64 * 1024)
  })
})

describe('what a result says to do next', () => {
  const create = agentTools().find((tool) => tool.name === 'agentlink_create_task') as Tool
  const body = { status: 'pending_approval', approvalId: 'a1', taskUid: 't1' }

  it('is not to wait for the owner', async () => {
    const result = await callOf(create, { ok: true, status: 202, replayed: false, body })
    expect(result.structuredContent['advice']).to.match(
      /owner must approve.*Do not wait.*do not send it again.*agentlink_approval/
    )
    expect(result.structuredContent['remote']).to.deep.equal(body)
    expect(textOf(result)).to.include('Your node: Nothing was done yet')
  })

  const named = (name: string) => agentTools().find((tool) => tool.name === name) as Tool
  const adviceAfter = async (tool: Tool, answer: object): Promise<unknown> =>
    (await callOf(tool, answer)).structuredContent['advice']

  for (const tool of agentTools().filter(({ annotations }) => !annotations.readOnlyHint)) {
    const repeats = tool.route === 'actions.run'
    it(`${tool.name} ${repeats ? 'must be called again' : 'must not be called again'} after the owner's yes`, async () => {
      if (tool.places['idempotencyKey'] === undefined) return
      const advice = await adviceAfter(tool, { ok: true, status: 202, replayed: false, body })
      expect(advice).to.match(repeats ? /same call again, with this approvalId/ : /by itself: do not send it again/)
    })
  }

  for (const [kind, status, advises] of [
    ['action', 'approved', true],
    ['action', 'pending', false],
    ['action', 'used', false],
    ['disclosure', 'used', false],
    ['payment', 'approved', false]
  ] as const) {
    it(`of a question about ${kind} that is ${status} is ${advises ? 'to run it again' : 'nothing'}`, async () => {
      const answered = { ok: true, status: 200, replayed: false, body: { approval: { ...body, kind, status } } }
      const advice = await adviceAfter(named('agentlink_approval'), answered)
      if (advises) expect(advice).to.match(/agentlink_run_action again, with this approvalId/)
      else expect(advice).to.equal(undefined)
    })
  }

  for (const [code, rule, says] of [
    ['rate_limited', 'too_many_tasks', /agentlink_cancel_task ends one.*call again/],
    ['rate_limited', 'too_many_envelopes', /agent_cancel_task.*call again/],
    ['rate_limited', 'too_many_approvals', /call again when some are answered/],
    ['rate_limited', 'queue_full', /agentlink_contacts shows less undelivered/],
    ['conflict', 'approval_mismatch', /leave approvalId out/],
    ['conflict', 'approval_stale', /without approvalId/],
    ['conflict', 'approval_expired', /without approvalId/],
    ['policy_denied', 'over_day_limit', /limit on payments/]
  ] as const) {
    it(`is, after ${rule}, what must happen and when to call again`, async () => {
      const answer = { ok: false, status: 400, refusal: refusal(code, 'no', { code: rule, denied: [], fields: [] }) }
      expect(await adviceAfter(create, answer)).to.match(says)
    })
  }

  for (const rule of ['too_many_calls', 'too_many_waits', 'too_many_failures'] as const) {
    it(`is to wait the seconds that the node says after ${rule}`, async () => {
      const said = refusal('rate_limited', 'no', { code: rule, retryAfter: 7 })
      expect(await adviceAfter(create, { ok: false, status: 429, refusal: said })).to.match(/^Nothing.*Wait 7 s/)
    })
  }

  it('names the place of a member that is at fault, where the result has it', async () => {
    const said = badRequest('invalid_field', 'no', 'proposal.time')
    const { structuredContent } = await callOf(create, { ok: false, status: 400, refusal: said })
    const path = /what (remote\.\S+) names/.exec(structuredContent['advice'] as string)?.[1] ?? ''
    expect(structuredContent).to.have.nested.property(path, 'proposal.time')
    const local = await callTool(create, { no: 1 }, lineOf({}), new AbortController().signal)
    expect(local.structuredContent['advice']).to.include('error.field')
    expect(local.structuredContent).to.have.nested.property('error.field', 'no')
  })

  it('is to leave out what may not be told, and nothing where no field could be left out', async () => {
    const no = (fields: string[]) => refusal('policy_denied', 'no', { denied: ['disclose.notes'], fields })
    const withField = await adviceAfter(create, { ok: false, status: 403, refusal: no(['notes']) })
    expect(withField).to.include('remote.error.details.fields')
    const without = await adviceAfter(create, { ok: false, status: 403, refusal: no([]) })
    expect(without).to.match(/no field can be left out/)
  })

  it('is to read again after a conflict', async () => {
    const said = conflict('version_conflict', 'read the task again')
    const { structuredContent } = await callOf(create, { ok: false, status: 409, refusal: said })
    expect(structuredContent['error']).to.deep.equal({ code: 'conflict', rule: 'version_conflict' })
    expect(structuredContent['advice']).to.include('Read it again')
  })

  it('is to repeat a call with the same key when its outcome is not known', async () => {
    const lost = { ok: false, status: 0, refusal: refusal('unavailable', 'no answer'), unsure: true }
    const result = await callTool(create, { idempotencyKey: 'k-1' }, lineOf(lost), new AbortController().signal)
    expect(result.structuredContent['advice']).to.include('idempotencyKey k-1')
    expect(result.structuredContent).to.not.have.property('notice')
  })

  it('is to tell the owner when no node runs', async () => {
    const down = { ok: false, status: 0, refusal: refusal('unavailable', 'the node is not running') }
    const { structuredContent } = await callOf(create, down)
    expect(structuredContent['advice']).to.include('Tell your owner that the node is not running')
  })
})
