import { expect } from 'chai'
import { Memory } from '../../src/wire/memory.js'

describe('A memory of pure results', () => {
  it('works a result out once, also when it is null', () => {
    const memory = new Memory<string, number | null>(2)
    let worked = 0
    const work = (): number | null => (worked++ === 0 ? null : 1)
    expect([memory.recall('a', work), memory.recall('a', work)]).to.deep.equal([null, null])
    expect(worked).to.equal(1)
  })

  it('keeps what was asked for last, and forgets the rest', () => {
    const memory = new Memory<string, string>(2)
    const worked: string[] = []
    const recall = (key: string): string => memory.recall(key, () => (worked.push(key), key.toUpperCase()))
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(recall(key)).to.equal(key.toUpperCase())
    expect(worked).to.deep.equal(['a', 'b', 'c', 'b'])
  })
})
