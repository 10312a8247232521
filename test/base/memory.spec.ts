import { expect } from 'chai'
import { Memory } from '../../src/base/memory.js'

describe('A memory of pure results', () => {
  it('works a result out once, also when it is null', () => {
    const memory = new Memory<string, number | null>(2)
    let worked = 0
    const work = (): number | null => (worked++ === 0 ? null : 1)
    expect([memory.recall('a', work), memory.recall('a', work)]).to.deep.equal([null, null])
    expect(worked).to.equal(1)
  })

  it('keeps what is asked for again and again, and forgets the rest', () => {
    const memory = new Memory<string, string>(4)
    const worked: string[] = []
    const recall = (key: string): string => memory.recall(key, () => (worked.push(key), key.toUpperCase()))
    for (const key of ['a', 'b', 'a', 'c', 'a', 'd', 'e', 'a', 'f', 'a', 'b']) {
      expect(recall(key)).to.equal(key.toUpperCase())
    }
    expect(worked).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f', 'b'])
  })

  it('holds no more than its capacity', () => {
    const memory = new Memory<number, number>(4)
    let worked = 0
    for (let key = 0; key < 100; key++) memory.recall(key, () => key)
    for (let key = 0; key < 100; key++) memory.recall(key, () => (worked++, key))
    expect(worked).to.be.at.least(96)
  })
})
