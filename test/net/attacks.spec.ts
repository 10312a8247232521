import { connect, type Socket } from 'node:net'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { expect } from 'chai'
import type { Libp2p } from '@libp2p/interface'
import type { Host } from '../../src/net/host.js'
import { PROTOCOL } from '../../src/net/host.js'
import { collect, eventually, framed, nextChannel, type Scene, scene, targetOf } from './hosts.js'

const MIB = 1024 * 1024

/** Tries to connect, `times` over, and answers how many connections the victim still holds of the attacker. */
async function storm(attacker: Libp2p, victim: Host, times: number): Promise<void> {
  const address = multiaddr(victim.addrs()[0])
  for (let i = 0; i < times; i++) {
    await attacker.dial(address, { force: true, signal: AbortSignal.timeout(3000) }).catch(() => undefined)
  }
}

function held(victim: Host, attacker: Libp2p): number {
  return victim.connections().filter((each) => each.peerId === attacker.peerId.toString()).length
}

/** Opens raw sockets that never say a word. */
function silence(victim: Host, count: number, from: string): Socket[] {
  const port = Number(/tcp\/(\d+)/.exec(victim.addrs()[0] ?? '')?.[1])
  return Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined)
  )
}

/** Whether a frame sent by `friend` arrives at `victim`. */
async function reaches(friend: Host, victim: Host): Promise<boolean> {
  const arrived = nextChannel(victim)
  const here = await friend.connect(targetOf(victim))
  const got = collect(await arrived)
  void here.send(Uint8Array.of(1))
  await got.until(1)
  return true
}

describe('under attack a host', () => {
  let on: Scene
  beforeEach(() => (on = scene()))
  afterEach(() => on.clean())

  it('holds two connections of one stranger, however often it comes', async () => {
    const victim = await on.host()
    const attacker = await on.bare('127.0.0.9')
    await storm(attacker, victim, 12)
    await eventually(() => held(victim, attacker) <= 2)
    expect(held(victim, attacker)).to.equal(2)
  })

  it('holds eight strangers of one address, and its contacts of that address get in beside them', async () => {
    const victim = await on.host({ limits: { handshakesPerAddress: 4 } })
    const strangers = await Promise.all(Array.from({ length: 12 }, () => on.bare('127.0.0.1')))
    for (const each of strangers) await storm(each, victim, 1)
    await eventually(() => victim.connections().length <= 8)
    expect(victim.connections().length).to.equal(8)
    const friends = await Promise.all(Array.from({ length: 6 }, () => on.host({ listen: [] })))
    victim.setContacts(new Set(friends.map((each) => each.peerId)))
    for (const friend of friends) expect(await reaches(friend, victim)).to.equal(true)
    expect(victim.connections().filter((each) => each.contact).length).to.equal(6)
  })

  it('lets all contacts behind one address in at once', async () => {
    const victim = await on.host()
    const friends = await Promise.all(Array.from({ length: 12 }, () => on.host({ listen: [] })))
    victim.setContacts(new Set(friends.map((each) => each.peerId)))
    await Promise.all(friends.map((friend) => friend.connect(targetOf(victim))))
    expect(new Set(victim.connections().map((each) => each.peerId)).size).to.equal(12)
  })

  it('answers newcomers from elsewhere while silent sockets hold the line of one address', async () => {
    const victim = await on.host()
    const sockets = silence(victim, 40, '127.0.0.9')
    const friends = await Promise.all(Array.from({ length: 6 }, () => on.host({ listen: [] })))
    for (const friend of friends) expect(await reaches(friend, victim)).to.equal(true)
    for (const socket of sockets) socket.destroy()
  })

  it('closes a silent socket after the time for a handshake', async () => {
    const victim = await on.host({ limits: { handshakeMs: 200 } })
    const sockets = silence(victim, 6, '127.0.0.9')
    let closed = 0
    for (const socket of sockets) socket.resume().on('close', () => closed++)
    await eventually(() => closed === 6)
  })

  it('sends a stranger away who stays, and keeps a contact', async () => {
    const victim = await on.host({ limits: { strangerMs: 300 } })
    const friend = await on.host({ listen: [] })
    victim.setContacts(new Set([friend.peerId]))
    expect(await reaches(friend, victim)).to.equal(true)
    const stranger = await on.bare('127.0.0.9')
    await storm(stranger, victim, 1)
    await eventually(() => held(victim, stranger) === 1)
    await eventually(() => held(victim, stranger) === 0)
    expect(victim.connections().map((each) => each.peerId)).to.deep.equal([friend.peerId])
  })

  it('takes no more than its number of streams on one connection', async () => {
    const victim = await on.host({ limits: { streams: 4 } })
    const attacker = await on.bare()
    let open = 0
    victim.onChannel((channel) => {
      open++
      channel.read(() => undefined)
      void channel.closed.then(() => open--)
    })
    const connection = await attacker.dial(multiaddr(victim.addrs()[0]))
    const ask = (): Promise<unknown> =>
      connection.newStream(PROTOCOL, { maxOutboundStreams: 1000, signal: AbortSignal.timeout(4000) })
    await Promise.all(Array.from({ length: 30 }, () => ask().catch(() => undefined)))
    await eventually(() => open === 4)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(open).to.equal(4)
  })

  it('cuts a stranger who opens stream after stream', async () => {
    const victim = await on.host()
    victim.onChannel((channel) => channel.read(() => undefined))
    const attacker = await on.bare()
    const connection = await attacker.dial(multiaddr(victim.addrs()[0]))
    for (let i = 0; i < 200 && connection.status === 'open'; i++) {
      const stream = await connection.newStream(PROTOCOL, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      stream?.abort(new Error('next'))
    }
    await eventually(() => connection.status !== 'open')
  })

  it('ends a connection whose muxer promises four gigabytes, before they come', async () => {
    const victim = await on.host()
    let muxed: { send(bytes: Uint8Array): boolean } | undefined
    const attacker = await on.bare()
    const factory = yamux()()
    const create = factory.createStreamMuxer.bind(factory)
    factory.createStreamMuxer = (connection) => {
      muxed = connection
      return create(connection)
    }
    const components = (attacker as unknown as { components: { upgrader: { streamMuxers: Map<string, unknown> } } })
      .components
    components.upgrader.streamMuxers.set(factory.protocol, factory)
    const connection = await attacker.dial(multiaddr(victim.addrs()[0]))
    await eventually(() => held(victim, attacker) === 1)
    muxed?.send(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255]))
    let sent = 0
    for (; sent < 400 && connection.status === 'open'; sent++) {
      muxed?.send(new Uint8Array(MIB / 8))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(sent).to.be.below(400)
    await eventually(() => held(victim, attacker) === 0)
  })

  it('holds no more than a window of what a contact sends while nobody takes it', async () => {
    const victim = await on.host()
    const arrived = nextChannel(victim)
    const attacker = await on.bare()
    const stream = await on.stream(attacker, victim)
    const channel = await arrived
    let taken = 0
    channel.read(() => {
      taken++
      return new Promise(() => undefined)
    })
    const frame = framed(new Uint8Array(60_000))
    let sent = 0
    while (sent < 200 && stream.send(frame)) {
      sent++
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(taken).to.equal(1)
    expect(sent * frame.length).to.be.below(MIB)
    expect(stream.status).to.equal('open')
    channel.abort('done')
  })
})
