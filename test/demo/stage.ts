import pc from 'picocolors'
import type { InboxItem } from '../../src/flows/views/pages.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import type { Answer, Person } from './person.js'

/** How the demo speaks, and how its agents wait. */

/** How long one agent waits for the other's message, seconds: far more than loopback needs. */
const PATIENCE = 10

let chapterNumber = 0
export function chapter(title: string): void {
  console.log(`\n${pc.bold(`${++chapterNumber}. ${title}`)}`)
}

export function say(who: string, what: string): void {
  console.log(`   ${pc.cyan(who.padEnd(14))} ${what}`)
}

export function expect(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer
  throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
}

/** Ends the demo when something is not as it has to be. */
export function mustBe(is: unknown, wanted: unknown, what: string): void {
  if (is !== wanted) throw new Error(`${what} should be ${String(wanted)} and is ${String(is)}`)
}

export function refusal(answer: Answer): { code: string; details: Record<string, unknown> } {
  return answer.body['error'] as { code: string; details: Record<string, unknown> }
}

export const task = (answer: Answer): TaskView => answer.body['task'] as TaskView

/** Polls the agent's inbox, as an agent does, until an item of that kind is there. */
export async function next(person: Person, kind: string, after: number): Promise<InboxItem> {
  const page = expect(await person.agent('GET', `/v1/agent/inbox?after=${after}&wait=${PATIENCE}`), 200)
  const items = page.body['items'] as InboxItem[]
  const found = items.find((item) => item.kind === kind)
  if (found !== undefined) return found
  if (items.length === 0) throw new Error(`${person.handle} waited ${PATIENCE} s for a ${kind}`)
  return next(person, kind, page.body['next'] as number)
}

/** Reads a task until everything of ours has reached the other node. */
export function delivered(person: Person, taskUid: string): Promise<TaskView> {
  return until(person, taskUid, ({ delivery }) => delivery.state === 'delivered')
}

/** Reads a task until it is there and is as wanted. */
export async function until(person: Person, taskUid: string, passes: (task: TaskView) => boolean): Promise<TaskView> {
  const deadline = Date.now() + PATIENCE * 1000
  for (;;) {
    const answer = await person.agent('GET', `/v1/agent/tasks/${taskUid}`)
    const seen = answer.status === 404 ? undefined : task(expect(answer, 200))
    if (seen !== undefined && passes(seen)) return seen
    if (Date.now() > deadline) throw new Error(`${person.handle} waits in vain: ${JSON.stringify(answer.body)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
