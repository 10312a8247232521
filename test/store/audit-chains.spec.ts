import { expect } from 'chai'
import { pairKey, seqKey } from '../../src/flows/keys.js'
import { type ChainFault, auditChains } from '../../src/store/audit-chains.js'
import type { KeyValue } from '../../src/store/key-value.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'
import { ALICE, BOB, CAROL, chainOf, chainOps, withAlteredPayload } from './chains.js'

const LENGTH = 250
const received = (seq: number): string => placeOf('received', seqKey(ALICE, BOB, seq))
const sent = (seq: number): string => placeOf('sent', seqKey(ALICE, BOB, seq))

describe('the audit of the chains', () => {
  let disk: MemoryDisk
  let kv: KeyValue

  beforeEach(async () => {
    disk = new MemoryDisk()
    kv = disk.open()
    await kv.write(chainOps({ out: LENGTH, in: LENGTH }))
    await kv.write(chainOps({ out: 0, in: 1 }, ALICE, CAROL))
    await kv.write(chainOps({ out: 3, in: 0 }, BOB, ALICE))
  })

  const found = async (recent = 2000): Promise<string[]> =>
    (await auditChains(kv, { recent })).map(
      ({ chain, from, to, fault }: ChainFault) => `${chain} ${from}-${to} ${fault}`
    )

  it('has nothing to say of sound chains, however many of them it reads', async () => {
    for (const recent of [1, 99, 100, 101, 249, 250, 251]) expect(await found(recent)).to.deep.equal([])
  })

  it('has nothing to say of an empty store', async () => {
    expect(await auditChains(new MemoryDisk().open())).to.deep.equal([])
  })

  const holes: Array<[string, number[], string[]]> = [
    ['the first', [1], ['received 1-1 missing']],
    ['one in the middle', [77], ['received 77-77 missing']],
    ['the last', [LENGTH], ['received 250-250 missing']],
    ['two runs', [5, 6, 7, 200, 201], ['received 200-201 missing', 'received 5-7 missing']],
    ['both ends of a page', [100, 101, 150, 151], ['received 150-151 missing', 'received 100-101 missing']],
    ['all', Array.from({ length: LENGTH }, (_, i) => i + 1), ['received 1-250 missing']]
  ]
  for (const [name, seqs, faults] of holes) {
    it(`finds holes: ${name}, among the newest and among the old`, async () => {
      for (const seq of seqs) disk.tamper(received(seq), undefined)
      expect(await found()).to.have.members(faults)
      expect((await found(10)).join()).to.match(/missing/)
      const counted = (await found(10)).flatMap((fault) => {
        const [from = 0, to = 0] = (/ (\d+)-(\d+) /.exec(fault) ?? []).slice(1).map(Number)
        return Array.from({ length: to - from + 1 }, (_, i) => from + i)
      })
      expect(counted.sort((a, b) => a - b)).to.deep.equal(seqs)
    })
  }

  it('finds a changed byte in any of the newest payloads', async () => {
    for (const seq of [1, 2, 100, LENGTH - 1, LENGTH]) {
      const good = kv.getSync(sent(seq)) as Uint8Array
      disk.tamper(sent(seq), withAlteredPayload(good))
      expect(await found(), String(seq)).to.deep.equal([`sent ${seq}-${seq} altered`])
      disk.tamper(sent(seq), good)
    }
    expect(await found()).to.deep.equal([])
  })

  it('finds what is no signed message', async () => {
    disk.tamper(sent(9), Uint8Array.of(1, 2, 3))
    disk.tamper(sent(4), (kv.getSync(sent(4)) as Uint8Array).subarray(0, 100))
    expect(await found()).to.deep.equal(['sent 9-9 unreadable', 'sent 4-4 unreadable'])
  })

  it('finds a message that lies in the place of another', async () => {
    const stray = kv.getSync(sent(8)) as Uint8Array
    disk.tamper(sent(9), stray)
    expect(await found()).to.deep.equal(['sent 9-9 altered'])
    const others = chainOf(CAROL, ALICE, 1)
    disk.tamper(placeOf('chains', pairKey(ALICE, CAROL)), TABLES.chains.encode({ ...NO_HEADS, in: others.head }))
    disk.tamper(placeOf('received', seqKey(ALICE, CAROL, 1)), chainOf(BOB, ALICE, 1).messages[0])
    expect(await found()).to.include('received 1-1 altered')
    const mixed = chainOf(BOB, ALICE, 1)
    disk.tamper(placeOf('chains', pairKey(ALICE, CAROL)), TABLES.chains.encode({ ...NO_HEADS, in: mixed.head }))
    expect(await found()).to.include('received 1-1 misplaced')
  })

  it('finds messages above the head, as an old chain record would leave them', async () => {
    const { head } = chainOf(ALICE, BOB, 200)
    const record = { out: head, in: chainOf(BOB, ALICE, LENGTH).head, acked: 0 }
    disk.tamper(placeOf('chains', pairKey(ALICE, BOB)), TABLES.chains.encode(record))
    expect(await found()).to.deep.equal(['sent 201-250 beyond_head'])
  })

  it('finds chains whose record is gone', async () => {
    disk.tamper(placeOf('chains', pairKey(ALICE, BOB)), undefined)
    expect(await auditChains(kv)).to.deep.equal([
      { agent: ALICE, peer: BOB, chain: 'sent', from: 1, to: LENGTH, fault: 'no_record' },
      { agent: ALICE, peer: BOB, chain: 'received', from: 1, to: LENGTH, fault: 'no_record' }
    ])
  })
})

const NO_HEADS = { out: { seq: 0, id: '' as const }, in: { seq: 0, id: '' as const }, acked: 0 }
