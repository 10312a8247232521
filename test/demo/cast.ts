import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import { delegate } from './delegate.js'
import { haveDinner } from './dinner.js'
import { hire } from './hire.js'
import { Person } from './person.js'
import { Program } from './program.js'
import { askForQuote } from './quote.js'
import { chapter, next, say } from './stage.js'

/**
 * The main job on one machine: two owners' nodes, in two homes, make each other's acquaintance and their agents settle a
 * dinner, then a price in a type of task that one of them has never heard of, then a piece of work that is delegated and
 * proved, then a job that is paid on a local Solana chain. It fails unless both nodes hold the same plan, byte for byte,
 * the work is verified, and the chain says that exactly the price has changed hands.
 */
export interface Cast {
  readonly alice: Person
  readonly bob: Person
  readonly chain: Program
  /** A directory of the demo's own, gone when it ends. */
  readonly root: string
}

/** Tells the whole story, then what comes after it, and takes everything away. What fails is said, and the exit code is 1. */
export async function play(after: (cast: Cast, dinner: string) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'agentlink-demo-'))
  const cast: Cast = { alice: new Person('alice', root), bob: new Person('bob', root), chain: new Program(), root }
  const { alice, bob, chain } = cast
  try {
    console.log(pc.bold('AgentLink: two owners, two nodes, one dinner, one price, one piece of work, one paid job'))
    await meet(cast)
    const dinner = await haveDinner(alice, bob)
    await askForQuote(alice, bob)
    await delegate(alice, bob, root)
    await hire(alice, bob, root)
    await after(cast, dinner)
  } catch (error) {
    console.error(pc.red(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`))
    process.exitCode = 1
  } finally {
    await Promise.all([alice.stop(), bob.stop()])
    await chain.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

/** What each owner adds to the settings: where the chain is, and what an agent may spend. */
function settingsFor(chain: string): string {
  const { url } = JSON.parse(chain) as { readonly url: string }
  const place = ['[chain]', 'cluster = "localnet"', `rpc_url = "${url}"`, 'poll_ms = 200']
  return ['', ...place, '[spend]', 'per_job_sol = "0.5"', 'per_day_sol = "0.5"', ''].join('\n')
}

async function meet({ alice, bob, chain }: Cast): Promise<void> {
  chapter('Two owners start a node each, beside a Solana chain of their own')
  const settings = settingsFor(await chain.start(['localnet', '--port', '0', '--json']))
  await Promise.all([alice.start(settings), bob.start(settings)])
  for (const person of [alice, bob])
    say(person.handle, `agent ${person.place().agent.slice(0, 16)}…  node …${person.place().peerId.slice(-8)}`)

  chapter('They become contacts')
  const { link } = await bob.owner(['contact', 'invite'])
  say('@bob', `gives Alice a link with a one-time secret: ${String(link).slice(0, 40)}…`)
  await alice.owner(['contact', 'add', '-'], String(link))
  await Promise.all([next(alice, 'contact.active', 0), next(bob, 'contact.active', 0)])
  say('@alice', 'adds it; the secret opens the door, and both contacts are active')
}
