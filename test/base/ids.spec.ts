import { expect } from 'chai'
import { parseApprovalId, parseMessageId, parseTaskUid, parseTypeHash } from '../../src/base/ids.js'

describe('Ids', () => {
  for (const [name, parse, digits] of [
    ['a message id', parseMessageId, 64],
    ['a type hash', parseTypeHash, 64],
    ['a task uid', parseTaskUid, 32],
    ['an approval id', parseApprovalId, 32]
  ] as const) {
    it(`${name} has ${digits} lower-case hex digits and nothing else`, () => {
      const good = 'a0'.repeat(digits / 2)
      expect(parse(good)).to.deep.equal({ ok: true, value: good })
      for (const bad of [
        '',
        good.slice(1),
        `${good}0`,
        good.toUpperCase(),
        `${good.slice(1)}g`,
        `${good}\n`,
        ` ${good.slice(1)}`
      ]) {
        const parsed = parse(bad, 'here')
        expect(parsed.ok ? bad : parsed.refusal.details).to.deep.equal({ code: 'malformed_id', field: 'here' })
      }
    })
  }
})
