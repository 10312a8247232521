import { expect } from 'chai'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AgentId } from '../../src/base/ids.js'
import { type Wait, type Waits, createWaits } from '../../src/api/waits.js'
import { createHandClock } from './hand-clock.js'
import { ALICE } from './views.js'

const BOB = 'al1bob' as AgentId
const createResponse = (): ServerResponse => new EventEmitter() as ServerResponse

function wait(waits: Waits, response = createResponse(), agent = ALICE): Wait {
  const entered = waits.signalFor(response, agent)
  if (!entered.ok) throw new Error(entered.refusal.message)
  return entered.value
}

describe('waits', () => {
  it('end when their caller goes away, and only theirs', () => {
    const waits = createWaits(8)
    const [gone, stays] = [createResponse(), createResponse()]
    const [first, second] = [wait(waits, gone), wait(waits, stays)]
    gone.emit('close')
    expect([first.signal.aborted, second.signal.aborted]).to.deep.equal([true, false])
  })

  it('all end at once, and later ones have ended from the start', () => {
    const waits = createWaits(8)
    const clock = createHandClock()
    const ran: string[] = []
    const before = wait(waits)
    waits.hold(clock, 1000, () => ran.push('held'))
    waits.end()
    waits.hold(clock, 1000, () => ran.push('late'))
    expect([before.signal.aborted, wait(waits).signal.aborted]).to.deep.equal([true, true])
    expect([ran, clock.pending(), waits.ended]).to.deep.equal([['held', 'late'], 0, true])
  })

  it('that are over hold on to nothing', () => {
    const waits = createWaits(8)
    const response = createResponse()
    const { signal, release } = wait(waits, response)
    release()
    response.emit('close')
    waits.end()
    expect([signal.aborted, response.listenerCount('close')]).to.deep.equal([false, 0])
  })

  it('are so many for one agent, what is over makes room, and others have their own', () => {
    const waits = createWaits(2)
    const [first] = [wait(waits), wait(waits)]
    const third = waits.signalFor(createResponse(), ALICE)
    expect(third.ok ? undefined : third.refusal).to.deep.include({
      code: 'rate_limited',
      details: { code: 'too_many_waits', retryAfter: 1 }
    })
    expect(waits.signalFor(createResponse(), BOB).ok).to.equal(true)
    first?.release()
    expect(waits.signalFor(createResponse(), ALICE).ok).to.equal(true)
    expect(waits.signalFor(createResponse(), ALICE).ok).to.equal(false)
  })

  it('run what was held once, after its time', () => {
    const waits = createWaits(8)
    const clock = createHandClock()
    let runs = 0
    waits.hold(clock, 1000, () => runs++)
    clock.pass(999)
    expect(runs).to.equal(0)
    clock.pass(1)
    waits.end()
    expect(runs).to.equal(1)
  })
})
