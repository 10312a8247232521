import { expect } from 'chai'
import { StoreFailure } from '../../src/store/failure.js'
import { kvRangeOf } from '../../src/store/ranges.js'
import { Recent } from '../../src/store/recent.js'
import { TABLES, decodeAt, keyAt, placeOf } from '../../src/store/tables.js'

describe('the tables', () => {
  const prefixes = Object.values(TABLES).map(({ prefix }) => prefix)

  it('have prefixes of two letters, each its own', () => {
    expect(new Set(prefixes).size).to.equal(prefixes.length)
    for (const prefix of prefixes) expect(prefix).to.match(/^[a-z]{2}$/)
  })

  it('find the key in the place of a record', () => {
    expect(placeOf('inbox', 'a/b')).to.equal('in:a/b')
    expect(keyAt('inbox', 'in:a/b')).to.equal('a/b')
  })

  it('name the record that can not be read', () => {
    expect(() => decodeAt('desks', 'al1x', Uint8Array.of(0x7b))).to.throw(StoreFailure, 'de:al1x')
  })

  it('are bounded by their own prefix', () => {
    expect(kvRangeOf('inbox', { prefix: '' })).to.deep.equal({ gte: 'in:', lt: 'in;' })
    expect(kvRangeOf('inbox', { prefix: 'a/', after: '5', before: '7', reverse: true, limit: 3 })).to.deep.equal({
      gte: 'in:a/5\u0000',
      lt: 'in:a/7',
      reverse: true,
      limit: 3
    })
    expect(() => kvRangeOf('inbox', { prefix: 'ä' })).to.throw(RangeError)
  })
})

describe('the memory of recent values', () => {
  it('keeps within its bytes what was used last', () => {
    const recent = new Recent(200)
    for (let i = 0; i < 12; i++) {
      recent.set(`k${i}`, i, 18)
      expect(recent.find('k0'), `after ${i}`).to.include({ value: 0 })
    }
    expect(recent.find('k8')).to.include({ value: 8 })
    expect(recent.find('k1')).to.equal(undefined)
  })

  it('keeps nothing that is larger than half of it, and forgets the old value', () => {
    const recent = new Recent(200)
    recent.set('k', 'old', 10)
    recent.set('k', 'new', 101)
    expect(recent.find('k')).to.equal(undefined)
  })

  it('replaces and forgets values, and remembers that there is none', () => {
    const recent = new Recent(200)
    recent.set('a', 1, 10)
    recent.set('a', 2, 10)
    expect(recent.find('a')).to.include({ value: 2 })
    recent.set('a', undefined, 0)
    expect(recent.find('a'), 'nothing is there, which is known').to.include({ value: undefined })
    recent.set('b', 3, 10)
    recent.clear()
    expect(recent.find('b')).to.equal(undefined)
  })
})
