import { expect } from 'chai'
import type { JsonObject } from '../../src/base/json.js'
import { canonicalBytes } from '../../src/base/canonical.js'
import type { TaskUid } from '../../src/base/ids.js'
import { signerOf } from '../../src/wire/ed25519.js'
import type { Frame } from '../../src/wire/frames.js'
import { agentIdOf } from '../../src/wire/keys.js'
import { openReceipt, type Receipt } from '../../src/wire/receipt.js'
import { framed } from '../net/hosts.js'
import { until } from './agentlink.js'
import { contactOf } from './daemon.js'
import { good, type Line, type Rogue } from './rogue.js'
import { besiege, invite, late, PLAN, said, type Siege } from './siege.js'

const MIB = 1024 * 1024
const UID = (digit: string): TaskUid => digit.repeat(32) as TaskUid

let on: Siege

function receiptsOf(line: Line, rogue: Rogue): Receipt[] {
  return line.heard.flatMap((frame) =>
    frame.type === 'receipt' ? [good(openReceipt(frame.bytes, { from: on.to, to: rogue.agent }))] : []
  )
}

/** Waits for the receipt that covers `seq`. */
async function covered(line: Line, rogue: Rogue, seq: number): Promise<Receipt> {
  const covers = (frame: Frame): boolean =>
    frame.type === 'receipt' && good(openReceipt(frame.bytes, { from: on.to, to: rogue.agent })).upTo.seq >= seq
  const frame = await line.hears(covers)
  if (frame?.type !== 'receipt') throw new Error(`the stream ended without a receipt for ${seq}`)
  return good(openReceipt(frame.bytes, { from: on.to, to: rogue.agent }))
}

async function back(rogue: Rogue): Promise<Line> {
  const line = await rogue.visit(on.address, on.to)
  await line.hears((frame) => frame.type === 'hello')
  return line
}

describe('a node whose contact turned on it', function () {
  this.timeout(180_000)
  before(async () => (on = await besiege()))
  after(() => on?.end())
  afterEach(() => on.holds())

  it('takes no message of which one byte was changed', async () => {
    const { rogue, line } = await on.enemy('flip')
    await covered(line, rogue, 1)
    const { bytes: whole } = rogue.write(on.to, { kind: 'contact.remove', body: {} })
    const flips = Array.from(whole.keys())
    async function next(): Promise<void> {
      for (let at = flips.pop(); at !== undefined; at = flips.pop()) {
        const bytes = Uint8Array.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
        const visit = await back(rogue)
        visit.say(said(bytes))
        await Promise.race([visit.ended, late(`byte ${at} was taken`)])
        expect(receiptsOf(visit, rogue).every((receipt) => receipt.upTo.seq === 1)).to.equal(true)
      }
    }
    await Promise.all(Array.from({ length: 8 }, next))
    expect(await contactOf(on.victim, rogue.agent)).to.include({ status: 'active' })
    const visit = await back(rogue)
    visit.say(said(whole))
    await covered(visit, rogue, 2)
    expect(await contactOf(on.victim, rogue.agent)).to.include({ status: 'removed' })
  })

  it('takes a replay once, asks for a gap, and freezes nothing for it', async () => {
    const { rogue } = await on.enemy('replay')
    const line = await back(rogue)
    const first = rogue.write(on.to, invite('one'), { uid: UID('2'), n: 1, seen: 0, seenId: '' })
    const second = rogue.write(on.to, invite('two'), { uid: UID('3'), n: 1, seen: 0, seenId: '' })
    const third = rogue.write(on.to, invite('three'), { uid: UID('4'), n: 1, seen: 0, seenId: '' })
    for (let i = 0; i < 50; i++) line.say(said(first.bytes))
    line.say(said(third.bytes))
    const want = await line.hears((frame) => frame.type === 'want')
    expect(want).to.deep.equal({ type: 'want', chain: 'yours', from: 3 })
    line.say(said(second.bytes))
    line.say(said(third.bytes))
    await covered(line, rogue, 4)
    const uids = (await on.itemsFrom(rogue)).flatMap((item) => (item.taskUid === undefined ? [] : [item.taskUid]))
    expect(uids).to.deep.equal([UID('2'), UID('3'), UID('4')])
    expect(await contactOf(on.victim, rogue.agent)).not.to.have.property('frozen')
  })

  const LIES: ReadonlyArray<readonly [string, (rogue: Rogue) => object]> = [
    ['a second message under one number', (rogue) => ({ seq: rogue.head.seq, prev: '', kind: 'card.update' })],
    ['a message that follows another history', () => ({ prev: 'ab'.repeat(32), kind: 'contact.remove' })]
  ]
  for (const [name, lie] of LIES) {
    it(`freezes the contact on proof of ${name}, until the owner says otherwise`, async () => {
      const { rogue } = await on.enemy(`liar-${name.length}`)
      const line = await back(rogue)
      const payload = { body: {}, ...lie(rogue) } as { seq?: number; prev?: string }
      // The first of a chain has no prev, every other one has.
      if (payload.seq !== undefined && payload.seq > 1) payload.prev = 'cd'.repeat(32)
      line.say(said(rogue.forge(on.to, payload as never)))
      await Promise.race([line.ended, late('still open')])
      const frozen = await contactOf(on.victim, rogue.agent)
      expect(frozen).to.include({ status: 'active', frozen: true })
      const again = await rogue.visit(on.address, on.to)
      expect(await again.hears(() => true)).to.deep.equal({ type: 'refuse', code: 'not_contact' })
      await on.victim.owner('POST', `contacts/${rogue.agent}/unfreeze`, {})
      const after = await back(rogue)
      after.say(said(rogue.write(on.to, invite('sorry'), { uid: UID('5'), n: 1, seen: 0, seenId: '' }).bytes))
      await covered(after, rogue, rogue.head.seq)
    })
  }

  it('takes nothing that is for another, or signed by another', async () => {
    const { rogue } = await on.enemy('stranger')
    const other = signerOf(new Uint8Array(32).fill(7))
    const honest = on.honest.run.agent
    for (const bytes of [
      rogue.forge(on.to, { kind: 'contact.remove', to: honest }),
      rogue.forge(on.to, { kind: 'contact.remove', from: honest }),
      rogue.forge(on.to, { kind: 'contact.remove' }, other),
      rogue.forge(on.to, { kind: 'contact.remove', from: agentIdOf(other.publicKey) }, other),
      rogue.forge(on.to, { kind: 'contact.remove', seq: 0 }),
      rogue.forge(on.to, { kind: 'contact.remove', extra: 1 }),
      rogue.forge(on.to, { kind: 'contact.remove', at: 'yesterday' }),
      rogue.forge(on.to, { kind: 'contact.remove', body: nested(12) })
    ]) {
      const line = await back(rogue)
      line.say(said(bytes))
      await Promise.race([line.ended, late('it was taken')])
      expect(receiptsOf(line, rogue).every((receipt) => receipt.upTo.seq === 1)).to.equal(true)
    }
    expect(await contactOf(on.victim, rogue.agent)).to.include({ status: 'active' })
  })

  it('stores what it does not understand, says so, and goes on', async () => {
    const { rogue } = await on.enemy('odd')
    const line = await back(rogue)
    const first = rogue.head.seq + 1
    for (const payload of [
      { kind: 'envelope.contract' },
      { kind: 'x.unheard_of', body: { a: [1, 2, 3] } },
      { v: 2, kind: 'task.invite', more: 'later versions add' },
      { kind: 'task.invite', body: { type: 'no object' } },
      { kind: 'task.propose', body: { proposal: {} } },
      { kind: 'contact.remove', body: { why: 'an unknown member' } }
    ]) {
      const bytes = rogue.forge(on.to, payload as never)
      line.say(said(bytes))
      const receipt = await covered(line, rogue, rogue.head.seq + 1)
      rogue.head = { seq: rogue.head.seq + 1, id: receipt.upTo.id }
    }
    const odd = receiptsOf(line, rogue).flatMap((receipt) => receipt.results.map((result) => result.seq))
    expect(odd).to.deep.equal([0, 1, 2, 3, 4, 5].map((at) => first + at))
    expect(await contactOf(on.victim, rogue.agent)).to.include({ status: 'active' })
    expect((await on.itemsFrom(rogue)).map((item) => item.kind)).to.deep.equal(['contact.active'])
  })

  it('lets no message into a task where it has no place', async () => {
    const { rogue } = await on.enemy('places')
    const body = { type: 'dinner.coordination', participant: on.honest.run.agent, proposal: PLAN }
    const { task } = (await on.victim.agent<{ task: { taskUid: TaskUid } }>('POST', 'tasks', body)).body
    const line = await back(rogue)
    const uid = UID('6')
    const propose = { kind: 'task.propose', body: { proposal: PLAN } } as const
    const say = (content: Parameters<Rogue['write']>[1], place: Parameters<Rogue['write']>[2]): void =>
      void line.say(said(rogue.write(on.to, content, place).bytes))
    say(propose, { uid: UID('7'), n: 1, seen: 0, seenId: '' })
    say(invite(), { uid: UID('8'), n: 2, seen: 0, seenId: '' })
    say(invite(), { uid: UID('9'), n: 1, seen: 1, seenId: 'ab'.repeat(32) as never })
    say(invite(), { uid, n: 1, seen: 0, seenId: '' })
    say(propose, { uid, n: 4, seen: 0, seenId: '' })
    say(propose, { uid, n: 2, seen: 7, seenId: 'ab'.repeat(32) as never })
    say(propose, { uid: task.taskUid, n: 1, seen: 1, seenId: 'ab'.repeat(32) as never })
    say(propose, { uid: task.taskUid, n: 2, seen: 0, seenId: '' })
    say(invite(), { uid: task.taskUid, n: 1, seen: 0, seenId: '' })
    await covered(line, rogue, rogue.head.seq)
    const held = await on.tasks()
    for (const absent of ['7', '8', '9']) expect(held.map((one) => one.taskUid)).not.to.include(UID(absent))
    expect(held.find((one) => one.taskUid === uid)?.proposals).to.have.length(1)
    expect(held.find((one) => one.taskUid === task.taskUid)?.proposals).to.have.length(1)
  })

  it('answers a want within what the contact may cost, however often and for whatever it asks', async () => {
    const { rogue } = await on.enemy('greedy')
    const line = await back(rogue)
    for (let i = 0; i < 30; i++) {
      const bytes = rogue.forge(on.to, { kind: 'x.fat', body: { fat: 'f'.repeat(60_000) } })
      line.say(said(bytes))
      const receipt = await covered(line, rogue, rogue.head.seq + 1)
      rogue.head = { seq: receipt.upTo.seq, id: receipt.upTo.id }
    }
    const lines = await Promise.all(Array.from({ length: 8 }, () => back(rogue)))
    const began = performance.now()
    for (let i = 0; i < 500; i++) {
      for (const one of lines) one.say({ type: 'want', chain: 'mine', from: 1 })
    }
    lines[0]?.say({ type: 'want', chain: 'mine', from: Number.MAX_SAFE_INTEGER })
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await on.holds()
    const seconds = (performance.now() - began) / 1000
    const got = lines.reduce((sum, one) => sum + one.bytes, 0)
    for (const one of lines) one.hangUp()
    expect(got).to.be.lessThan((20 + 20 * seconds + 8) * MIB)
  })

  it('believes no receipt for what it did not write, and lives through a flood of true ones', async () => {
    const { rogue } = await on.enemy('receipts')
    await until(
      async () => rogue.seen.seq,
      (seq) => seq >= 1
    )
    const held = rogue.seen
    const mine = { seq: held.seq + 1, id: 'ab'.repeat(32) as never }
    const forgeries: ReadonlyArray<(line: Line) => void> = [
      (line) => line.say(rogue.receipt(on.to, { seq: held.seq, id: 'ab'.repeat(32) as never })),
      (line) => line.say(rogue.receipt(on.to, { seq: 9_000_000, id: 'ab'.repeat(32) as never })),
      (line) => line.say(rogue.receipt(on.to, mine)),
      (line) => line.say(rogue.receipt(on.to, held, { to: on.honest.run.agent as never })),
      (line) => line.say({ type: 'receipt', bytes: new Uint8Array(200).fill(3) }),
      (line) => line.raw(framed(Buffer.concat([Uint8Array.of(4), canonicalBytes({ upTo: { ...held } })])))
    ]
    const queue = [...forgeries]
    rogue.onVisit = (line) =>
      void line
        .hears((frame) => frame.type === 'hello')
        .then(() => {
          line.say(rogue.hello(on.to, { have: { mine: rogue.head, yours: { seq: 0, id: '' } } }))
          return line.hears((frame) => frame.type === 'message').then(() => queue.shift()?.(line))
        })
    for (const visitor of rogue.visitors) visitor.hangUp()
    const body = { type: 'dinner.coordination', participant: rogue.agent, proposal: PLAN }
    const { task } = (await on.victim.agent<{ task: { taskUid: string } }>('POST', 'tasks', body)).body
    for (let left = forgeries.length; left > 0; left--) {
      // Each of our hellos takes it out of its pause.
      const line = await back(rogue)
      await until(
        async () => queue.length,
        (length) => length < left || queue.length === 0
      )
      await Promise.race([rogue.visitors.at(-1)?.ended, late('a forged receipt was taken')])
      line.hangUp()
    }
    const after = await on.victim.agent<{ task: { delivery: { state: string } } }>('GET', `tasks/${task.taskUid}`)
    expect(after.body.task.delivery.state).to.equal('queued')
    rogue.onVisit = (line) =>
      void line
        .hears((frame) => frame.type === 'hello')
        .then(() => {
          line.say(rogue.hello(on.to, { have: { mine: rogue.head, yours: held } }))
          for (let i = 0; i < 5000; i++) line.say(rogue.receipt(on.to, held))
        })
    await back(rogue)
    await new Promise((resolve) => setTimeout(resolve, 500))
  })

  it('sends its own chain again within one window, however often it is asked', async () => {
    const { rogue } = await on.enemy('again')
    const body = {
      type: 'dinner.coordination',
      participant: rogue.agent,
      proposal: { ...PLAN, notes: 'n'.repeat(500) }
    }
    for (let i = 0; i < 20; i++) expect((await on.victim.agent('POST', 'tasks', body)).status).to.equal(201)
    const have = { mine: rogue.head, yours: { seq: 0, id: '' as const } }
    rogue.onVisit = (line) =>
      void line
        .hears((frame) => frame.type === 'hello')
        .then(() => {
          line.say(rogue.hello(on.to, { have }))
          for (let i = 0; i < 2000; i++) line.say({ type: 'want', chain: 'yours', from: 1 })
          line.say({ type: 'want', chain: 'yours', from: Number.MAX_SAFE_INTEGER })
        })
    for (const visitor of rogue.visitors) visitor.hangUp()
    const began = performance.now()
    await back(rogue)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await on.holds()
    const seconds = (performance.now() - began) / 1000
    const got = rogue.visitors.reduce((sum, line) => sum + line.bytes, 0)
    expect(got).to.be.within(1, (20 + 20 * seconds + 8) * MIB)
  })

  it('serves others while one contact fills a task to its end', async () => {
    const { rogue } = await on.enemy('filler')
    const line = await back(rogue)
    const uid = UID('b')
    line.say(said(rogue.write(on.to, invite(), { uid, n: 1, seen: 0, seenId: '' }).bytes))
    for (let n = 2; n <= 1005; n++) {
      const content = { kind: 'task.propose', body: { proposal: { ...PLAN, notes: `number ${n}` } } } as const
      line.say(said(rogue.write(on.to, content, { uid, n, seen: 0, seenId: '' }).bytes))
    }
    await on.holds()
    await covered(line, rogue, rogue.head.seq)
    const task = (await on.tasks()).find((one) => one.taskUid === uid)
    expect(task?.proposals).to.have.length(1000)
  })

  it('keeps from its agent what no type allows, whatever date it claims', async () => {
    const { rogue } = await on.enemy('lawless')
    const line = await back(rogue)
    const { body } = invite() as unknown as { body: { type: JsonObject; proposal: JsonObject; expiresAt: string } }
    const bent: ReadonlyArray<readonly [JsonObject, JsonObject]> = [
      [{ proposal: { ...PLAN, homeAddress: '12 Elm Street' } }, {}],
      [{ proposal: { ...PLAN, time: 1900 } }, {}],
      [{ proposal: {} }, {}],
      [{ proposal: { ...PLAN, notes: 'n'.repeat(40_000) } }, {}],
      [{ expiresAt: '1969-01-01T00:00:00.000Z' }, {}],
      [{ expiresAt: '0000-01-01T00:00:00.000Z' }, { at: '0000-01-01T00:00:00.000Z' }],
      [{ expiresAt: '9999-12-31T23:59:59.999Z' }, {}],
      [{ expiresAt: '9999-12-31T23:59:59.999Z' }, { at: '9999-12-31T23:59:59.999Z' }],
      [{ type: { ...body.type, hash: 'ab'.repeat(32) } }, {}],
      [{ type: { ...body.type, definition: {} } }, {}],
      [{ type: { ...body.type, name: 'unheard.of', hash: 'ab'.repeat(32) } }, {}]
    ]
    const before = (await on.tasks()).map((task) => task.taskUid)
    for (const [change, header] of bent) {
      const uid = (rogue.head.seq + 1).toString(16).padStart(32, 'c')
      const task = { uid, n: 1, seen: 0, seenId: '' }
      const bytes = rogue.forge(on.to, { kind: 'task.invite', body: { ...body, ...change }, task, ...header })
      line.say(said(bytes))
      const receipt = await covered(line, rogue, rogue.head.seq + 1)
      rogue.head = { seq: receipt.upTo.seq, id: receipt.upTo.id }
    }
    const known = (await on.tasks()).map((task) => task.taskUid)
    const taken = known.filter((uid) => !before.includes(uid) && /^c/.test(uid))
    // Two are lawful: life is counted from the writer's own date, and of an installed type its own definition is read.
    expect(taken).to.have.length(2)
    expect((await on.itemsFrom(rogue)).filter((item) => item.kind === 'task.invite')).to.have.length(taken.length)
  })

  it('keeps what a contact does not read on disk, not in memory', async () => {
    const { rogue } = await on.enemy('slow')
    rogue.onVisit = undefined
    for (const visitor of rogue.visitors) visitor.hangUp()
    const body = {
      type: 'dinner.coordination',
      participant: rogue.agent,
      proposal: { ...PLAN, notes: 'n'.repeat(500) }
    }
    const statuses: number[] = []
    for (let batch = 0; batch < 100; batch++) {
      const writes = Array.from({ length: 10 }, () => on.victim.agent('POST', 'tasks', body))
      for (const { status } of await Promise.all(writes)) statuses.push(status)
    }
    // One message waited before: the owner's limit for one contact is a thousand.
    expect(statuses.filter((status) => status === 201)).to.have.length.within(998, 1000)
    expect((await on.victim.agent('POST', 'tasks', body)).status).to.equal(429)
  })

  it('is not drawn into haste by a contact that claims to hold more than was ever written', async () => {
    const { rogue } = await on.enemy('absurd')
    await until(
      async () => rogue.seen.seq,
      (seq) => seq >= 1
    )
    const absurd = { mine: rogue.head, yours: { seq: Number.MAX_SAFE_INTEGER, id: 'ab'.repeat(32) as never } }
    rogue.onVisit = (line) =>
      void line.hears((frame) => frame.type === 'hello').then(() => line.say(rogue.hello(on.to, { have: absurd })))
    for (const visitor of rogue.visitors) visitor.hangUp()
    const lines = [await rogue.visit(on.address, on.to, { have: absurd })]
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const before = rogue.visitors.length
    for (let i = 0; i < 20; i++) lines.push(await rogue.visit(on.address, on.to, { have: absurd }))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(rogue.visitors.length - before).to.be.lessThan(45)
    for (const line of lines) line.hangUp()
  })

  it('waits for no hello that never comes', async () => {
    const { rogue } = await on.enemy('mute')
    rogue.onVisit = (line) => void line
    for (const visitor of rogue.visitors) visitor.hangUp()
    const body = { type: 'dinner.coordination', participant: rogue.agent, proposal: PLAN }
    expect((await on.victim.agent('POST', 'tasks', body)).status).to.equal(201)
    await on.holds()
  })

  it('starts again on all that it was made to store', async () => {
    const before = await on.tasks()
    await on.victim.kill()
    await on.victim.start()
    expect((await on.tasks()).map((task) => task.taskUid)).to.deep.equal(before.map((task) => task.taskUid))
  })
})

function nested(levels: number): JsonObject {
  return levels === 0 ? {} : { in: nested(levels - 1) }
}
