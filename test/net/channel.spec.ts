import { expect } from 'chai'
import type { Channel } from '../../src/flows/ports.js'
import { befriend, collect, eventually, framed, nextChannel, type Scene, scene, targetOf } from './hosts.js'

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
const bytes = (words: string): Uint8Array => new TextEncoder().encode(words)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a channel between two nodes', () => {
  let on: Scene
  beforeEach(() => (on = scene()))
  afterEach(() => on.clean())

  it('carries frames of every size both ways, whole and in order', async () => {
    const { here, there, from, to } = await on.pair()
    expect([here.peerId, there.peerId]).to.deep.equal([to.peerId, from.peerId])
    const sizes = [1, 127, 128, 16_383, 16_384, 65_536, 262_145, ...Array.from({ length: 500 }, (_, i) => (i % 90) + 1)]
    const [atHere, atThere] = [collect(here), collect(there)]
    for (const [i, size] of sizes.entries()) {
      await here.send(new Uint8Array(size).fill(i))
      await there.send(new Uint8Array(size).fill(i + 1))
    }
    await Promise.all([atHere.until(sizes.length), atThere.until(sizes.length)])
    expect(atThere.frames.map((frame) => frame.length)).to.deep.equal(sizes)
    expect(atHere.frames.map((frame) => frame.length)).to.deep.equal(sizes)
    expect(atThere.frames.every((frame, i) => frame.every((byte) => byte === (i & 255)))).to.equal(true)
  })

  it('sends what was queued before it closes, and ends on both sides', async () => {
    const { here, there } = await on.pair()
    const got = collect(there)
    for (let i = 0; i < 50; i++) void here.send(new Uint8Array(50_000).fill(i))
    here.close()
    await Promise.all([here.closed, there.closed])
    expect(got.frames.map((frame) => frame[0])).to.deep.equal(Array.from({ length: 50 }, (_, i) => i))
    expect(on.lines).to.deep.equal([])
  })

  it('does nothing after its end, however often it is closed', async () => {
    const { here, there } = await on.pair()
    collect(there)
    here.close()
    here.close()
    await Promise.all([here.closed, there.closed])
    here.abort('again')
    here.close()
    expect([here.send(bytes('late')), there.send(bytes('late'))]).to.deep.equal([undefined, undefined])
  })

  it('ends at once on both sides when it is aborted', async () => {
    const { here, there } = await on.pair()
    collect(there)
    here.abort('enough')
    await Promise.all([here.closed, there.closed])
    expect(on.lines).to.deep.include(['channel_broken', { peer: here.peerId, reason: 'enough' }])
  })

  it('hears no word about windows from a reader that has most of its window left', async () => {
    const [from, to] = [await on.host({ limits: { muxerPerSecond: 0, muxerAtOnce: 60 } }), await on.host()]
    befriend(from, to)
    const arrived = nextChannel(to)
    const here = await from.connect(targetOf(to))
    const got = collect(await arrived)
    // Each in a muxer frame of its own; one more frame in answer to each would be too many for the watch of the sender.
    for (let i = 1; i <= 120; i++) {
      void here.send(bytes('so little'))
      await got.until(i)
    }
    expect(on.lines).to.deep.equal([])
  })

  it('holds the sender while a returned promise is pending, and goes on after it', async () => {
    const { here, there } = await on.pair()
    let release: () => void = () => undefined
    let taken = 0
    there.read(() => {
      taken++
      return taken === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined
    })
    let sent = 0
    let room: Promise<void> | undefined
    while (room === undefined && sent < 4000) {
      room = here.send(new Uint8Array(10_000))
      sent++
      await turn()
    }
    expect(sent).to.be.below(200)
    expect(taken).to.equal(1)
    release()
    await room
    here.close()
    await there.closed
    expect(taken).to.equal(sent)
  })

  it('ends one channel, and nothing else, when its reader throws or rejects', async () => {
    const { from, to, here, there } = await on.pair()
    there.read(() => {
      throw new Error('not json')
    })
    const second = nextChannel(to)
    const other = await from.connect(targetOf(to))
    const otherThere = await second
    otherThere.read(() => Promise.reject(new Error('nor this')))
    void here.send(bytes('x'))
    void other.send(bytes('x'))
    await Promise.all([here.closed, other.closed, there.closed, otherThere.closed])
    const third = nextChannel(to)
    const again = await from.connect(targetOf(to))
    const got = collect(await third)
    void again.send(bytes('still here'))
    await got.until(1)
    expect(text(got.frames[0])).to.equal('still here')
    expect(from.connections().length).to.equal(1)
  })

  it('puts together what comes in single bytes, and hands over all of it when the remote half-closes', async () => {
    const host = await on.host()
    const arrived = nextChannel(host)
    const stream = await on.stream(await on.bare(), host)
    const got = collect(await arrived)
    for (const byte of [...framed(bytes('one')), ...framed(new Uint8Array(300).fill(3)), ...framed(bytes('end'))]) {
      stream.send(Uint8Array.of(byte))
      await turn()
    }
    await stream.close()
    await (
      await arrived
    ).closed
    expect(got.frames.map((frame) => frame.length)).to.deep.equal([3, 300, 3])
    expect(text(got.frames[2])).to.equal('end')
  })

  it('hands over what a remote sent that half-closed before anyone read', async () => {
    const host = await on.host()
    const arrived = nextChannel(host)
    const stream = await on.stream(await on.bare(), host)
    stream.send(framed(bytes('early')))
    await stream.close()
    const channel = await arrived
    for (let i = 0; i < 20; i++) await turn()
    const got = collect(channel)
    await channel.closed
    expect(got.frames.map(text)).to.deep.equal(['early'])
  })

  const junk: ReadonlyArray<readonly [string, Uint8Array]> = [
    ['a frame above the limit', Uint8Array.from([0x82, 0x80, 0x10, 1, 2, 3])],
    ['a frame of nothing', Uint8Array.of(0)],
    ['a length that never ends', new Uint8Array(100).fill(0x80)],
    ['an end inside a frame', Uint8Array.from([10, 1, 2])]
  ]
  for (const [name, wire] of junk) {
    it(`resets the stream, and that stream only, on ${name}`, async () => {
      const host = await on.host()
      const attacker = await on.bare()
      const channels: Channel[] = []
      const two = new Promise<void>((resolve) => {
        host.onChannel((channel) => {
          if (channels.push(channel) === 2) resolve()
        })
      })
      const good = await on.stream(attacker, host)
      const bad = await on.stream(attacker, host)
      await two
      const [first, second] = channels as [Channel, Channel]
      const got = collect(first)
      collect(second)
      bad.send(wire)
      await bad.close().catch(() => undefined)
      await second.closed
      good.send(framed(bytes('fine')))
      await got.until(1)
      expect(text(got.frames[0])).to.equal('fine')
      expect(host.connections().length).to.equal(1)
    })
  }

  it('gives up a frame that does not arrive in time, even if a byte comes now and then', async () => {
    const host = await on.host({ limits: { frameMs: 150 } })
    const arrived = nextChannel(host)
    const stream = await on.stream(await on.bare(), host)
    const channel = await arrived
    collect(channel)
    stream.send(Uint8Array.of(200))
    const drip = setInterval(() => stream.status === 'open' && stream.send(Uint8Array.of(1)), 20)
    await channel.closed
    clearInterval(drip)
    expect(on.lines.map(([, fields]) => (fields as { reason: string }).reason)).to.deep.equal([
      'a frame did not arrive in time'
    ])
  })

  it('leaves a stream without a begun frame alone', async () => {
    const host = await on.host({ limits: { frameMs: 30 } })
    const arrived = nextChannel(host)
    const stream = await on.stream(await on.bare(), host)
    const channel = await arrived
    const got = collect(channel)
    stream.send(framed(bytes('a')))
    await new Promise((resolve) => setTimeout(resolve, 100))
    stream.send(framed(bytes('b')))
    await got.until(2)
  })

  it('gives up a remote that never reads, and lets everyone go who waits for room', async () => {
    const { here, there } = await on.pair({ limits: { drainMs: 150 } })
    there.read(() => new Promise(() => undefined))
    let room: Promise<void> | undefined
    while (room === undefined) {
      room = here.send(new Uint8Array(50_000))
      await turn()
    }
    await room
    await Promise.all([here.closed, there.closed])
    expect(on.lines.map(([, fields]) => (fields as { reason: string }).reason)).to.include(
      'the remote read nothing for 150 ms'
    )
  })

  it('bounds what waits for a remote that never reads, when the sender does not care', async () => {
    const { here, there } = await on.pair({ limits: { queuedBytes: 1024 * 1024 } })
    there.read(() => new Promise(() => undefined))
    for (let i = 0; i < 100; i++) void here.send(new Uint8Array(50_000))
    await here.closed
    there.abort('done')
  })

  it('survives a connection that ends while it waits for room', async () => {
    const { here, there, from, to } = await on.pair()
    there.read(() => new Promise(() => undefined))
    let room: Promise<void> | undefined
    while (room === undefined) {
      room = here.send(new Uint8Array(50_000))
      await turn()
    }
    here.close()
    await to.stop()
    await Promise.all([room, here.closed, there.closed])
    await eventually(() => from.connections().length === 0)
  })

  it('holds a contact that is over its budget, loses nothing of it, and cuts a stranger', async () => {
    const tight = { contactPerSecond: 200_000, contactAtOnce: 20_000, strangerPerSecond: 1000, strangerAtOnce: 40_000 }
    const host = await on.host({ budget: tight })
    const [friend, other] = [await on.host(), await on.host()]
    befriend(host, friend)
    const flood = async (from: typeof friend): Promise<number> => {
      const arrived = nextChannel(host)
      const here = await from.connect(targetOf(host))
      const there = await arrived
      const got = collect(there)
      for (let i = 0; i < 60; i++) await here.send(new Uint8Array(1000))
      here.close()
      await Promise.all([here.closed, there.closed])
      return got.frames.length
    }
    const began = performance.now()
    expect(await flood(friend)).to.equal(60)
    expect(performance.now() - began).to.be.above(400)
    expect(await flood(other)).to.be.below(25)
  })
})
