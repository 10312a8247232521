import { expect } from 'chai'
import fc from 'fast-check'
import { ok } from '../../src/base/result.js'
import type { Once } from '../../src/flows/doors.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS, UID, taskView } from './views.js'
import { JSON_TYPE, refusalOf, send } from './raw.js'

describe('an Idempotency-Key', () => {
  let api: TestApi
  let seen: (Once | undefined)[]
  before(async () => {
    const plain = await startTestApi()
    const note = async (once: Once | undefined) => {
      seen.push(once)
      return ok({ answer: { status: 'sent' as const, task: taskView() }, replayed: false })
    }
    api = await startTestApi({
      agent: {
        ...plain.doors.agent,
        createTask: (_agent, _command, once) => note(once),
        propose: (_agent, _uid, _command, once) => note(once),
        respond: (_agent, _uid, _command, once) => note(once),
        cancel: (_agent, _uid, _command, once) => note(once)
      }
    })
    await plain.stop()
  })
  after(() => api.stop())
  beforeEach(() => {
    seen = []
  })

  const BODY = '{"proposal":{}}'
  const propose = (key: readonly string[], uid = UID, token = TOKENS.alice, body = BODY) =>
    send(
      { path: api.socket },
      {
        method: 'POST',
        target: `/v1/agent/tasks/${uid}/proposals`,
        token,
        headers: [JSON_TYPE, ...key.map((each) => `Idempotency-Key: ${each}`)],
        body
      }
    )

  it('belongs to caller, route with its path, and key; the body by its hash', async () => {
    await propose(['k1'])
    expect(seen).to.deep.equal([
      {
        key: `al1alice|POST /v1/agent/tasks/${UID}/proposals|k1`,
        // sha256sum of {"proposal":{}}
        bodyHash: 'c2ee67978210469395e1d853c07a74f448a7e1c5b75f7f7b16196221b4a22eb2'
      }
    ])
  })

  it('differs by caller, task, route and key, and not by how the path is written', async () => {
    await propose(['k'])
    await propose(['k'], UID, TOKENS.bob)
    await propose(['k'], 'f'.repeat(32))
    await propose(['K'])
    await propose(['k'], `%30${UID.slice(1)}`)
    const keys = seen.map((once) => once?.key)
    expect(new Set(keys).size).to.equal(4)
    expect(keys[4]).to.equal(keys[0])
  })

  it('is told apart from another body by one byte', async () => {
    await propose(['k'])
    await propose(['k'], UID, TOKENS.alice, '{"proposal":{} }')
    expect(seen[0]?.key).to.equal(seen[1]?.key)
    expect(seen[0]?.bodyHash).to.not.equal(seen[1]?.bodyHash)
  })

  it('may be missing', async () => {
    await propose([])
    expect(seen).to.deep.equal([undefined])
  })

  it('takes every visible ASCII character, up to 128 of them', async () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 128
    })
    await fc.assert(
      fc.asyncProperty(visible, async (key) => {
        expect((await propose([key])).status).to.equal(200)
        expect(seen.at(-1)?.key.endsWith(`|${key}`)).to.equal(true)
      }),
      { numRuns: 50 }
    )
  })

  const BAD: [string, string[]][] = [
    ['is empty', ['']],
    ['has 129 characters', ['k'.repeat(129)]],
    ['has a space inside', ['a b']],
    ['has a tab inside', ['a\tb']],
    ['is not ASCII', ['k\xe9']],
    ['is given twice', ['a', 'a']]
  ]
  for (const [what, keys] of BAD) {
    it(`is refused when it ${what}`, async () => {
      const answer = await propose(keys)
      expect([answer.status, refusalOf(answer).details.code]).to.deep.equal([400, 'bad_idempotency_key'])
      expect(seen).to.deep.equal([])
    })
  }

  it('is checked, and stores nothing, on a POST that changes nothing the second time', async () => {
    const ack = (key: string) =>
      send(
        { path: api.socket },
        {
          method: 'POST',
          target: '/v1/agent/inbox/ack',
          token: TOKENS.alice,
          headers: [JSON_TYPE, `Idempotency-Key: ${key}`],
          body: '{"upTo":3}'
        }
      )
    expect((await ack('k')).status).to.equal(200)
    expect((await ack('a b')).status).to.equal(400)
  })

  it('marks a replayed answer by a header, with the status it had', async () => {
    const plain = await startTestApi()
    const create = () =>
      send(
        { path: plain.socket },
        {
          method: 'POST',
          target: '/v1/agent/tasks',
          token: TOKENS.alice,
          headers: [JSON_TYPE, 'Idempotency-Key: k'],
          body: '{"type":"x","participant":"@b","proposal":{}}'
        }
      )
    const first = await create()
    const again = await create()
    expect([first.status, first.headers.get('idempotent-replayed')]).to.deep.equal([201, undefined])
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([201, 'true'])
    expect(again.text).to.equal(first.text)
    await plain.stop()
  })
})
