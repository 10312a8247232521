import { expect } from 'chai'
import { createHandshakes, type Handshakes, type Newcomer } from '../../src/net/handshakes.js'
import { createMeter } from '../../src/base/meter.js'

const LIMITS = { handshakesPerAddress: 2, handshakesPerContactAddress: 4, waitingPerAddress: 3 }

function handshakes(atOnce = 1000): Handshakes {
  return createHandshakes(
    LIMITS,
    createMeter({ perSecond: 1, atOnce, maxKeys: 100 }, () => 0)
  )
}

function newcomer(): Newcomer & { paused: boolean } {
  return {
    paused: false,
    pause() {
      this.paused = true
    },
    resume() {
      this.paused = false
    }
  }
}

describe('the line before a handshake', () => {
  it('lets two of one address in at a time, and others of that address wait unread, in order', async () => {
    const line = handshakes()
    const guests = [newcomer(), newcomer(), newcomer(), newcomer()] as const
    const turns = guests.map((guest) => line.enter('a', guest))
    expect(turns.slice(0, 2)).to.deep.equal([true, true])
    expect(guests.map((guest) => guest.paused)).to.deep.equal([false, false, true, true])
    line.leave(guests[1])
    expect(await turns[2]).to.equal(true)
    line.leave(guests[0])
    expect(await turns[3]).to.equal(true)
    expect(guests.some((guest) => guest.paused)).to.equal(false)
  })

  it('refuses at once who finds the line of its address full', () => {
    const line = handshakes()
    for (let i = 0; i < 5; i++) void line.enter('a', newcomer())
    expect(line.enter('a', newcomer())).to.equal(false)
    expect(line.enter('b', newcomer())).to.equal(true)
  })

  it('does not wait for who hung up while waiting', async () => {
    const line = handshakes()
    const [first, second, third, fourth] = [newcomer(), newcomer(), newcomer(), newcomer()]
    void line.enter('a', first)
    void line.enter('a', second)
    const turns = [line.enter('a', third), line.enter('a', fourth)]
    line.leave(third)
    line.leave(first)
    expect([await turns[0], await turns[1]]).to.deep.equal([false, true])
  })

  it('gives an address from which a contact came a larger share', () => {
    const line = handshakes()
    line.welcome('a')
    expect(Array.from({ length: 4 }, () => line.enter('a', newcomer()))).to.deep.equal([true, true, true, true])
  })

  it('counts leaving twice once', () => {
    const line = handshakes()
    const guests = [newcomer(), newcomer()]
    for (const guest of guests) void line.enter('a', guest)
    for (let i = 0; i < 3; i++) line.leave(guests[0] as Newcomer)
    expect(line.enter('a', newcomer())).to.equal(true)
    expect(line.enter('a', newcomer())).to.be.instanceOf(Promise)
  })

  it('refuses an address that keeps coming faster than it may', () => {
    const line = handshakes(10)
    const verdicts = Array.from({ length: 30 }, () => {
      const guest = newcomer()
      const turn = line.enter('a', guest)
      line.leave(guest)
      return turn
    })
    expect(verdicts.filter((turn) => turn === true).length).to.equal(10)
    expect(line.enter('b', newcomer())).to.equal(true)
  })
})
