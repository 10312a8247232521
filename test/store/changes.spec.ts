import { expect } from 'chai'
import fc from 'fast-check'
import { Changes } from '../../src/store/changes.js'

describe('the changes of one step', () => {
  it('are the last of each record in the order of the first, however many there are', () => {
    const puts = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.option(fc.nat(), { nil: undefined })), { maxLength: 150 })
    fc.assert(
      fc.property(puts, (list) => {
        const changes = new Changes()
        const model = new Map<string, number | undefined>()
        for (const [record, value] of list) {
          const place = `ta:${record}`
          expect(changes.at(place) === undefined).to.equal(!model.has(place))
          changes.set('tasks', place, value)
          model.set(place, value)
          expect(changes.at(place)).to.deep.equal({ table: 'tasks', place, value })
        }
        expect([...changes].map(({ place, value }) => [place, value])).to.deep.equal([...model])
        expect(changes.size).to.equal(model.size)
      })
    )
  })
})
