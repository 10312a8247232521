import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentPrefix, countPart, pairPrefix } from '../../src/flows/keys.js'
import { openLevel } from '../../src/store/level.js'
import { type DurableStore, createStore } from '../../src/store/store.js'
import { type Transpiled, transpile } from '../support/transpiled.js'
import { FakeClock } from './fakeClock.js'
import { ALICE, BOB, bytesOf } from './writer.js'

/** More with `STORE_KILLS=1000 npx mocha --grep kill`. */
const ROUNDS = Number(process.env['STORE_KILLS'] ?? 30)
/** Rounds on one store, so that kills also fall into its opening, its table files and their merging. */
const ROUNDS_PER_STORE = 10
const LONGEST_LIFE_MS = 150

/** Runs the writer until it is killed, at a random moment; the highest number that it called durable. */
async function runAndKill(entry: string, dir: string): Promise<number> {
  const child = spawn(process.execPath, [entry, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8')
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text: string) => {
      printed += text
      if (printed.startsWith('ready\n')) resolve()
    })
    child.once('exit', () => resolve())
  })
  expect(printed, 'the writer opened the store').to.match(/^ready\n/)
  setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS)
  await once(child, 'close')
  expect(child.signalCode).to.equal('SIGKILL')
  // The last line may be cut off in the middle.
  const lines = printed.slice(0, printed.lastIndexOf('\n')).split('\n').slice(1)
  return Math.max(0, ...lines.map(Number))
}

/** Checks that the steps 1 … head are there as wholes and nothing of any other. Gives the head. */
async function headOf(store: DurableStore, checkedBefore: number): Promise<number> {
  const head = store.get('chains', `${ALICE}/${BOB}`)?.in.seq ?? 0
  const after = countPart(checkedBefore)
  const received = await store.range('received', { prefix: pairPrefix(ALICE, BOB), after })
  expect(received.map(([key]) => Number(key.slice(-12)))).to.deep.equal(
    Array.from({ length: head - checkedBefore }, (_, i) => checkedBefore + 1 + i)
  )
  for (const [key, bytes] of received) {
    if (Buffer.compare(bytes, bytesOf(Number(key.slice(-12)))) !== 0) expect.fail(`the bytes of ${key} are torn`)
  }
  const inbox = await store.range('inbox', { prefix: agentPrefix(ALICE) })
  const first = Math.max(1, head - 9)
  expect(inbox.map(([, { cursor }]) => cursor)).to.deep.equal(
    Array.from({ length: head === 0 ? 0 : head - first + 1 }, (_, i) => first + i)
  )
  return head
}

describe('a store whose process is killed', () => {
  let writer: Transpiled
  before(() => (writer = transpile('test/store/writer.ts')))
  after(() => writer.dispose())

  it(`keeps every step that it called durable, and each step whole, in ${ROUNDS} kills`, async function () {
    this.timeout(ROUNDS * 10_000)
    let steps = 0
    for (let done = 0; done < ROUNDS; done += ROUNDS_PER_STORE) {
      const dir = await mkdtemp(join(tmpdir(), 'agentlink-kill-'))
      steps += await killOneStore(dir, Math.min(ROUNDS_PER_STORE, ROUNDS - done))
      await rm(dir, { recursive: true, force: true })
    }
    expect(steps).to.be.greaterThan(ROUNDS)
  })

  async function killOneStore(dir: string, rounds: number): Promise<number> {
    let head = 0
    for (let round = 0; round < rounds; round++) {
      const durable = await runAndKill(writer.entry, dir)
      const store = createStore(await openLevel(dir), { clock: new FakeClock() })
      const before = head
      head = await headOf(store, before)
      await store.close()
      expect(head, 'nothing that was called durable is lost').to.be.at.least(Math.max(durable, before))
    }
    return head
  }
})
