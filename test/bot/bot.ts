/** The whole attack: rounds of calls by the bot, and between them answers of the owner and moves of the contacts. */
import { Agent, type RequestOptions, request } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { createPrng, type Prng } from '../sim/prng.js'
import { type Call, nextCall } from './calls.js'
import { word } from './canaries.js'
import { type Household, openHousehold } from './household.js'
import { Knowledge } from './knowledge.js'
import { answerSome, movePeer, must, settleIn } from './people.js'
import { contractOf } from './plans.js'
import { type Answer, type Watch, createWatch } from './watch.js'

/** Calls at once, each on a connection of its own that is kept. */
const AT_ONCE = 25
/** How long an answer may take before the node counts as hanging, ms. */
const PATIENCE_MS = 60_000
/** A stream of events is looked at for that long, ms. */
const GLANCE_MS = 20
/** Rounds between two looks at the memory, and bytes that it may grow after the first look. */
const LOOK_EVERY = 80
const GROWTH_BYTES = 160 * 1024 * 1024
const HOUR_MS = 3_600_000

export interface Attack {
  readonly calls: number
  readonly seed: number
  readonly onProgress?: (calls: number) => void
}

export interface Report {
  readonly calls: number
  readonly fault?: string
  /** Calls of the round in which it was seen, as they were made. */
  readonly last: readonly string[]
  readonly counts: ReadonlyMap<string, number>
  readonly replay: string
}

export async function attack({ calls, seed, onProgress }: Attack): Promise<Report> {
  const prng = createPrng(seed)
  const house = await openHousehold(prng.fork('house'))
  const http = new Agent({ keepAlive: true, maxSockets: AT_ONCE, maxFreeSockets: AT_ONCE })
  try {
    await settleIn(house)
    const knowledge = new Knowledge(await liveBeside(house, prng.fork('other')))
    const watch = createWatch(house, knowledge.foreign)
    const stage: Stage = { house, watch, knowledge, http, prng, memory: createMemory() }
    let done = 0
    let last: readonly Call[] = []
    for (let round = 0; done < calls && watch.fault() === undefined; round++) {
      last = await playRound(stage, round, Math.min(AT_ONCE, calls - done))
      done += last.length
      onProgress?.(done)
    }
    const fault = watch.fault() ?? stage.memory.fault()
    const replay = `npm run bot -- --seed ${seed} --calls ${calls}`
    return {
      calls: done,
      ...(fault === undefined ? {} : { fault }),
      last: last.map(lineOf),
      counts: watch.counts,
      replay
    }
  } finally {
    http.destroy()
    await house.stop()
  }
}

interface Stage {
  readonly house: Household
  readonly watch: Watch
  readonly knowledge: Knowledge
  readonly http: Agent
  readonly prng: Prng
  readonly memory: Memory
}

/** The calls of a round are chosen before any of them is made, and their answers are taken in that order. */
async function playRound(stage: Stage, round: number, size: number): Promise<readonly Call[]> {
  const { house, watch, knowledge, prng } = stage
  const calls = Array.from({ length: size }, () => nextCall({ knowledge, types: house.types, prng }))
  const answers = await Promise.all(calls.map((call) => send(stage, call, prng.chance(0.5) ? 0 : 1)))
  answers.forEach((answer, at) => take(stage, calls[at] as Call, answer))
  await Promise.all([answerSome(house, watch, prng), movePeer(house, prng), movePeer(house, prng)])
  await turn()
  await watch.frames()
  if (round % 25 === 24) house.pass(prng.pick([HOUR_MS, 30 * HOUR_MS]))
  if (round % LOOK_EVERY === LOOK_EVERY - 1) stage.memory.look()
  return calls
}

function take({ watch, knowledge }: Stage, call: Call, answer: Answer): void {
  watch.answer(call, answer)
  if (answer.status >= 200 && answer.status < 300 && answer.text.startsWith('{')) {
    knowledge.learn(JSON.parse(answer.text), { route: call.route, body: call.said })
  }
}

function send({ house, http }: Stage, call: Call, socket: 0 | 1): Promise<Answer> {
  const options: RequestOptions = {
    agent: http,
    socketPath: house.sockets[socket],
    method: call.method,
    path: call.target,
    timeout: PATIENCE_MS,
    headers: {
      authorization: `Bearer ${house.tokens.alice}`,
      ...(call.body === undefined ? {} : { ...call.headers, 'content-length': call.body.length })
    }
  }
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const status = response.statusCode ?? 0
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => void parts.push(part))
      response.on('end', () => resolve({ status, text: Buffer.concat(parts).toString('utf8') }))
      if (response.headers['content-type']?.startsWith('text/event-stream') !== true) return
      setTimeout(() => {
        asked.destroy()
        resolve({ status, text: Buffer.concat(parts).toString('utf8') })
      }, GLANCE_MS)
    })
    asked.on('timeout', () => reject(new Error(`${call.route} is not answered: ${lineOf(call)}`)))
    asked.on('error', (error) => (asked.destroyed ? resolve({ status: 0, text: '' }) : reject(error)))
    asked.end(call.body)
  })
}

/** Another agent of the same node has tasks and a question of its own: their ids. */
async function liveBeside({ home, away, types }: Household, prng: Prng): Promise<readonly string[]> {
  const [agent, bob] = [home.agents['other'], away.agents['bob']]
  if (agent === undefined || bob === undefined) throw new Error('nobody lives beside')
  const secret = (): string => word('other', prng)
  const plan = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', venue: { name: secret() } }
  const asked = must(
    await home.flows.agent.createTask(agent, { type: 'dinner.coordination', participant: '@bob', proposal: plan })
  ).answer
  if (asked.status !== 'pending_approval') throw new Error('nobody was asked')
  const type = types.find(({ builtin }) => !builtin)?.hash ?? ''
  const invited = must(
    await away.flows.agent.createTask(bob, { type, participant: '@other', proposal: { openText: secret() } })
  ).answer
  if (invited.status !== 'sent') throw new Error('not sent')
  const taskId = secret()
  must(
    await away.flows.agent.envelope(bob, { do: 'submit', recipient: '@other', taskId, envelope: contractOf(prng, []) })
  )
  return [taskId, asked.approvalId, asked.taskUid, invited.task.taskUid, invited.task.proposals[0]?.proposalId ?? '']
}

interface Memory {
  look(): void
  fault(): string | undefined
}

/** The heap after a full collection, where Node lets us ask for one. */
function createMemory(): Memory {
  let first: number | undefined
  let last = 0
  return {
    look() {
      global.gc?.()
      last = process.memoryUsage().heapUsed
      first ??= last
    },
    fault() {
      const grown = first === undefined ? 0 : last - first
      return grown > GROWTH_BYTES ? `the process grew by ${Math.round(grown / 2 ** 20)} MiB` : undefined
    }
  }
}

function lineOf({ method, target, body }: Call): string {
  return `${method} ${target} ${body?.toString('utf8').slice(0, 300) ?? ''}`.trim()
}
