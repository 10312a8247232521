import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { linesOf } from '../../src/api/plan-lines.js'
import { labelOf, withUnit, worded } from '../../src/api/words/labels.js'
import type { JsonObject } from '../../src/base/json.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import type { Artifact, Contract, Evidence } from '../../src/wire/envelope-bodies.js'

const RUN = { command: 'npm test', exitStatus: 0, durationMs: 9, output: { tail: 'ok', bytes: 2, sha256: 'ab' } }
const JUDGED = { passed: true, freshContext: true, verdictSource: 'script', note: 'n' } as const
const EVIDENCE: Required<Evidence> = {
  ...RUN,
  endToEnd: { passed: true, note: 'n' },
  verdictSource: 'script',
  secondOpinion: JUDGED
}
const ARTIFACT = { name: 'a', location: 'b', mediaType: 'c/d', size: 1, sha256: 'ab' } as unknown as Artifact
const CONTRACT: Required<Contract> = {
  objective: 'o',
  outputFormat: 'o',
  toolAndSourceGuidance: 't',
  boundaries: 'b',
  filesAndInterfaces: ['src'],
  acceptanceCheck: { passFailCommand: 'npm test', endToEndVerification: 'e' },
  contextID: 'c',
  dependsOn: ['x'],
  toolsAllowed: ['shell']
}
const TERMS = {
  cluster: 'c',
  payer: 'p',
  recipient: 'r',
  lamports: '1',
  reference: 'x',
  memo: 'm'
} as unknown as PaymentTerms
const WHOLE = [
  CONTRACT,
  { ...CONTRACT, filesAndInterfaces: [], dependsOn: [], toolsAllowed: [] },
  TERMS,
  { artifacts: [ARTIFACT], evidence: EVIDENCE, summary: 's' },
  { artifacts: [] },
  { at: 't', of: 'm', ...JUDGED, run: RUN }
] as unknown as JsonObject[]

describe('labels in plain words', () => {
  it('are there for every member of a contract, a payment, a result and a verdict, no two of one part alike', () => {
    for (const part of WHOLE) {
      const paths = linesOf(part).map(({ path }) => path)
      const labels = paths.map(labelOf)
      expect(new Set(labels).size, labels.join()).to.equal(labels.length)
      for (const path of paths) {
        expect(labelOf(path), path)
          .to.match(/^[a-zA-Z0-9 ,:-]+$/)
          .and.not.match(/[a-z][A-Z]/)
      }
    }
  })

  it('of a job are those of its type', () => {
    const { fields } = JSON.parse(readFileSync('protocols/types/job.request@1.json', 'utf8')) as {
      readonly fields: ReadonlyArray<{ readonly name: string; readonly label: string }>
    }
    for (const { name, label } of fields) expect(labelOf(name)).to.equal(label.toLowerCase())
  })

  it('count what stands in a list, and leave a path alone that has none', () => {
    expect(labelOf('artifacts[11].sha256')).to.equal('deliverable 12, SHA-256')
    for (const path of ['dietaryNotes[0]', 'constructor', 'artifacts[0]', 'evidence.x']) {
      expect(labelOf(path)).to.equal(path)
    }
  })

  it('go with units for numbers alone', () => {
    const cases = [
      ['lamports', '250000000', '0.25 SOL'],
      ['price', '0.25', '0.25 SOL'],
      ['artifacts[3].size', '17', '17 bytes'],
      ['evidence.durationMs', '9', '9 ms'],
      ['price', 'free', 'free'],
      ['brief', '7', '7'],
      ['lamports', '1e3', '1e3']
    ] as const
    for (const [path, text, said] of cases) expect(withUnit(path, text)).to.equal(said)
    expect(worded({ path: 'price', value: '"0.25"', field: 'price' })).to.deep.equal(['price', '0.25 SOL'])
    expect(worded({ path: 'brief', value: '"7"', field: 'brief' })).to.deep.equal(['brief', '"7"'])
  })
})
