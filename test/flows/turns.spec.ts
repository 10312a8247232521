import { expect } from 'chai'
import { createTurns } from '../../src/flows/turns.js'
import { manualClock } from './clock.js'

function stage() {
  const clock = manualClock()
  const done: string[] = []
  const failures: unknown[] = []
  let idle = 0
  const turns = createTurns({ clock }, { onIdle: () => idle++, onFailure: (error) => failures.push(error) })
  const put = (lane: string, name: string) => turns.enqueue(lane, () => void done.push(name))
  return { clock, done, failures, turns, put, idle: () => idle }
}

describe('turns', () => {
  it('go round: who sends much waits behind who sends little', async () => {
    const { clock, done, put } = stage()
    for (let at = 0; at < 5; at++) void put('a', `a${at}`)
    void put('b', 'b0')
    void put('c', 'c0')
    await clock.run(0)
    expect(done).to.deep.equal(['a0', 'b0', 'c0', 'a1', 'a2', 'a3', 'a4'])
  })

  it('never run a job before they return', () => {
    const { done, put } = stage()
    void put('a', 'a0')
    expect(done).to.deep.equal([])
  })

  it('give the loop its turn after a slice', async () => {
    const { clock, done, put } = stage()
    for (let at = 0; at < 20; at++) void put('a', `a${at}`)
    let seen = 0
    clock.defer(() => (seen = done.length))
    await clock.run(0)
    expect(seen).to.equal(16)
    expect(done.length).to.equal(20)
  })

  it('ask a lane that is full to wait, and let it go on when half is done', async () => {
    const { clock, done, put } = stage()
    let resumedAt = 0
    for (let at = 0; at < 511; at++) expect(put('a', `a${at}`)).to.equal(undefined)
    const wait = put('a', 'last')
    void wait?.then(() => (resumedAt = done.length))
    expect(put('b', 'b0')).to.equal(undefined)
    await clock.run(0)
    expect(resumedAt).to.be.within(256, 290)
    expect(done.length).to.equal(513)
  })

  it('say when nothing is left, and whether something is', async () => {
    const { clock, turns, put, idle } = stage()
    void put('a', 'a0')
    expect(turns.busy()).to.equal(true)
    await clock.run(0)
    expect([turns.busy(), idle()]).to.deep.equal([false, 1])
  })

  it('survive a job that throws, whoever it belongs to', async () => {
    const { clock, done, failures, turns, put, idle } = stage()
    void turns.enqueue('a', () => {
      throw new Error('broken')
    })
    void put('a', 'a1')
    void put('b', 'b0')
    await clock.run(0)
    expect([done, failures.map(String), idle()]).to.deep.equal([['b0', 'a1'], ['Error: broken'], 1])
  })
})
