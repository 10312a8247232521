import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../dist/api/client.js'
import { createServer } from '../../dist/api/server.js'
import type { AgentId } from '../../dist/base/ids.js'
import { createFlows } from '../../dist/flows/flows.js'
import type { Channel, Link } from '../../dist/flows/ports.js'
import { createHost } from '../../dist/net/host.js'
import { builtinTypes } from '../../dist/node/builtin-types.js'
import { createClock, createRandom } from '../../dist/node/clock.js'
import { openLevel } from '../../dist/store/level.js'
import { createStore } from '../../dist/store/store.js'
import { signerOf } from '../../dist/wire/ed25519.js'
import { decodeFrame } from '../../dist/wire/frames.js'
import { agentIdOf } from '../../dist/wire/keys.js'
import { peekEnvelope } from '../../dist/wire/signed-envelope.js'
import { type SliceRequest, drive, processCount, serve } from './end.js'

/**
 * One node of the product, all of it, in a process of its own; the bench only watches its receipts arrive. It is the
 * compiled product, as owners run it: a loader that compiles on the fly makes closures dearer.
 */

/** Proposals in one task before the next is opened: what two agents that haggle may need. */
const PER_TASK = 10
const FIRST = { date: '2026-11-14', time: '19:00', timezone: 'America/Toronto', cuisine: 'Italian', partySize: 2 }
const NOTES = 'n'.repeat(160)

const dir = mkdtempSync(join(tmpdir(), 'agentlink-bench-'))
const socket = join(dir, 'api.sock')
const log = { info: () => undefined, warn: () => undefined }
const clock = createClock()
const token = randomBytes(32).toString('hex')
const tokenHash = createHash('sha256').update(token).digest('hex')
const signer = signerOf(randomBytes(32))
const agent = agentIdOf(signer.publicKey)
const seed = randomBytes(32)

const limits = { strangers: 32, strangersPerAddress: 8, perPeer: 2, newPerSecond: 10 }
const host = createHost({ seed, listen: ['/ip4/127.0.0.1/tcp/0'], limits }, { log })
let moreAtHand = (): boolean => false
const disk = await openLevel(join(dir, 'state'))
const store = createStore(disk, { clock, moreAtHand: () => moreAtHand() })
const never = (): Promise<never> => Promise.reject(new Error('the agents of this bench stay'))
const AGENTS_STAY = {
  places: {
    make: never,
    renewToken: never,
    retire: never,
    open: never,
    close: () => undefined,
    interrupt: () => undefined
  }
}
const flows = createFlows(
  {
    store,
    link: watched(host),
    clock,
    random: createRandom(),
    keyring: { signer: () => signer, node: signerOf(seed) },
    ...AGENTS_STAY,
    log,
    types: builtinTypes()
  },
  {
    approvalHours: 72,
    openApprovals: 100,
    backoff: { firstMs: 200, maxMs: 1000 },
    sweepMs: 1000,
    helloMs: 10_000,
    pendingContacts: 50,
    window: 256,
    queuePerContact: 10_000,
    quotas: { tasks: 100_000, tasksPerContact: 100_000, envelopes: 100_000 }
  }
)
moreAtHand = () => flows.busy()
flows.hostAgent({ agent, name: 'default', handle: '@bench', tokenHash })
await host.start()
await flows.start()
const server = createServer(
  {
    agent: flows.agent,
    owner: flows.owner,
    status: flows.status,
    settings: () => ({ items: [], node: { version: '0.0.0', home: '' } }),
    agentOfToken: flows.agentOfToken,
    isOwner: () => false,
    clock,
    log,
    records: () => disk.snapshot(),
    callRefused: flows.callRefused
  },
  { socket, agents: [], limits: { callsPerSecond: 1_000_000, callsAtOnce: 1_000_000, waits: 16 } }
)
const served = await server.start()
if (!served.ok) throw new Error(served.refusal.message)
const client = createClient({ socketPath: socket, token })

// ---- receipts, as they come in ----

const waiters: Array<{ readonly seq: number; readonly resolve: () => void }> = []

function watched(link: Link): Link {
  return {
    ...link,
    peerId: link.peerId,
    onChannel: (accept) => link.onChannel(accept),
    setContacts: (peers) => link.setContacts(peers),
    addrs: () => link.addrs(),
    connect: async (target) => watchedChannel(await link.connect(target))
  }
}

function watchedChannel(channel: Channel): Channel {
  return {
    peerId: channel.peerId,
    closed: channel.closed,
    send: (frame) => channel.send(frame),
    close: () => channel.close(),
    abort: (reason) => channel.abort(reason),
    read: (onFrame) =>
      channel.read((bytes) => {
        const done = onFrame(bytes)
        // The product has verified it by now; here its number is only read.
        if (bytes[0] === 4) noteReceipt(bytes)
        return done
      })
  }
}

function noteReceipt(bytes: Uint8Array): void {
  const frame = decodeFrame(bytes)
  const receipt = frame.ok && frame.value.type === 'receipt' ? peekEnvelope(frame.value.bytes) : undefined
  if (receipt?.ok !== true) return
  const { upTo } = JSON.parse(Buffer.from(receipt.value.payload).toString()) as { upTo: { seq: number } }
  while (waiters[0] !== undefined && waiters[0].seq <= upTo.seq) waiters.shift()?.resolve()
}

// ---- messages ----

/** Number of our last message; the contact request was the first. */
let sent = 1
let peer: AgentId | undefined
let tasks: string[] = []

function acknowledged(): Promise<void> {
  const seq = ++sent
  return new Promise((resolve) => waiters.push({ seq, resolve }))
}

async function openTask(): Promise<void> {
  const done = acknowledged()
  const command = { type: 'dinner.coordination', participant: peer ?? '', proposal: FIRST }
  const answer = await flows.agent.createTask(agent, command)
  if (!answer.ok || answer.value.answer.status !== 'sent') throw new Error('the bench cannot open a task')
  tasks.push(answer.value.answer.task.taskUid)
  await done
}

/** Proposals go round the tasks of the slice, so that each holds as many as two agents that haggle. */
async function propose(door: SliceRequest['door'], index: number): Promise<void> {
  const done = acknowledged()
  const proposal = { ...FIRST, notes: NOTES, partySize: 1 + (index % 20) }
  const taskUid = tasks[index % tasks.length] ?? ''
  const answer =
    door === 'api'
      ? await client.call('tasks.propose', { params: { taskUid }, body: { proposal } })
      : await flows.agent.propose(agent, taskUid, { proposal })
  if (!answer.ok) throw new Error(answer.refusal.message)
  return done
}

async function openTasks(slice: SliceRequest): Promise<void> {
  tasks = []
  await drive({ window: 16, messages: Math.ceil(slice.messages / PER_TASK), door: 'direct' }, openTask)
}

async function becomeContacts(link: string): Promise<void> {
  const added = await flows.owner.addContact({ link })
  if (!added.ok) throw new Error(added.refusal.message)
  peer = added.value.agent as AgentId
  const granted = await flows.owner.setGrant({ contact: '*', capability: 'disclose.*', effect: 'allow' })
  if (!granted.ok) throw new Error(granted.refusal.message)
  let after = 0
  for (;;) {
    const page = await flows.agent.inbox(agent, { after, waitSeconds: 10, limit: 100 })
    if (!page.ok || page.value.items.length === 0) throw new Error('the bench nodes did not become contacts')
    if (page.value.items.some((item) => item.kind === 'contact.active')) return
    after = page.value.next
  }
}

serve({
  async place() {
    const invite = await flows.owner.invite({ secret: true })
    if (!invite.ok) throw new Error(invite.refusal.message)
    return { link: invite.value.link, dial: false }
  },
  async meet(place) {
    const { link, dial } = place as { link: string; dial: boolean }
    if (dial) await becomeContacts(link)
  },
  prepare: openTasks,
  slice: (slice) => drive(slice, (index) => propose(slice.door, index)),
  count() {
    const { syncs, steps } = store.stats()
    return { ...processCount(), syncs, committed: steps }
  },
  async stop() {
    await server.stop()
    await flows.stop()
    await host.stop()
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
