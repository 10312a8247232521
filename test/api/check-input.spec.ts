import { expect } from 'chai'
import { z } from 'zod'
import { checkInput } from '../../src/api/check-input.js'

const schema = z.strictObject({
  name: z.string().min(2).max(4),
  hours: z.int().min(1).max(720).exactOptional(),
  decision: z.enum(['accept', 'reject']).exactOptional(),
  always: z.literal('yes').exactOptional(),
  plan: z.record(z.string(), z.unknown()).exactOptional(),
  many: z.array(z.boolean()).min(1).max(2).exactOptional()
})

describe('what a caller reads of a member that is wrong', () => {
  const cases: Array<[string, unknown, string]> = [
    ['a missing one', {}, 'body member name: it is needed'],
    ['one of another kind', { name: 7 }, 'body member name: it must be a text'],
    ['one too short', { name: 'a' }, 'body member name: it must have at least 2 characters'],
    ['one too long', { name: 'abcde' }, 'body member name: it must have at most 4 characters'],
    ['a number that is not whole', { name: 'abc', hours: 1.5 }, 'body member hours: it must be a whole number'],
    ['a number too small', { name: 'abc', hours: 0 }, 'body member hours: it must be at least 1'],
    ['a number too big', { name: 'abc', hours: 721 }, 'body member hours: it must be at most 720'],
    ['a word off the list', { name: 'abc', decision: 'no' }, 'body member decision: it must be one of accept, reject'],
    ['another than the only word', { name: 'abc', always: 'no' }, 'body member always: it must be yes'],
    ['a list where an object belongs', { name: 'abc', plan: [] }, 'body member plan: it must be an object'],
    ['a text where a list belongs', { name: 'abc', many: 'x' }, 'body member many: it must be a list'],
    ['a list too long', { name: 'abc', many: [true, true, true] }, 'body member many: it must have at most 2 items'],
    ['a wrong item', { name: 'abc', many: ['x'] }, 'body member many.0: it must be true or false'],
    ['an unknown one', { name: 'abc', extra: 1 }, 'body member extra: this call does not take it'],
    ['no object at all', 'x', 'body: it must be an object']
  ]
  for (const [what, value, message] of cases) {
    it(`says the rule in plain words for ${what}`, () => {
      const outcome = checkInput(schema, value, 'body')
      expect(outcome.ok ? 'accepted' : outcome.refusal.message).to.equal(message)
    })
  }
})
