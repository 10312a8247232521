import { expect } from 'chai'
import type { TaskUid } from '../../src/base/ids.js'
import { Readings } from '../../src/flows/readings.js'

const UID = 'ab'.repeat(16) as TaskUid

describe('What was read of a record', () => {
  it('holds for that very record, and gives way to what is read of a newer one', () => {
    const readings = new Readings<{ uid: TaskUid; role: 'inviter' }, string>()
    const [older, newer] = [{ uid: UID, role: 'inviter' } as const, { uid: UID, role: 'inviter' } as const]
    expect(readings.of(older)).to.equal(undefined)
    expect(readings.keep(older, 'one')).to.equal('one')
    expect(readings.of(older)).to.equal('one')
    expect(readings.of(newer)).to.equal(undefined)
    readings.keep(newer, 'two')
    expect(readings.of(newer)).to.equal('two')
    expect(readings.of(older)).to.equal(undefined)
  })

  it('is kept for both sides of a task between two agents of one node', () => {
    const readings = new Readings<{ uid: TaskUid; role: 'inviter' | 'invitee' }, string>()
    const [mine, theirs] = [{ uid: UID, role: 'inviter' } as const, { uid: UID, role: 'invitee' } as const]
    readings.keep(mine, 'one')
    readings.keep(theirs, 'two')
    expect([readings.of(mine), readings.of(theirs)]).to.deep.equal(['one', 'two'])
  })
})
