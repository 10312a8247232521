import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import type { PeerId } from '../../src/base/ids.js'
import { createHost, type Host } from '../../src/net/host.js'
import { befriend, collect, eventually, nextChannel, OWNER, type Scene, scene, targetOf } from './hosts.js'

const NOBODY = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN' as PeerId

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no refusal',
    (error: unknown) => (error as Error).message
  )
}

describe('a host', () => {
  let on: Scene
  beforeEach(() => (on = scene()))
  afterEach(() => on.clean())

  it('is the node of its key, and says where it listens', async () => {
    const seed = new Uint8Array(32).fill(7)
    const one = await on.host({ seed })
    const other = createHost({ seed, listen: [], limits: OWNER }, { log: { info() {}, warn() {} } })
    expect(one.peerId).to.equal(other.peerId)
    expect(one.addrs().length).to.equal(1)
    expect(one.addrs()[0]).to.match(new RegExp(`^/ip4/127.0.0.1/tcp/[0-9]+/p2p/${one.peerId}$`))
    expect(other.addrs()).to.deep.equal([])
  })

  it('publishes what it was told to announce', async () => {
    const host = await on.host({ announce: ['/dns4/node.example.com/tcp/4001'] })
    expect(host.addrs()).to.deep.equal([`/dns4/node.example.com/tcp/4001/p2p/${host.peerId}`])
  })

  it('opens many channels over one connection, and a dial both ways at once ends with working channels', async () => {
    const [one, other] = [await on.host(), await on.host()]
    befriend(one, other)
    const arrived: string[] = []
    for (const host of [one, other]) host.onChannel((channel) => void arrived.push(channel.peerId))
    const channels = await Promise.all([one.connect(targetOf(other)), other.connect(targetOf(one))])
    for (let i = 0; i < 10; i++) channels.push(await one.connect(targetOf(other)))
    await eventually(() => arrived.length === 12)
    expect(one.connections().length).to.be.at.most(2)
  })

  it('carries two hundred channels at once, each with its own frames in order', async () => {
    const hub = await on.host()
    const others = await Promise.all(Array.from({ length: 8 }, () => on.host({ listen: [] })))
    hub.setContacts(new Set(others.map((each) => each.peerId)))
    const got: number[][] = []
    hub.onChannel((channel) => {
      const mine: number[] = []
      got.push(mine)
      channel.read((frame) => void mine.push(frame[0] ?? 0, frame[1] ?? 0))
    })
    const opened = await Promise.all(
      others.flatMap((each) => Array.from({ length: 25 }, () => each.connect(targetOf(hub))))
    )
    for (let i = 0; i < 10; i++) opened.forEach((channel, id) => void channel.send(Uint8Array.of(id, i, 0)))
    await eventually(() => got.length === 200 && got.every((each) => each.length === 20))
    expect(new Set(got.map((each) => each[0])).size).to.equal(200)
    for (const each of got) {
      expect(each.filter((_, at) => at % 2 === 1)).to.deep.equal(Array.from({ length: 10 }, (_, i) => i))
      expect(new Set(each.filter((_, at) => at % 2 === 0)).size).to.equal(1)
    }
  })

  it('connects anew after the other node came back at another address', async () => {
    const one = await on.host()
    const seed = new Uint8Array(32).fill(9)
    const before = await on.host({ seed })
    const channel = await one.connect(targetOf(before))
    await before.stop()
    await channel.closed
    const after = await on.host({ seed })
    const arrived = nextChannel(after)
    const here = await one.connect(targetOf(after))
    const got = collect(await arrived)
    void here.send(Uint8Array.of(1))
    await got.until(1)
  })

  describe('says why it has no channel', () => {
    it('to a node without an address', async () => {
      const host = await on.host()
      const reason = await refusalOf(host.connect({ peerId: NOBODY, addrs: [], allowPrivate: true }))
      expect(reason).to.match(/no address/)
    })

    it('to a private address of someone who is no accepted contact', async () => {
      const [one, other] = [await on.host(), await on.host()]
      const reason = await refusalOf(one.connect({ ...targetOf(other), allowPrivate: false }))
      expect(reason).to.match(/no address that may be dialled/)
      expect(other.connections()).to.deep.equal([])
    })

    it('to an address where another node answers', async () => {
      const [one, other] = [await on.host(), await on.host()]
      const addrs = other.addrs().map((addr) => addr.replace(other.peerId, NOBODY))
      const reason = await refusalOf(one.connect({ peerId: NOBODY, addrs, allowPrivate: true }))
      expect(reason).to.match(/can't reach/)
    })

    it('to a closed port', async () => {
      const host = await on.host()
      const addrs = [`/ip4/127.0.0.1/tcp/1/p2p/${NOBODY}`]
      expect(await refusalOf(host.connect({ peerId: NOBODY, addrs, allowPrivate: true }))).to.match(/ECONNREFUSED/)
    })

    it('to itself', async () => {
      const host = await on.host()
      expect(await refusalOf(host.connect(targetOf(host)))).to.match(/can't reach/)
    })

    it('before it has started and after it has stopped', async () => {
      const [one, other] = [await on.host(), await on.host()]
      await one.stop()
      expect(await refusalOf(one.connect(targetOf(other)))).to.match(/not running/)
    })
  })

  describe('facing a port that never answers', () => {
    let silent: Server
    let sockets: Socket[]
    let target: Parameters<Host['connect']>[0]
    beforeEach(async () => {
      sockets = []
      silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      const { port } = silent.address() as { port: number }
      target = { peerId: NOBODY, addrs: [`/ip4/127.0.0.1/tcp/${port}/p2p/${NOBODY}`], allowPrivate: true }
    })
    afterEach(async () => {
      const closed = new Promise((resolve) => silent.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    })

    it('gives up at its deadline', async () => {
      const host = await on.host({ dialMs: 200 })
      const began = performance.now()
      expect(await refusalOf(host.connect(target))).to.match(/no answer within 200 ms/)
      expect(performance.now() - began).to.be.below(2000)
    })

    it('stops within five seconds in the middle of twenty dials', async () => {
      const host = await on.host({ dialMs: 30_000 })
      const dials = Array.from({ length: 20 }, () => refusalOf(host.connect(target)))
      const names = refusalOf(
        host.connect({ peerId: NOBODY, addrs: [`/dns4/unknown.invalid/tcp/1/p2p/${NOBODY}`], allowPrivate: true })
      )
      await new Promise((resolve) => setTimeout(resolve, 100))
      const began = performance.now()
      await host.stop()
      expect(performance.now() - began).to.be.below(5000)
      expect(new Set(await Promise.all(dials)).size).to.equal(1)
      expect(await names).to.match(/can't reach/)
    })
  })

  it('stops within five seconds while channels are stuck, and tells both ends', async () => {
    const { here, there, from } = await on.pair()
    there.read(() => new Promise(() => undefined))
    for (let i = 0; i < 40; i++) void here.send(new Uint8Array(50_000))
    const began = performance.now()
    await from.stop()
    expect(performance.now() - began).to.be.below(5000)
    await Promise.all([here.closed, there.closed])
  })

  it('refuses to start where the port is taken, with a reason', async () => {
    const one = await on.host()
    const listen = one.addrs().map((addr) => addr.replace(/\/p2p\/.*/, ''))
    const seed = new Uint8Array(32).fill(3)
    const other = createHost({ seed, listen, limits: OWNER }, { log: { info() {}, warn() {} } })
    expect(await refusalOf(other.start())).to.match(/listen/i)
    await other.stop()
  })

  it('dials and listens on websockets where it takes them', async () => {
    const options = { listen: ['/ip4/127.0.0.1/tcp/0/ws'], transports: ['ws'] as const }
    const { here, there } = await on.pair(options)
    const got = collect(there)
    void here.send(new Uint8Array(100_000).fill(4))
    await got.until(1)
    expect(got.frames[0]?.length).to.equal(100_000)
  })

  it('notices that a node has left', async () => {
    const { from, to } = await on.pair()
    await from.stop()
    await eventually(() => to.connections().length === 0)
  })
})
