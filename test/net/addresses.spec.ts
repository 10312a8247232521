import { expect } from 'chai'
import type { PeerId } from '../../src/base/ids.js'
import { addressKey, cardAddresses, dialable, type Resolve } from '../../src/net/addresses.js'

const ID = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN'
const OTHER = '12D3KooWQYV9dGMFoRzNStwpXztXaBUjtPqi6aU76ZgUriHhKust'

function target(addrs: readonly string[], allowPrivate: boolean): Parameters<typeof dialable>[0] {
  return { peerId: ID as PeerId, addrs, allowPrivate }
}

describe('what an address is counted by', () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ['/ip4/198.51.100.7/tcp/4001', '198.51.100.7'],
    ['/ip6/2001:db8:1:2:3:4:5:6/tcp/4001', '2001:db8:1:2::/64'],
    ['/ip6/2001:db8:1:2::9/tcp/1', '2001:db8:1:2::/64'],
    ['/ip6/::1/tcp/1', '0:0:0:0::/64'],
    ['/ip6/::ffff:198.51.100.7/tcp/1', '198.51.100.7'],
    ['/ip6/::ffff:c633:6407/tcp/1', '198.51.100.7'],
    ['/ip6/FE80::1%eth0/tcp/1', 'fe80:0:0:0::/64']
  ]
  for (const [addr, key] of cases) it(`${addr} counts as ${key}`, () => expect(addressKey(addr)).to.equal(key))
})

describe('the addresses that are dialled', () => {
  const house = [
    `/ip4/192.168.1.5/tcp/4001/p2p/${ID}`,
    `/ip4/127.0.0.1/tcp/4001/p2p/${ID}`,
    `/ip6/fe80::1/tcp/1/p2p/${ID}`
  ]
  const open = [`/ip4/8.8.8.8/tcp/4001/p2p/${ID}`, `/ip6/2600:1f18::1/tcp/4001/ws/p2p/${ID}`]
  const unasked: Resolve = () => Promise.reject(new Error('nothing to look up'))

  it('are all of them for an accepted contact', async () => {
    expect(await dialable(target([...house, ...open], true), unasked)).to.deep.equal([...house, ...open])
  })

  it('are the public ones for anyone else', async () => {
    expect(await dialable(target([...house, ...open], false), unasked)).to.deep.equal(open)
  })

  it('name the node that is meant, and no other', async () => {
    expect(await dialable(target([`/ip4/8.8.8.8/tcp/4001/p2p/${OTHER}`], true), unasked)).to.deep.equal([])
  })

  it('are at most as many as a card may hold', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `/ip4/8.8.8.8/tcp/${i + 1}/p2p/${ID}`)
    expect((await dialable(target(many, false), unasked)).length).to.equal(8)
  })

  it('do not lead into a private network by a public name', async () => {
    const asked: Array<readonly [string, number]> = []
    const resolve: Resolve = (host, family) => {
      asked.push([host, family])
      return Promise.resolve([
        { address: '10.0.0.1', family: 4 },
        { address: '8.8.4.4', family: 4 },
        { address: '::1', family: 6 }
      ])
    }
    const addrs = [`/dns4/node.example.com/tcp/4001/p2p/${ID}`, `/dns4/router.local/tcp/80/p2p/${ID}`]
    expect(await dialable(target(addrs, false), resolve)).to.deep.equal([`/ip4/8.8.4.4/tcp/4001/p2p/${ID}`])
    expect(asked).to.deep.equal([['node.example.com', 4]])
  })

  it('leave out a name that does not resolve', async () => {
    expect(await dialable(target([`/dns/nowhere.example.com/tcp/1/p2p/${ID}`, ...open], false), unasked)).to.deep.equal(
      open
    )
  })
})

describe('the addresses for a card', () => {
  it('put the open internet first and leave loopback out', () => {
    const own = ['/ip4/127.0.0.1/tcp/1', '/ip4/192.168.1.5/tcp/1', '/ip4/8.8.8.8/tcp/1'].map((a) => `${a}/p2p/${ID}`)
    expect(cardAddresses(own)).to.deep.equal([own[2], own[1]])
  })

  it('hold loopback when there is nothing else', () => {
    expect(cardAddresses([`/ip4/127.0.0.1/tcp/1/p2p/${ID}`])).to.deep.equal([`/ip4/127.0.0.1/tcp/1/p2p/${ID}`])
  })

  it('are of the form that a card allows, eight at most, none twice', () => {
    const many = Array.from({ length: 20 }, (_, i) => `/ip4/8.8.8.8/tcp/${(i % 10) + 1}/p2p/${ID}`)
    const circuit = `/ip4/8.8.8.8/tcp/1/p2p/${OTHER}/p2p-circuit/p2p/${ID}`
    expect(cardAddresses([circuit, ...many])).to.deep.equal(many.slice(0, 8))
  })
})
