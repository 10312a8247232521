/** The committed transcripts against the code and their JSON Schema: what a second implementation runs as well. */
import { readFileSync, readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { fromBase64url, toUtf8 } from '../../src/base/bytes.js'
import { instantOf } from '../../src/base/time.js'
import { verifyTranscript } from '../../src/tasks/transcript/verify.js'
import { publicKeyOf } from '../../src/wire/keys.js'
import { ENVELOPE_STATES } from '../../src/wire/envelope-bodies.js'
import { readVectors } from '../support/vectors/form.js'
import { provedBy } from '../support/vectors/transcript-story.js'

const SCHEMAS = new URL('../../protocols/schemas/', import.meta.url)
const { cases } = readVectors('transcripts')

function transcriptSchema(): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false })
  ajv.addFormat('agent-id', (text) => publicKeyOf(text).ok)
  ajv.addFormat('instant', (text) => instantOf(text) !== undefined)
  ajv.addFormat('base64url', (text) => fromBase64url(text) !== undefined)
  for (const file of readdirSync(SCHEMAS).filter((name) => name === 'forms.json')) {
    ajv.addSchema(JSON.parse(readFileSync(new URL(file, SCHEMAS), 'utf8')) as object)
  }
  return ajv.compile(JSON.parse(readFileSync(new URL('transcript.json', SCHEMAS), 'utf8')) as object)
}

describe('The vectors of transcripts', () => {
  for (const one of cases) {
    it(`hold: ${one.name}`, () => {
      const verified = verifyTranscript(toUtf8(one['file'] as string), instantOf(one['at'] as string) as number)
      if (!verified.ok) {
        const { code, field } = verified.refusal.details
        expect([code ?? verified.refusal.code, field]).to.deep.equal([one.refused, one['field']])
        return
      }
      const { name, at, file } = one
      expect({ name, at, file, ...provedBy(verified.value) }).to.deep.equal(one)
    })
  }

  it('are of every outcome', () => {
    const statuses = new Set(cases.map((one) => one['status']).filter((status) => status !== undefined))
    expect([...statuses]).to.have.members([
      ...['open', 'expired', 'agreed', 'confirmed', 'cancelled', 'negotiating', 'completed']
    ])
    const states = new Set(cases.map((one) => one['state']).filter((state) => state !== undefined))
    expect([...ENVELOPE_STATES].filter((state) => !states.has(state))).to.deep.equal([
      'input_required',
      'auth_required'
    ])
  })

  it('agree with the JSON Schema of the file', () => {
    const fits = transcriptSchema()
    const byShape = new Set(['a member that is not known', 'no seal', 'another version', 'another format'])
    for (const one of cases) {
      const file = one['file'] as string
      if (!file.endsWith('}')) continue
      expect(fits(JSON.parse(file)), one.name).to.equal(!byShape.has(one.name))
    }
  })
})
