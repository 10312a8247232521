import { expect } from 'chai'
import { household } from './household.js'
import { MOMENTS } from './killer.js'
import type { Way } from './runtime.js'

/** For a long night: `npm run kill:payments`. A household that fails is repeated with its seed in JOB_SEED and JOB_KILLS=1. */
const KILLS = Number(process.env['JOB_KILLS'] ?? 1000)
const SEED = Number(process.env['JOB_SEED'] ?? 1)
const JOBS = 10
/** Of one household: then the next seed begins with an empty chain. */
const KILLS_OF_HOUSEHOLD = 60
const OVER_HTTP = 20

describe('a hirer whose node is killed while it pays, on the ledger of Solana’s own runtime', function () {
  this.timeout(0)

  async function run(way: Way, kills: number, most: number): Promise<Map<string, number>> {
    const killed = new Map<string, number>()
    let sum = 0
    for (let seed = SEED; sum < kills; seed++) {
      const one = await household({ seed, jobs: JOBS, way })
      try {
        await payAll(one, most)
        expect(await one.faultsOnLedger()).to.deep.equal([])
      } catch (error) {
        throw new Error(`JOB_SEED=${seed} JOB_KILLS=1: ${String(error)}`, { cause: error })
      } finally {
        await one.stop()
      }
      for (const [moment, count] of one.killer.killed) killed.set(moment, (killed.get(moment) ?? 0) + count)
      sum += one.killer.kills
    }
    return killed
  }

  async function payAll(one: Awaited<ReturnType<typeof household>>, most: number): Promise<void> {
    for (let job = 0; job < JOBS && one.killer.kills < most; job++) await one.payUnderFire(most)
  }

  it(`pays every job once, over ${KILLS} kills around each call to the chain and each write`, async () => {
    const killed = await run('text', KILLS, KILLS_OF_HOUSEHOLD)
    if (KILLS >= 500) expect([...killed.keys()]).to.include.members(Object.values(MOMENTS).flat())
  })

  it('does so over HTTP as well', async () => {
    await run('http', Math.min(KILLS, OVER_HTTP), OVER_HTTP)
  })
})
