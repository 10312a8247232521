import { expect } from 'chai'
import fc from 'fast-check'
import { isPrivateAddr, isPrivateIp, parseAddress } from '../../src/wire/address.js'
import { aliceNode } from '../support/vectors/people.js'

const PEER = `/p2p/${aliceNode.peerId}`

describe('An address', () => {
  for (const [ip, isPrivate] of [
    ['8.8.8.8', false],
    ['0.0.0.0', true],
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['100.63.255.255', false],
    ['100.64.0.1', true],
    ['100.128.0.0', false],
    ['127.0.0.1', true],
    ['169.254.169.254', true],
    ['172.15.255.255', false],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.168.0.1', true],
    ['192.169.0.1', false],
    ['198.19.255.255', true],
    ['203.0.113.9', true],
    ['223.255.255.255', false],
    ['224.0.0.1', true],
    ['255.255.255.255', true],
    ['::', true],
    ['::1', true],
    ['::ffff:8.8.8.8', true],
    ['::ffff:808:808', true],
    ['fe80::1', true],
    ['fc00::1', true],
    ['fd12:3456::1', true],
    ['ff02::1', true],
    ['2606:4700::1111', false],
    ['2001:4860:4860::8888', false],
    ['2001:db8::1', true],
    ['2001::1', true],
    ['3fff::1', true],
    ['2002:808:808::', false],
    ['2002:7f00:1::', true],
    ['64:ff9b::808:808', false],
    ['64:ff9b::a00:1', true],
    ['64:ff9b:1::808:808', true],
    ['fe80::1%eth0', true],
    ['nonsense', true]
  ] as const) {
    it(`${ip} is ${isPrivate ? 'private' : 'public'}`, () => {
      expect(isPrivateIp(ip)).to.equal(isPrivate)
      const addr = `/${ip.includes(':') ? 'ip6' : 'ip4'}/${ip}/tcp/4001${PEER}`
      expect(isPrivateAddr(addr)).to.equal(isPrivate)
    })
  }

  for (const [name, isPrivate] of [
    ['localhost', true],
    ['a.localhost', true],
    ['printer.local', true],
    ['nas.home.arpa', true],
    ['db.internal', true],
    ['intranet', true],
    ['node.example.org', false],
    ['local.example.org', false],
    ['notlocal', true],
    ['x.notlocal', false]
  ] as const) {
    it(`of the name ${name} is ${isPrivate ? 'private' : 'public'}`, () => {
      expect(isPrivateAddr(`/dns4/${name}/tcp/443/ws${PEER}`)).to.equal(isPrivate)
    })
  }

  it('is read into its parts', () => {
    expect(parseAddress(`/dns6/a.example/tcp/443/ws${PEER}`)).to.deep.equal({
      host: 'a.example',
      family: 'dns6',
      port: 443,
      transport: 'ws',
      peerId: aliceNode.peerId
    })
  })

  it('of IPv6 is read in every spelling that libp2p writes', () => {
    const group = fc.nat(0xffff).map((value) => value.toString(16))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(7), fc.nat(7), (groups, from, length) => {
        const gap = [...groups.slice(0, from), '', ...groups.slice(from + Math.max(length, 1))].join(':')
        const short = gap.replace(/^:/, '::').replace(/:$/, '::').replace(/:::+/, '::')
        expect(parseAddress(`/ip6/${groups.join(':')}/tcp/1${PEER}`)).to.not.equal(undefined)
        expect(parseAddress(`/ip6/${short}/tcp/1${PEER}`) === undefined).to.equal(!short.includes('::'))
      })
    )
  })

  it('never makes the reader throw, and what is no address counts as private', () => {
    const parts = fc.constantFrom(
      'ip4',
      'ip6',
      'dns',
      'tcp',
      'ws',
      'p2p',
      '1.2.3.4',
      '::',
      ':::',
      'a.b',
      '80',
      '-',
      '',
      aliceNode.peerId
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(parts, { maxLength: 8 }).map((row) => `/${row.join('/')}`)
    )
    fc.assert(
      fc.property(text, (value) => {
        if (parseAddress(value) === undefined) expect(isPrivateAddr(value)).to.equal(true)
      }),
      { numRuns: 1000 }
    )
  })
})
