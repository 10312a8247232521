/**
 * Checks at the moment bytes leave a node or reach its disk: nothing is said that is not durable, no number is signed
 * twice, nothing leaves that its owner did not allow.
 */
import { toHex } from '../../src/base/bytes.js'
import { sha256 } from '../../src/base/digest.js'
import type { AgentId } from '../../src/base/ids.js'
import { seqKey } from '../../src/flows/keys.js'
import type { InboxRecord } from '../../src/flows/records/desk.js'
import type { KvOp } from '../../src/store/key-value.js'
import { placeOf } from '../../src/store/tables.js'
import type { Frame } from '../../src/wire/frames.js'
import { decodeFrame } from '../../src/wire/frames.js'
import { peekEnvelope } from '../../src/wire/signed-envelope.js'
import type { SimNode } from './node.js'
import type { Plans } from './plans.js'

export interface Traffic {
  onFrame(from: SimNode, to: SimNode, frame: Uint8Array): void
  /** Answers the uids of the tasks that changed. */
  onSynced(node: SimNode, ops: readonly KvOp[]): readonly string[]
  /** Whether a plan stands in a message that is on the disk of its writer. */
  isDurable(marker: string): boolean
  /** How often each kind of message was seen for the first time. */
  readonly kinds: ReadonlyMap<string, number>
  /** From now on this agent's node says what it likes: only what honest nodes do about it is checked. */
  distrust(agent: AgentId): void
  /** The node's disk is about to be replaced by an older copy: it will store again what it stored since. */
  forget(node: SimNode): void
}

/** What the checks read of a message, without trusting the code that is under test. */
interface Read {
  readonly id: string
  readonly text: string
  readonly from: AgentId
  readonly to: AgentId
  readonly seq: number
  readonly prev: string
  readonly kind: string
}

export function createTraffic(components: { readonly plans: Plans; readonly broken: (what: string) => void }): Traffic {
  const { plans, broken } = components
  /** (from, to, seq) -> id of the one message that may have it. */
  const ids = new Map<string, string>()
  const kinds = new Map<string, number>()
  /** marker -> ids of the messages that carry it. */
  const carriers = new Map<string, Set<string>>()
  const durable = new Set<string>()
  /** node and contact -> last seq stored; node -> what stands in the inbox. */
  const lastStored = new Map<string, number>()
  const inInbox = new Set<string>()
  const rogues = new Set<AgentId>()

  function onFrame(from: SimNode, to: SimNode, bytes: Uint8Array): void {
    if (rogues.has(from.agent)) return
    const frame = decodeFrame(bytes)
    if (!frame.ok) return broken(`${from.name} sent a frame that can't be read: ${frame.refusal.message}`)
    if (frame.value.type !== 'refuse' && contactState(from, to) === 'blocked') {
      broken(`${from.name} says ${frame.value.type} to ${to.name}, which it blocked`)
    }
    switch (frame.value.type) {
      case 'message':
        return onMessage(from, to, frame.value.bytes)
      case 'receipt':
        return onReceipt(from, to, frame.value.bytes)
      case 'hello':
        return onHello(from, frame.value, to)
      default:
    }
  }

  function onMessage(from: SimNode, to: SimNode, bytes: Uint8Array): void {
    const message = readMessage(bytes)
    if (message === undefined) return broken(`${from.name} sent a message that can't be read`)
    claimNumber(message)
    const own = message.from === from.agent && message.to === to.agent
    const returned = message.from === to.agent && message.to === from.agent
    if (!own && !returned) broken(`${from.name} sent ${to.name} a message from ${message.from} to ${message.to}`)
    const place = seqKey(from.agent, to.agent, message.seq)
    if (!from.disk.has(placeOf(own ? 'sent' : 'received', place))) {
      broken(`${from.name} sent ${message.kind} ${message.seq} before it was on disk`)
    }
    if (own && message.kind === 'task.confirm') checkConfirm(from, to, message)
    else if (own) checkPlans(from, to, message)
  }

  /** A confirm tells of a record on disk; beside what the agreed plan says, which is said already, it says nothing. */
  function checkConfirm(from: SimNode, to: SimNode, message: Read): void {
    if (!isReceipted(from, to, message)) broken(`${from.name} confirms before the acceptance was acknowledged`)
    const { recordId } = (JSON.parse(message.text) as { body: { recordId: string } }).body
    const records = from.disk.entries(`ac:${from.agent}/`).map(([, bytes]) => Buffer.from(bytes).toString('utf8'))
    if (!records.some((record) => record.includes(recordId)))
      broken(`${from.name} confirms ${recordId} without a record`)
    for (const plan of plans.in(message.text)) {
      if (plan.contact === '') broken(`${from.name} let ${plan.marker} out, which stands in params alone`)
    }
  }

  /** Whether a receipt covers the acceptance of ours that a confirm rests on, if it is ours. */
  function isReceipted(from: SimNode, to: SimNode, confirm: Read): boolean {
    const { proposalId } = (JSON.parse(confirm.text) as { body: { proposalId: string } }).body
    const pair = `${from.agent}/${to.agent}/`
    const accepted = from.disk.entries(`se:${pair}`).flatMap(([, bytes]) => {
      const text = readMessage(bytes)
      return text?.kind === 'task.respond' && text.text.includes(`"accept","proposalId":"${proposalId}"`)
        ? [text.seq]
        : []
    })
    const receipts = from.disk.entries(`rc:${pair}`).map(([key]) => Number(key.split('/').at(-1)))
    return accepted.every((seq) => receipts.some((upTo) => upTo >= seq))
  }

  function checkPlans(from: SimNode, to: SimNode, message: Read): void {
    for (const plan of plans.in(message.text)) {
      if (plan.state !== 'may') broken(`${from.name} disclosed ${plan.marker}, which is ${plan.state}`)
      if (plan.contact !== to.agent) broken(`${from.name} disclosed ${plan.marker} to another contact`)
    }
  }

  /** Two messages with one number are proof of equivocation: an honest node never signs them. */
  function claimNumber(message: Read): void {
    if (rogues.has(message.from)) return
    const number = `${message.from} ${message.to} ${message.seq}`
    const known = ids.get(number)
    if (known === message.id) return
    if (known !== undefined) return broken(`two messages for ${number}: ${known} and ${message.id}`)
    ids.set(number, message.id)
    kinds.set(message.kind, (kinds.get(message.kind) ?? 0) + 1)
    const before = message.seq === 1 ? '' : ids.get(`${message.from} ${message.to} ${message.seq - 1}`)
    if (before !== undefined && before !== message.prev) broken(`${number} does not follow the message before it`)
  }

  function onReceipt(from: SimNode, to: SimNode, bytes: Uint8Array): void {
    const payload = payloadOf(bytes) as { upTo: { seq: number; id: string }; head: number } | undefined
    if (payload === undefined) return broken(`${from.name} sent a receipt that can't be read`)
    const { upTo, head } = payload
    const stored = from.disk.read(placeOf('received', seqKey(from.agent, to.agent, upTo.seq)))
    if (stored === undefined) return broken(`${from.name} acknowledged ${upTo.seq} before it was on disk`)
    if (readMessage(stored)?.id !== upTo.id) broken(`${from.name} acknowledged another ${upTo.seq} than it stored`)
    if (head > 0 && !from.disk.has(placeOf('sent', seqKey(from.agent, to.agent, head)))) {
      broken(`${from.name} names a head ${head} that is not on its disk`)
    }
  }

  function onHello(from: SimNode, { hello }: Extract<Frame, { type: 'hello' }>, to: SimNode): void {
    const heads = [
      ['sent', hello.have.mine.seq],
      ['received', hello.have.yours.seq]
    ] as const
    for (const [table, seq] of heads) {
      if (seq === 0 || from.disk.has(placeOf(table, seqKey(from.agent, to.agent, seq)))) continue
      broken(`${from.name} greets with ${table} ${seq}, which is not on its disk`)
    }
  }

  function onSynced(node: SimNode, ops: readonly KvOp[]): readonly string[] {
    const changed: string[] = []
    for (const { key, value } of ops) {
      const [table, rest] = [key.slice(0, 2), key.slice(3)]
      if (value === undefined) continue
      if (table === 'se') onSent(value)
      else if (table === 're') onStored(node, rest)
      else if (table === 'in')
        onInbox(node, rest.split('/')[0] ?? '', JSON.parse(Buffer.from(value).toString('utf8')) as InboxRecord)
      else if (table === 'eq') onProof(node, rest)
      else if (table === 'ta') changed.push(rest.split('/')[1] ?? '')
    }
    return changed
  }

  /** A plan is sealed once, however often its call was made; and once more for each further yes of the owner. */
  function onSent(bytes: Uint8Array): void {
    const message = readMessage(bytes)
    if (message === undefined) return broken('a message on disk can not be read')
    claimNumber(message)
    if (message.kind === 'task.confirm') return
    for (const plan of plans.in(message.text)) {
      const known = (carriers.get(plan.marker) ?? new Set()).add(message.id)
      carriers.set(plan.marker, known)
      const most = plan.yeses + Number(plan.allowed)
      if (known.size > most) broken(`${plan.marker} was sealed ${known.size} times, allowed ${most}`)
      durable.add(plan.marker)
    }
  }

  function onProof(node: SimNode, rest: string): void {
    const peer = rest.split('/')[1] as AgentId
    if (!rogues.has(peer)) broken(`${node.name} holds proof against an honest node`)
  }

  function onStored(node: SimNode, rest: string): void {
    const [own, peer, digits] = rest.split('/')
    const [pair, seq] = [`${node.name} ${own ?? ''} ${peer ?? ''}`, Number(digits)]
    const last = lastStored.get(pair)
    if (last !== undefined && seq !== last + 1) broken(`${node.name} stored ${seq} of a chain after ${last}`)
    lastStored.set(pair, seq)
  }

  function forget(node: SimNode): void {
    for (const pair of lastStored.keys()) if (pair.startsWith(`${node.name} `)) lastStored.delete(pair)
    for (const entry of inInbox) if (entry.startsWith(`${node.name} `)) inInbox.delete(entry)
  }

  function onInbox(node: SimNode, own: string, record: InboxRecord): void {
    const name = `${node.name} ${own} ${record.cursor}`
    const content = record.seq === undefined ? undefined : `${node.name} ${own} ${record.from} seq ${record.seq}`
    for (const entry of [name, content]) {
      if (entry === undefined) continue
      if (inInbox.has(entry)) broken(`${entry} stands in the inbox twice`)
      inInbox.add(entry)
    }
  }

  return {
    onFrame,
    onSynced,
    isDurable: (marker) => durable.has(marker),
    kinds,
    distrust: (agent) => void rogues.add(agent),
    forget
  }
}

/** The state of a contact as it stands on the disk of a node. */
function contactState(node: SimNode, other: SimNode): string | undefined {
  const bytes = node.disk.read(placeOf('contacts', `${node.agent}/${other.agent}`))
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as { state: string }).state
}

/** A signed message as it lies on a disk or travels; undefined when it is none. */
export function readMessage(bytes: Uint8Array): Read | undefined {
  const opened = peekEnvelope(bytes)
  if (!opened.ok) return undefined
  const text = Buffer.from(opened.value.payload).toString('utf8')
  const header = JSON.parse(text) as Omit<Read, 'id' | 'text'>
  return { ...header, id: toHex(sha256(opened.value.payload)), text }
}

function payloadOf(bytes: Uint8Array): unknown {
  const opened = peekEnvelope(bytes)
  return opened.ok ? JSON.parse(Buffer.from(opened.value.payload).toString('utf8')) : undefined
}
