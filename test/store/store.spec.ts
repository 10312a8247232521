import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLevel } from '../../src/store/level.js'
import { storeSuite } from '../suites/storeSuite.js'
import { MemoryDisk } from '../support/memoryKeyValue.js'

storeSuite('memory', async () => {
  const disk = new MemoryDisk({ schedule: setImmediate })
  return { open: async () => disk.open(), dispose: async () => undefined }
})

storeSuite('LevelDB', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'agentlink-store-'))
  return { open: () => openLevel(join(dir, 'store')), dispose: () => rm(dir, { recursive: true, force: true }) }
})
