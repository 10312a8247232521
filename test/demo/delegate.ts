import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import type { EnvelopeView } from '../../src/flows/views/envelopes.js'
import type { Answer, Person } from './person.js'
import { chapter, expect, next, refusal, say } from './stage.js'

/**
 * A piece of real work: Alice's agent asks Bob's to make a failing test pass. Each has a copy of the project in a folder
 * of their own; the test is a real one, and no node runs it: the agents do, on their owners' word.
 */

const TASK = 'mend-sum'
const COMMAND = 'node --test sum.test.mjs'
const BROKEN = 'export const sum = (numbers) => numbers.reduce((total, one) => total - one, 0)\n'
const MENDED = 'export const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)\n'
const TEST = `import { strictEqual } from 'node:assert'
import { test } from 'node:test'
import { sum } from './sum.mjs'

test('adds up', () => strictEqual(sum([2, 3, 5]), 10))
test('nothing is zero', () => strictEqual(sum([]), 0))
`
const CONTRACT = {
  objective: 'Make the failing test pass.',
  outputFormat: 'The changed sum.mjs.',
  toolAndSourceGuidance: 'Node alone; the test says what is wanted.',
  boundaries: 'Leave sum.test.mjs as it is.',
  filesAndInterfaces: ['sum.mjs'],
  acceptanceCheck: { passFailCommand: COMMAND, endToEndVerification: 'Import sum and add up 1, 2 and 3.' },
  contextID: 'sums',
  toolsAllowed: ['node', 'shell']
}

/** `root`: an empty directory for the two copies of the project. */
export async function delegate(alice: Person, bob: Person, root: string): Promise<void> {
  const folders = { alice: project(join(root, 'project-of-alice')), bob: project(join(root, 'project-of-bob')) }
  await submit(alice, bob)
  await claim(bob)
  await complete(bob, folders.bob)
  await verify(alice, folders.alice)
}

function project(folder: string): string {
  mkdirSync(folder)
  writeFileSync(join(folder, 'sum.mjs'), BROKEN)
  writeFileSync(join(folder, 'sum.test.mjs'), TEST)
  return folder
}

const path = (step: string): string => `/v1/agent/envelopes/${TASK}${step}`
const envelope = (answer: Answer): EnvelopeView => answer.body['envelope'] as EnvelopeView

async function submit(alice: Person, bob: Person): Promise<void> {
  chapter("Alice's agent delegates a task: make a failing test pass")
  const send = (contract: object): Promise<Answer> =>
    alice.agent('POST', '/v1/agent/envelopes', { recipient: bob.place().agent, taskId: TASK, envelope: contract })
  const { contextID: _left, acceptanceCheck: _out, ...vague } = CONTRACT
  const { details } = refusal(expect(await send(vague), 400))
  say("Alice's agent", `leaves out what proves it done -> 400 ${(details['errors'] as string[]).join(', ')}`)
  await Promise.all([
    bob.owner(['ledger', 'set', 'node']),
    bob.owner(['grant', 'set', '--contact', '@alice', '--capability', 'delegate.report', '--effect', 'allow'])
  ])
  const asked = expect(await send(CONTRACT), 202).body
  await alice.owner(['approval', 'approve', String(asked['approvalId']), '--scope', 'contact'])
  say("Alice's agent", `says it all -> 202; Alice reads the contract and approves: "${COMMAND}" decides`)
}

async function claim(bob: Person): Promise<void> {
  chapter("Bob's agent claims it")
  await next(bob, 'envelope.submit', 0)
  const claimed = envelope(expect(await bob.agent('POST', path('/claim'), {}), 200))
  const tools = { asked: CONTRACT.toolsAllowed.join(', '), granted: (claimed.toolsGranted ?? []).join(', ') }
  say("Bob's agent", `${claimed.state}; Alice asked for ${tools.asked}, Bob's ledger grants ${tools.granted}`)
  const owned = expect(await bob.agent('GET', '/v1/agent/envelopes/owned'), 200).body['items'] as { paths: string[] }[]
  say("Bob's agent", `owns ${owned.flatMap((one) => one.paths).join(', ')} until the task ends`)
  const early = refusal(expect(await bob.agent('POST', path('/complete'), {}), 409))
  say("Bob's agent", `says that it is done -> 409 ${String(early.details['code'])}: a word is no proof`)
}

interface Checked {
  readonly run: { readonly exitStatus: number; readonly output: { readonly sha256: string } }
}

/** Runs the command of the contract; a check that fails ends with 1 and tells what it saw all the same. */
async function check(person: Person, words: readonly string[]): Promise<Checked['run']> {
  const { run } = (await person.told(['envelope', ...words, '--run'])) as unknown as Checked
  return run
}

async function complete(bob: Person, folder: string): Promise<void> {
  chapter('It does the work, and the command says when it is done')
  const words = ['check', TASK, '--directory', folder, '--end-to-end', 'passed']
  const before = await check(bob, words)
  if (before.exitStatus === 0) throw new Error('the test passes before anything was done')
  const refused = refusal(expect(await bob.agent('POST', path('/complete'), {}), 409))
  say("Bob's agent", `runs it: exit status ${before.exitStatus}; complete -> 409 ${String(refused.details['code'])}`)
  writeFileSync(join(folder, 'sum.mjs'), MENDED)
  const after = await check(bob, words)
  if (after.exitStatus !== 0) throw new Error('the test still fails')
  say(
    "Bob's agent",
    `changes "-" to "+" in sum.mjs, runs it: exit status 0, output ${after.output.sha256.slice(0, 12)}…`
  )
  // The two share a machine: where Bob keeps the file is a place that Alice can read, so he says it.
  const file = join(folder, 'sum.mjs')
  const done = await bob.owner(['envelope', 'complete', TASK, '--artifact', `${file}=${file}`])
  const { state, proof } = done['envelope'] as EnvelopeView
  say("Bob's agent", `completes it with that evidence: ${state}, proof ${proof}`)
}

interface Result {
  readonly artifacts: readonly { readonly location: string; readonly sha256: string }[]
}

async function verify(alice: Person, folder: string): Promise<void> {
  chapter('Alice believes nothing: she runs it herself')
  await next(alice, 'envelope.result', 0)
  const seen = envelope(expect(await alice.agent('GET', path('')), 200))
  const [artifact] = (seen.result as unknown as Result).artifacts
  if (artifact === undefined) throw new Error('no artifact was named')
  const bytes = createHash('sha256').update(readFileSync(artifact.location)).digest('hex')
  if (bytes !== artifact.sha256) throw new Error('the deliverable is not the one that was named')
  copyFileSync(artifact.location, join(folder, 'sum.mjs'))
  say("Alice's agent", `takes sum.mjs from where the artifact says, and its sha256 is the one that was named`)
  const rerun = await check(alice, ['verify', TASK, '--directory', folder])
  const end = envelope(expect(await alice.agent('GET', path('')), 200))
  say("Alice's agent", `runs it in her own copy: exit status ${rerun.exitStatus}; ${end.state}, proof ${end.proof}`)
  if (end.state !== 'completed' || end.proof !== 'verified') throw new Error('the work is not verified')
  console.log(`\n${pc.green('Work delegated, done, proved, and proved again by the one who asked.')}`)
}
