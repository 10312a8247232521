import { expect } from 'chai'
import { signerOf } from '../../src/wire/ed25519.js'
import { encodeFrame } from '../../src/wire/frames.js'
import { agentIdOf } from '../../src/wire/keys.js'
import { framed } from '../net/hosts.js'
import { type Siege, besiege, late, said } from './siege.js'

let on: Siege

function deepHello(levels: number): Uint8Array {
  return framed(Buffer.concat([Uint8Array.of(1), Buffer.from(`${'['.repeat(levels)}${']'.repeat(levels)}`)]))
}

function typed(type: number, rest: Uint8Array | string): Uint8Array {
  return framed(Buffer.concat([Uint8Array.of(type), Buffer.from(rest)]))
}

describe('a node among strangers', function () {
  this.timeout(120_000)
  before(async () => (on = await besiege()))
  after(() => on?.end())
  afterEach(() => on.holds())

  const JUNK: ReadonlyArray<readonly [string, Uint8Array]> = [
    ['bytes of no meaning', Uint8Array.from({ length: 4000 }, (_, at) => (at * 131) & 255)],
    ['an announced frame of four gigabytes', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 1)],
    ['a length that never ends', new Uint8Array(64).fill(0xff)],
    ['a length in a longer form', Uint8Array.of(0x81, 0x00, 1)],
    ['a frame of nothing', Uint8Array.of(0)],
    ['a type that nobody knows', typed(9, '{}')],
    ['a hello of a thousand levels', deepHello(1000)],
    ['a hello larger than hellos are', typed(1, `{"card":"${'A'.repeat(9000)}"}`)],
    ['a hello with one member twice', typed(1, '{"v":1,"v":1}')],
    ['a hello that is no object', typed(1, 'null')],
    ['a want before hello', typed(2, '{"chain":"mine","from":1}')],
    ['a message before hello', typed(3, 'x')],
    ['a receipt before hello', typed(4, 'x')],
    ['a refusal before hello', typed(5, '{"code":"retry"}')]
  ]
  it('ends a stream that begins with junk', async () => {
    const rogue = await on.rogue('junk', '127.0.0.2')
    for (const [name, bytes] of JUNK) {
      const line = await rogue.connect(on.address)
      line.raw(bytes)
      await Promise.race([line.ended, late(`still open after ${name}`)])
      expect(line.heard, name).to.deep.equal([])
    }
  })

  it('tells whoever shows the card of somebody else no more than a stranger', async () => {
    const [thief, owner] = [await on.rogue('thief', '127.0.0.3'), await on.rogue('owner', '127.0.0.3')]
    const replayed = owner.hello(on.to)
    const contacts = await on.victim.owner<{ items: Array<{ agent: string }> }>('GET', 'contacts')
    expect(contacts.body.items.map((one) => one.agent)).not.to.include(owner.agent)
    const card = await cardOfHonest()
    for (const hello of [replayed, thief.hello(on.to, { card }), thief.hello(thief.agent)]) {
      const line = await thief.connect(on.address)
      line.say(hello)
      await Promise.race([line.ended, late('still open')])
      expect(line.heard).to.deep.equal([{ type: 'refuse', code: 'not_contact' }])
    }
  })

  /** The card of the honest contact, as any holder of its link has it. */
  async function cardOfHonest(): Promise<string> {
    const { body } = await on.honest.owner<{ link: string }>('POST', 'invites', { secret: false })
    return new URL(body.link).searchParams.get('card') ?? ''
  }

  it('keeps at most fifty of a hundred agents that knock, and gives none of them a word more', async () => {
    let refused = 0
    // Ten nodes on ten addresses, with ten agents each: one address alone is cut off by its budget long before.
    for (let node = 0; node < 10; node++) {
      const rogue = await on.rogue(`knock-${node}`, `127.0.1.${node}`)
      for (let agent = 0; agent < 10; agent++) {
        const by = signerOf(new Uint8Array(32).fill(100 + agent * 10 + node))
        const line = await rogue.visit(on.address, on.to, { card: rogue.card(by) })
        await line.hears((frame) => frame.type === 'refuse')
        const from = agentIdOf(by.publicKey)
        const request = { kind: 'contact.request', from, body: { card: rogue.card(by) } }
        line.say(said(rogue.forge(on.to, request, by)))
        await Promise.race([line.ended, late('still open')])
        refused += line.heard.length
      }
      await rogue.stop()
    }
    expect(refused).to.equal(100)
    const { body } = await on.victim.owner<{ contacts: { pending: number } }>('GET', 'status')
    expect(body.contacts.pending).to.equal(50)
  })

  it('is not held up by streams that say nothing, are half closed, or flood after hello', async () => {
    const rogue = await on.rogue('silent', '127.0.0.5')
    const silent = await Promise.all(Array.from({ length: 20 }, () => rogue.connect(on.address)))
    await on.holds()
    for (const line of silent) await line.halfClose()
    const flooder = await on.rogue('flood', '127.0.0.6')
    const line = await flooder.visit(on.address, on.to)
    await line.hears((frame) => frame.type === 'refuse')
    const frame = framed(encodeFrame(said(new Uint8Array(60_000).fill(1))))
    for (let i = 0; i < 500 && !line.over; i++) {
      line.raw(frame)
      if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.race([line.ended, late('the flood goes on')])
  })
})
