import { expect } from 'chai'
import { cpSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditChains } from '../../src/store/audit-chains.js'
import { StoreFailure } from '../../src/store/failure.js'
import type { KeyValue } from '../../src/store/key-value.js'
import { openLevel } from '../../src/store/level.js'
import { migrate } from '../../src/store/migrate.js'
import { decodeAt } from '../../src/store/tables.js'
import { ALICE, BOB, chainOps } from './chains.js'

/** What an owner would learn of a damaged store at start: the code of the failure, or the faults that were found. */
async function learn(dir: string): Promise<string> {
  let kv: KeyValue | undefined
  try {
    kv = await openLevel(dir)
    await migrate(kv)
    const faults = await auditChains(kv)
    return faults.length === 0 ? 'nothing' : 'faults'
  } catch (error) {
    if (error instanceof StoreFailure) return error.code
    throw error
  } finally {
    await kv?.close()
  }
}

/** Head of the one pair's own chain, which falls back when the newest batches are lost. */
async function headIn(dir: string): Promise<number> {
  const kv = await openLevel(dir)
  const [record] = await kv.range({ gte: 'ch:', lt: 'ch;' })
  await kv.close()
  return record === undefined ? 0 : decodeAt('chains', '', record[1]).out.seq
}

describe('the LevelDB of a home', () => {
  let home: string
  let dir: string

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'agentlink-level-'))
    dir = join(home, 'store')
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  it('is held by one process, and the second learns why it can not start', async () => {
    const kv = await openLevel(dir)
    const failure: unknown = await openLevel(dir).catch((error: unknown) => error)
    await kv.close()
    expect(failure).to.be.instanceOf(StoreFailure)
    expect((failure as StoreFailure).code).to.equal('locked')
    expect((failure as StoreFailure).message).to.contain('Another daemon is running on this home')
    await (await openLevel(dir)).close()
  })

  it('makes its directory, and says so when it can not', async () => {
    await (await openLevel(join(home, 'a/b/store'))).close()
    writeFileSync(join(home, 'file'), '')
    const failure: unknown = await openLevel(join(home, 'file/store')).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(StoreFailure)
    expect((failure as StoreFailure).code).to.equal('io')
  })

  describe('that is damaged', () => {
    /** A store with table files and a log: opened and closed between writes, which makes a table of the log. */
    async function makeStore(): Promise<void> {
      let kv = await openLevel(dir)
      await migrate(kv)
      await grow(kv, 0)
      await kv.close()
      kv = await openLevel(dir)
      await grow(kv, 60)
      await kv.close()
    }

    async function grow(kv: KeyValue, from: number): Promise<void> {
      for (let head = from + 5; head <= from + 60; head += 5) {
        await kv.write(chainOps({ out: head, in: head }, ALICE, BOB, head - 5))
      }
    }

    it('is sound before', async () => {
      await makeStore()
      expect(await learn(dir)).to.equal('nothing')
    })

    it('never starts as if nothing had happened when its index or a table is empty or gone', async () => {
      await makeStore()
      const files = readdirSync(dir).filter((name) => /^(CURRENT|MANIFEST)|\.ldb$/.test(name))
      expect(files).to.have.length(3)
      for (const file of files) {
        for (const harm of ['emptied', 'removed'] as const) {
          const copy = join(home, `${file}-${harm}`)
          cpSync(dir, copy, { recursive: true })
          if (harm === 'emptied') truncateSync(join(copy, file))
          else rmSync(join(copy, file))
          expect(await learn(copy), `${file} ${harm}`).to.be.oneOf(['corrupt', 'faults'])
          expect(await learn(copy), `${file} ${harm}, second start`).to.be.oneOf(['corrupt', 'faults'])
        }
      }
    })

    it('is an older one, whole, when its log is empty or gone: like a backup, which only the peers can tell', async () => {
      for (const harm of [truncateSync, rmSync]) {
        rmSync(dir, { recursive: true, force: true })
        await makeStore()
        const log = readdirSync(dir).find((name) => name.endsWith('.log'))
        harm(join(dir, log as string))
        expect(await learn(dir)).to.equal('nothing')
        expect(await headIn(dir)).to.equal(60)
      }
    })

    it('says in plain words what to do', async () => {
      await makeStore()
      rmSync(join(dir, 'CURRENT'))
      const failure: unknown = await openLevel(dir).catch((error: unknown) => error)
      expect(String(failure)).to.match(/The store is damaged \(.*CURRENT is missing.*restore the last backup/)
    })

    it('is found out when bits flip in its log or in a table', async () => {
      await makeStore()
      const silent: string[] = []
      for (const file of readdirSync(dir).filter((name) => /^\d+\.(log|ldb)$/.test(name))) {
        const bytes = readFileSync(join(dir, file))
        for (let i = 1; i < 12; i++) {
          const at = Math.floor((bytes.length * i) / 12)
          const harmed = Uint8Array.from(bytes)
          harmed[at] = (harmed[at] as number) ^ 0x10
          const copy = join(home, `${file}-${i}`)
          cpSync(dir, copy, { recursive: true })
          writeFileSync(join(copy, file), harmed)
          if ((await learn(copy)) === 'nothing' && (await headIn(copy)) === 120)
            silent.push(`${file} at ${at} of ${bytes.length}`)
          rmSync(copy, { recursive: true })
        }
      }
      // A signature has no second witness, and the two flips in signatures of a table do no harm to what they sign.
      expect(silent.length, silent.join(', ')).to.be.at.most(3)
    })

    it('keeps what is sound readable for the audit', async () => {
      await makeStore()
      const kv = await openLevel(dir)
      await kv.write([{ key: `re:${ALICE}/${BOB}/000000000007`, value: undefined }])
      expect(await auditChains(kv)).to.deep.equal([
        { agent: ALICE, peer: BOB, chain: 'received', from: 7, to: 7, fault: 'missing' }
      ])
      await kv.close()
    })
  })
})
