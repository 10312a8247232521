import { until } from './agentlink.js'
import type { Answer, Daemon } from './daemon.js'

/** Delegated tasks between two daemons, brought to the state that a test begins with. */

export type Stage = 'submitted' | 'claimed' | 'proved' | 'asked' | 'completed'

/** Of `1 passing` and a line end. */
const OUTPUT = {
  tail: '1 passing\n',
  bytes: 10,
  sha256: 'af5f512ce652234d893f5e0e2aebe18f3e7148b08d5740d6b483157ffc15b77d'
}
export const EVIDENCE = {
  command: 'npm test',
  exitStatus: 0,
  durationMs: 800,
  output: OUTPUT,
  endToEnd: { passed: true },
  verdictSource: 'script'
}

/** A sound contract; tasks of different contexts own nothing in common. */
export function contractIn(contextID: string): Record<string, unknown> {
  return {
    objective: 'Make the failing test pass',
    outputFormat: 'The changed file',
    toolAndSourceGuidance: 'This repository alone',
    boundaries: 'Leave the tests as they are',
    filesAndInterfaces: ['src/sum.js'],
    acceptanceCheck: { passFailCommand: EVIDENCE.command, endToEndVerification: 'Add up a bill' },
    contextID
  }
}

/** Owners let their agents send text of delegated work to every contact. */
export async function mayDelegate(nodes: readonly Daemon[]): Promise<void> {
  for (const node of nodes) {
    for (const capability of ['delegate.submit', 'delegate.report']) {
      await node.owner('PUT', 'grants', { contact: '*', capability, effect: 'allow' })
    }
  }
}

let made = 0

/** Submits a task from one node to another and takes it as far as asked. Answers its id. */
export async function delegated(by: Daemon, to: Daemon, stage: Stage): Promise<string> {
  const taskId = `task-${++made}`
  await must(by.agent('POST', 'envelopes', { recipient: to.run.agent, taskId, envelope: contractIn(taskId) }))
  await reached(to, taskId, 'submitted')
  const step = (name: string, body: object): Promise<Answer> =>
    must(to.agent('POST', `envelopes/${taskId}/${name}`, body))
  if (stage === 'submitted') return taskId
  await step('claim', {})
  if (stage === 'claimed') return taskId
  if (stage === 'asked') {
    await step('status', { state: 'input_required', code: 'needs_decision' })
    await reached(by, taskId, 'input_required')
    return taskId
  }
  await step('evidence', { evidence: EVIDENCE })
  if (stage === 'proved') return taskId
  await step('complete', {})
  await reached(by, taskId, 'completed')
  return taskId
}

/** Waits until a node holds the task in a state. */
async function reached(node: Daemon, taskId: string, state: string): Promise<void> {
  await until(
    () => node.agent<{ envelope?: { state: string } }>('GET', `envelopes/${taskId}`),
    ({ body }) => body.envelope?.state === state
  )
}

async function must(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  if (answer.status < 300) return answer
  throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
}
