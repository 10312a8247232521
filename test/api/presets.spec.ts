import { expect } from 'chai'
import { type TestApi, startTestApi } from './test-api.js'
import { PRESET, TOKENS } from './views.js'
import { JSON_TYPE, type RawAnswer, refusalOf, send } from './raw.js'

const PATH = '/v1/owner/presets'

describe('the routes of presets', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())
  beforeEach(() => api.clock.pass(10_000))

  function apply(body: unknown, name = 'private', token = TOKENS.owner): Promise<RawAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send(
      { path: api.socket },
      { method: 'POST', target: `${PATH}/${name}`, token, headers: [JSON_TYPE], body: text }
    )
  }

  it('hand name, agent and digest to the door, and answer the preset', async () => {
    const shown = await send({ path: api.socket }, { target: `${PATH}/private?agent=work`, token: TOKENS.owner })
    expect(JSON.parse(shown.text)).to.deep.equal({ preset: PRESET })
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ preset: 'private', agent: 'work' })
    const applied = await apply({ digest: PRESET.digest, agent: 'work' })
    expect([applied.status, JSON.parse(applied.text)]).to.deep.equal([200, { preset: PRESET }])
    expect(api.doors.calls.inputs.at(-1)).to.deep.equal({ preset: 'private', agent: 'work', digest: PRESET.digest })
  })

  it('refuse what was not shown with 409, and an unknown name with 404', async () => {
    const stale = await apply({ digest: '00'.repeat(32) })
    expect([stale.status, refusalOf(stale).details]).to.deep.equal([409, { code: 'preset_stale', field: 'digest' }])
    const unknown = await apply({ digest: PRESET.digest }, 'closed')
    expect([unknown.status, refusalOf(unknown).details.field]).to.deep.equal([404, 'preset'])
  })

  const bad: ReadonlyArray<[unknown, string, string | undefined]> = [
    [{}, 'missing_field', 'digest'],
    [{ digest: null }, 'invalid_field', 'digest'],
    [{ digest: 'DE'.repeat(32) }, 'invalid_field', 'digest'],
    [{ digest: 'de'.repeat(31) }, 'invalid_field', 'digest'],
    [{ digest: ` ${PRESET.digest}` }, 'invalid_field', 'digest'],
    [{ digest: [PRESET.digest] }, 'invalid_field', 'digest'],
    [{ digest: PRESET.digest, agent: 7 }, 'invalid_field', 'agent'],
    [{ digest: PRESET.digest, force: true }, 'unknown_member', 'force'],
    ['{"digest":1,"digest":2}', 'duplicate_key', undefined]
  ]
  for (const [body, code, field] of bad) {
    it(`refuse ${JSON.stringify(body).slice(0, 60)} with ${code}`, async () => {
      const before = api.doors.calls.names.length
      const { details } = refusalOf(await apply(body))
      expect([details.code, details.field]).to.deep.equal([code, field])
      expect(api.doors.calls.names).to.have.length(before)
    })
  }

  it('are closed to the token of an agent', async () => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: JSON.stringify({ digest: PRESET.digest }) } : {}
      const request = { method, target: `${PATH}/open`, token: TOKENS.alice, headers: [JSON_TYPE], ...body }
      expect((await send({ path: api.socket }, request)).status).to.equal(401)
      expect((await send({ path: api.aliceSocket }, request)).status).to.equal(404)
    }
  })
})
