import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreFailure } from '../../src/store/failure.js'
import { createStore } from '../../src/store/store.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'
import { type Transpiled, transpile } from '../support/transpiled.js'
import { FakeClock, settled } from './fakeClock.js'
import type { FillReport } from './filler.js'

/** Part of util-linux; where it is missing, so is the right. */
const UNSHARE = 'unshare'
/** A file system of its own needs the right to mount one; where it is missing, a disk in memory stands in for it. */
const MAY_MOUNT = spawnSync(UNSHARE, ['-m', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0

describe('a store on a full disk', () => {
  if (MAY_MOUNT) onRealDisk()
  else onMemoryDisk()
})

function onRealDisk(): void {
  let filler: Transpiled
  let dir: string
  before(() => {
    filler = transpile('test/store/filler.ts')
    dir = mkdtempSync(join(tmpdir(), 'agentlink-full-'))
  })
  after(() => {
    filler.dispose()
    rmSync(dir, { recursive: true, force: true })
  })

  it('says so, loses nothing that was durable, and goes on by itself when there is space (LevelDB on a tmpfs)', function () {
    this.timeout(60_000)
    const script = 'mount -t tmpfs -o size=8m tmpfs "$1" && exec "$2" "$3" "$1"'
    const child = spawnSync(UNSHARE, ['-m', 'sh', '-c', script, 'sh', dir, process.execPath, filler.entry], {
      encoding: 'utf8'
    })
    expect(child.stderr).to.equal('')
    const report = JSON.parse(child.stdout) as FillReport
    expect(report.durable).to.be.greaterThan(50)
    expect(report).to.deep.include({
      code: 'disk_full',
      refused: 'disk_full',
      readableWhileFull: true,
      recovered: true
    })
    expect(report).to.deep.include({ lost: 0, lostAfterRestart: 0, torn: 0 })
  })
}

function onMemoryDisk(): void {
  it('says so, loses nothing that was durable, and goes on by itself (in memory: no right to mount a tmpfs)', async () => {
    const disk = new MemoryDisk({ schedule: setImmediate })
    const clock = new FakeClock()
    const store = createStore(disk.open(), { clock, retry: { firstMs: 10, maxMs: 10 } })
    const put = (n: number): Promise<void> => store.transact((tx) => tx.put('meta', `n${n}`, n)).durable
    for (let n = 0; n < 50; n++) await put(n)
    disk.failWith(() => new StoreFailure('disk_full', 'full'))
    const failure: unknown = await put(50).catch((error: unknown) => error)
    expect((failure as StoreFailure).code).to.equal('disk_full')
    disk.failWith(undefined)
    clock.advance(10)
    for (let i = 0; i < 5; i++) await settled()
    await put(51)
    expect(disk.contents()).to.have.length(51)
    await store.close()
  })
}
