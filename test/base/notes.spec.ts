import { expect } from 'chai'
import { Notes } from '../../src/base/notes.js'

describe('Notes on an object', () => {
  it('are read back, and written anew', () => {
    const notes = new Notes<object, string>()
    const object = {}
    expect(notes.of(object)).to.equal(undefined)
    notes.write(object, 'a')
    notes.write(object, 'b')
    expect(notes.of(object)).to.equal('b')
  })

  it('are apart from those of another kind', () => {
    const [some, others] = [new Notes<object, number>(), new Notes<object, number>()]
    const object = {}
    some.write(object, 1)
    expect(others.of(object)).to.equal(undefined)
  })

  it('belong to the object alone: a copy has none, and nobody sees them', () => {
    const notes = new Notes<object, number>()
    const object = { a: 1 }
    notes.write(object, 1)
    expect(notes.of({ ...object })).to.equal(undefined)
    expect(object).to.deep.equal({ a: 1 })
    expect(JSON.stringify(object)).to.equal('{"a":1}')
  })

  it('can stand on bytes', () => {
    const notes = new Notes<Uint8Array, string>()
    const bytes = Uint8Array.of(1, 2)
    notes.write(bytes, 'a')
    expect(notes.of(bytes)).to.equal('a')
    expect(notes.of(Uint8Array.from(bytes))).to.equal(undefined)
  })
})
