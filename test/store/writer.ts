import { writeSync } from 'node:fs'
import { createHash } from 'node:crypto'
import type { AgentId } from '../../src/base/ids.js'
import { inboxKey, seqKey } from '../../src/flows/keys.js'
import type { Tx } from '../../src/flows/ports.js'
import { createClock } from '../../src/node/clock.js'
import { openLevel } from '../../src/store/level.js'
import { createStore } from '../../src/store/store.js'

/**
 * A process to be killed: it writes steps without end, in bursts of random size, and prints the number of each step that
 * is durable. Every step changes four records, which must never be seen apart.
 *
 *     node writer.js DIR
 */
export const ALICE = 'al1alice' as AgentId
export const BOB = 'al1bob' as AgentId

/** The bytes of message `n`: long and unlike each other, so that a torn or mixed record shows. */
export function bytesOf(n: number): Uint8Array {
  const block = createHash('sha256').update(String(n)).digest()
  return new Uint8Array(Buffer.concat(Array.from({ length: 1 + (n % 40) }, () => block)))
}

function write(tx: Tx, n: number): void {
  tx.put('received', seqKey(ALICE, BOB, n), bytesOf(n))
  tx.put('chains', `${ALICE}/${BOB}`, { out: { seq: 0, id: '' }, in: { seq: n, id: '' }, acked: 0 })
  tx.put('inbox', inboxKey(ALICE, n), { cursor: n, kind: 'task.invite', from: BOB, at: n, seq: n })
  if (n > 10) tx.del('inbox', inboxKey(ALICE, n - 10))
}

/** One line, at once: what is said must be out before the kill. A pipe whose reader is slow takes it a little later. */
function say(word: string | number): void {
  for (;;) {
    try {
      return void writeSync(1, `${word}\n`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

async function run(dir: string): Promise<void> {
  const store = createStore(await openLevel(dir), { clock: createClock() })
  let n = store.get('chains', `${ALICE}/${BOB}`)?.in.seq ?? 0
  say('ready')
  for (;;) {
    const burst = 1 + Math.floor(Math.random() ** 3 * 150)
    const steps = Array.from({ length: burst }, () => {
      const own = ++n
      const how = Math.random() < 0.2 ? 'transactLazily' : 'transact'
      return store[how]((tx) => write(tx, own)).durable.then(() => say(own))
    })
    await (Math.random() < 0.5 ? steps[0] : Promise.all(steps))
  }
}

const [, script, dir] = process.argv
if (script?.endsWith('writer.js') === true && dir !== undefined) await run(dir)
