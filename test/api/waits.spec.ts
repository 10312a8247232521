import { expect } from 'chai'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createWaits } from '../../src/api/waits.js'
import { createHandClock } from './double.js'

const createResponse = (): ServerResponse => new EventEmitter() as ServerResponse

describe('waits', () => {
  it('end when their caller goes away, and only theirs', () => {
    const waits = createWaits()
    const [gone, stays] = [createResponse(), createResponse()]
    const [first, second] = [waits.signalFor(gone, undefined), waits.signalFor(stays, undefined)]
    gone.emit('close')
    expect([first.signal.aborted, second.signal.aborted]).to.deep.equal([true, false])
  })

  it('all end at once, and later ones have ended from the start', () => {
    const waits = createWaits()
    const clock = createHandClock()
    const ran: string[] = []
    const before = waits.signalFor(createResponse(), undefined)
    waits.hold(clock, 1000, () => ran.push('held'))
    waits.end()
    waits.hold(clock, 1000, () => ran.push('late'))
    expect([before.signal.aborted, waits.signalFor(createResponse(), undefined).signal.aborted]).to.deep.equal([
      true,
      true
    ])
    expect([ran, clock.pending(), waits.ended]).to.deep.equal([['held', 'late'], 0, true])
  })

  it('that are over hold on to nothing', () => {
    const waits = createWaits()
    const response = createResponse()
    const { signal, release } = waits.signalFor(response, undefined)
    release()
    response.emit('close')
    waits.end()
    expect([signal.aborted, response.listenerCount('close')]).to.deep.equal([false, 0])
  })

  it('run what was held once, after its time', () => {
    const waits = createWaits()
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
