/** A node under attack, an honest contact of it, and what must still hold after every attack. */
import { expect } from 'chai'
import type { AgentId } from '../../src/base/ids.js'
import { HOUR } from '../../src/base/time.js'
import type { Content } from '../../src/wire/message.js'
import { temporaryHomes } from '../support/homes.js'
import { DINNER } from '../tasks/dinner.js'
import { hashOf } from '../../src/types/definition.js'
import { until } from './agentlink.js'
import { befriend, contactOf, Daemon, HASTY } from './daemon.js'
import { allItems, allTasks, type Item, type Task } from './ledger.js'
import { createRogue, type Frame, type Line, type Rogue } from './rogue.js'

const MIB = 1024 * 1024
/** Growth of the victim's memory through one attack, at the most. */
const MEMORY = 64 * MIB
/** How long an honest contact may take for a task on an idle machine, and how many times that here. */
const EXCHANGE_MS = 2000
const BUSY = Number(process.env.E2E_PATIENCE ?? 4)

export const PLAN = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto' }

export interface Siege {
  readonly victim: Daemon
  readonly honest: Daemon
  readonly to: AgentId
  readonly address: string
  rogue(name: string, from?: string): Promise<Rogue>
  /** A rogue that is an active contact of the victim, and the stream that it opened to it. */
  enemy(name: string, from?: string): Promise<{ rogue: Rogue; line: Line }>
  /** What the victim's agent has seen of one writer. */
  itemsFrom(rogue: Rogue): Promise<Item[]>
  tasks(): Promise<Task[]>
  /** Throws unless the victim lives, serves its honest contact, and has not grown. */
  holds(): Promise<void>
  end(): Promise<void>
}

export async function besiege(): Promise<Siege> {
  const homes = temporaryHomes()
  const victim = await Daemon.make(homes.make(), '@victim', HASTY)
  const honest = await Daemon.make(homes.make(), '@honest')
  const rogues: Rogue[] = []
  await befriend(victim, honest)
  const to = victim.run.agent as AgentId
  const { address } = victim
  for (let i = 0; i < 3; i++) await exchange()
  let memory = victim.memory

  /** One task there and one answer back. */
  async function exchange(): Promise<number> {
    const began = performance.now()
    const body = { type: 'dinner.coordination', participant: to, proposal: PLAN }
    const { taskUid } = (await honest.agent<{ task: Task }>('POST', 'tasks', body)).body.task
    const here = (): Promise<{ status: number }> => victim.agent('GET', `tasks/${taskUid}`)
    await until(here, ({ status }) => status === 200, EXCHANGE_MS * BUSY)
    const answer = await victim.agent('POST', `tasks/${taskUid}/proposals`, { proposal: { ...PLAN, time: '20:00' } })
    expect(answer.status).to.equal(200)
    const there = (): Promise<{ body: { task: Task } }> => honest.agent('GET', `tasks/${taskUid}`)
    await until(there, ({ body }) => body.task.proposals.length === 2, EXCHANGE_MS * BUSY)
    return performance.now() - began
  }

  async function rogue(name: string, from?: string): Promise<Rogue> {
    const made = await createRogue(name, from)
    rogues.push(made)
    return made
  }

  return {
    victim,
    honest,
    to,
    address,
    rogue,
    async enemy(name, from) {
      const made = await rogue(name, from)
      expect((await victim.owner('POST', 'contacts', { link: made.link() })).status).to.equal(201)
      const line = await made.visit(address, to)
      await line.hears((frame) => frame.type === 'hello')
      line.say(said(made.write(to, { kind: 'contact.accept', body: { card: made.card() } }).bytes))
      await until(
        () => contactOf(victim, made.agent),
        (contact) => contact?.status === 'active'
      )
      await victim.owner('PUT', 'grants', { contact: made.agent, capability: 'disclose.*', effect: 'allow' })
      return { rogue: made, line }
    },
    async itemsFrom(of) {
      return (await allItems(victim)).filter((item) => (item as Item & { from: string }).from === of.agent)
    },
    tasks: () => allTasks(victim),
    async holds() {
      expect(victim.alive, victim.log.slice(-2000)).to.equal(true)
      await exchange()
      expect(victim.log).not.to.match(/unhandled|uncaught|"level":(50|60)/i)
      const now = victim.memory
      expect(now - memory, 'growth').to.be.lessThan(MEMORY)
      memory = Math.max(memory, now)
    },
    async end() {
      for (const one of rogues) await one.stop()
      for (const node of [victim, honest]) await node.kill()
      homes.clean()
    }
  }
}

export function said(bytes: Uint8Array): Frame {
  return { type: 'message', bytes }
}

/** An invite to dinner, as an honest node would write it. */
export function invite(notes = 'come'): Content {
  const definition = DINNER
  const type = { name: definition.name, version: definition.version, hash: hashOf(definition), definition }
  const expiresAt = new Date(Date.now() + 24 * HOUR).toISOString()
  return {
    kind: 'task.invite',
    body: { type, expiresAt, proposal: { ...PLAN, notes } } as unknown as Extract<
      Content,
      { kind: 'task.invite' }
    >['body']
  }
}

/** Fails a race that nobody won. */
export function late(what: string): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(what)), 20_000).unref())
}
