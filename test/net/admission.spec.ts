import { expect } from 'chai'
import fc from 'fast-check'
import { type Admission, createAdmission, type Guest } from '../../src/net/admission.js'

const LIMITS = { strangers: 4, strangersPerAddress: 2, perPeer: 2, strangerMs: 1000 }

interface Visit extends Guest {
  dismissed: string | undefined
}

function visit(peerId: string, address = 'a', direction: 'inbound' | 'outbound' = 'inbound', idle = true): Visit {
  return {
    peerId,
    address,
    direction,
    dismissed: undefined,
    idle: () => idle,
    dismiss(reason) {
      this.dismissed = reason
    }
  }
}

describe('who may stay connected', () => {
  let time: number
  let admission: Admission
  beforeEach(() => {
    time = 0
    admission = createAdmission(LIMITS, () => time)
  })

  it('takes strangers up to their places, per address and all together', () => {
    const verdicts = ['a', 'a', 'a', 'b', 'b', 'c'].map((address, i) => admission.admit(visit(`p${i}`, address)))
    expect(verdicts).to.deep.equal(['admitted', 'admitted', 'address_full', 'admitted', 'admitted', 'strangers_full'])
  })

  it('takes one stranger twice, from whatever addresses', () => {
    const verdicts = ['a', 'b', 'c'].map((address) => admission.admit(visit('p', address)))
    expect(verdicts).to.deep.equal(['admitted', 'admitted', 'peer_full'])
  })

  it('always takes contacts, however full of strangers it is and behind whatever address', () => {
    for (let i = 0; i < 4; i++) admission.admit(visit(`p${i}`, `a${i}`))
    const friends = Array.from({ length: 300 }, (_, i) => `friend${i}`)
    admission.setContacts(new Set(friends))
    expect(friends.every((peer) => admission.admit(visit(peer)) === 'admitted')).to.equal(true)
    expect(admission.admit(visit('stranger', 'new'))).to.equal('strangers_full')
  })

  it("puts a contact's newest connection in the place of its oldest inbound one", () => {
    admission.setContacts(new Set(['friend']))
    const visits = [visit('friend', 'x', 'outbound'), visit('friend', 'y'), visit('friend', 'z')] as const
    expect(visits.map((each) => admission.admit(each))).to.deep.equal(['admitted', 'admitted', 'admitted'])
    expect(visits.map((each) => each.dismissed !== undefined)).to.deep.equal([false, true, false])
  })

  it('counts no dial of our own as a stranger', () => {
    for (let i = 0; i < 50; i++) expect(admission.admit(visit(`p${i}`, 'a', 'outbound'))).to.equal('admitted')
    expect(admission.admit(visit('stranger'))).to.equal('admitted')
  })

  it('gives a place back when its guest leaves', () => {
    const guests = [visit('p1'), visit('p2')] as const
    for (const guest of guests) admission.admit(guest)
    admission.release(guests[0])
    expect(admission.admit(visit('p3'))).to.equal('admitted')
  })

  it('sends strangers away after their time, not contacts, and not what we dialled and still use', () => {
    admission.setContacts(new Set(['friend']))
    const stay = [visit('friend'), visit('dialled', 'b', 'outbound', false)]
    const go = [visit('stranger'), visit('unused', 'c', 'outbound')]
    for (const each of [...stay, ...go]) admission.admit(each)
    time = 999
    admission.sweep()
    expect([...stay, ...go].map((each) => each.dismissed)).to.deep.equal([undefined, undefined, undefined, undefined])
    time = 1000
    admission.sweep()
    expect(stay.map((each) => each.dismissed)).to.deep.equal([undefined, undefined])
    expect(go.every((each) => each.dismissed !== undefined)).to.equal(true)
  })

  it('keeps a stranger who became a contact, and gives who stops being one the time of a stranger', () => {
    const guest = visit('p')
    admission.admit(guest)
    admission.setContacts(new Set(['p']))
    time = 5000
    admission.sweep()
    expect(guest.dismissed).to.equal(undefined)
    admission.setContacts(new Set())
    admission.sweep()
    expect(guest.dismissed).to.equal(undefined)
    time = 6000
    admission.sweep()
    expect(guest.dismissed).to.be.a('string')
  })

  it('never holds more than its caps, whatever comes and goes', () => {
    const act = fc.record({
      peer: fc.integer({ min: 0, max: 9 }),
      address: fc.integer({ min: 0, max: 3 }),
      leave: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const one = createAdmission(LIMITS, () => 0)
        one.setContacts(new Set(['p0', 'p1']))
        const inside = new Set<Visit>()
        for (const { peer, address, leave } of acts) {
          const guest = visit(`p${peer}`, `a${address}`)
          if (one.admit(guest) === 'admitted') inside.add(guest)
          for (const each of inside) if (each.dismissed !== undefined) inside.delete(each)
          const first = [...inside][0]
          if (leave && first !== undefined) {
            one.release(first)
            inside.delete(first)
          }
          const strangers = [...inside].filter((each) => !['p0', 'p1'].includes(each.peerId))
          expect(strangers.length).to.be.at.most(LIMITS.strangers)
          for (const each of inside) {
            expect([...inside].filter((other) => other.peerId === each.peerId).length).to.be.at.most(LIMITS.perPeer)
          }
        }
      })
    )
  })
})
