import { expect } from 'chai'
import { MINUTE, SECOND } from '../../src/base/time.js'
import { type JobWorld, agreed, jobWorld, pay, standing, taskAt } from './jobs.js'
import type { Failing } from './ledger.js'

/** The hirer's node is killed at every call to the chain, before its answer and after; JOB_KILLS raises how often. */
const KILLS = Number(process.env['JOB_KILLS'] ?? 150)
const SEED = Number(process.env['JOB_SEED'] ?? 1)
const FAULTS: readonly Failing[] = ['down', 'deaf', 'swallow', 'flaky']

function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

class Killer {
  kills = 0
  readonly calls = new Map<string, number>()
  private fuse: { left: number; readonly when: string } | undefined
  at: JobWorld | undefined

  readonly watch = (call: string, when: 'before' | 'after'): void => {
    if (this.fuse === undefined || this.fuse.when !== when || --this.fuse.left > 0) return
    this.fuse = undefined
    this.kills++
    const name = `${when} ${call}`
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1)
    this.at?.alice.crash()
    throw new Error('killed')
  }

  arm(left: number, when: 'before' | 'after'): void {
    this.fuse = { left, when }
  }

  disarm(): void {
    this.fuse = undefined
  }

  /** Whether the node must be started again. */
  fired(): boolean {
    return this.fuse === undefined
  }
}

describe('a hirer whose node is killed while it pays', function () {
  this.timeout(0)

  it(`pays every job once, over ${KILLS} kills between signing, storing, sending and confirming`, async () => {
    const random = numbers(SEED)
    const killer = new Killer()
    const huge = { perJob: 10n ** 18n, perDay: 10n ** 18n }
    const flows = { sweepMs: 10 * MINUTE, queuePerContact: 100_000, openApprovals: 10_000 }
    let jobs = 0
    while (killer.kills < KILLS) {
      const at = await jobWorld({ spend: huge, flows, watch: killer.watch })
      killer.at = at
      for (let one = 0; one < 5 && killer.kills < KILLS; one++) await paidOnce(at, killer, random)
      jobs += 5
    }
    expect(jobs).to.be.above(0)
    // Every moment that there is was one of death.
    if (KILLS >= 500)
      expect([...killer.calls.keys()]).to.include.members([
        'before sign',
        'after sign',
        'before send',
        'after send',
        'after fetch'
      ])
  })
})

/** One job under fire, then left in peace: in the end it is paid, and its money moved once. */
async function paidOnce(at: JobWorld, killer: Killer, random: (below: number) => number): Promise<void> {
  const { world, ledger, alice } = at
  const uid = await agreed(at, { price: '0.001' })
  await pay(at, uid)
  for (let round = 0; round < 25; round++) {
    ledger.failing.clear()
    for (const fault of FAULTS) if (random(4) === 0) ledger.failing.add(fault)
    killer.arm(1 + random(4), random(2) === 0 ? 'before' : 'after')
    await world.rest(random(3) === 0 ? 4 * MINUTE : (1 + random(40)) * SECOND)
    if (killer.fired()) await alice.start()
    killer.disarm()
    const { status } = await taskAt(at, alice, uid)
    if (status === 'paid') break
    if (status === 'agreed' && random(2) === 0) await pay(at, uid)
  }
  ledger.failing.clear()
  await world.rest(8 * MINUTE)
  if ((await taskAt(at, alice, uid)).status === 'agreed') {
    await pay(at, uid)
    await world.rest(4 * MINUTE)
  }
  expect(await standing(at, alice, uid)).to.equal('paid delivery_due')
  const references = (await taskAt(at, alice, uid)).job?.attempts.map(({ reference }) => reference) ?? []
  const landed = references.map((reference) => ledger.arrived(reference)).reduce((sum, one) => sum + one, 0)
  expect(landed, `payments of one job, over ${references.length} attempts`).to.equal(1)
}
