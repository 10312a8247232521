import { type MessageId } from '../../src/base/ids.js'
import { type Side, type TaskEntry, type TaskLog, checkPlace, coverOf, otherSide } from '../../src/tasks/log.js'
import { type Report, report } from '../../src/tasks/report.js'
import { type TaskDraft, judge, wouldApply } from '../../src/tasks/rules.js'
import type { Definition } from '../../src/types/definition.js'
import { draftsFor } from './drafts.js'
import { type Content, EXPIRES, say } from './entries.js'
import { DINNER } from './dinner.js'

/**
 * Two honest nodes and one task, driven by a list of moves: what they write crosses, receipts come late or never,
 * clocks differ and jump. Everything that a node does here is done by the production code.
 */
export interface Move {
  readonly who: boolean
  /** 0 to 99: what is done. */
  readonly act: number
  /** Which of the possible ones. */
  readonly pick: number
  /** Ticks that pass before. */
  readonly dt: number
}

interface Sent {
  readonly seq: number
  /** Undefined: a message of another task. */
  readonly entry?: TaskEntry
}

export interface Setup {
  /** Ticks; the task expires at 100. */
  readonly start: number
  /** How wrong the clocks of inviter and invitee are, in ticks. */
  readonly offsets: readonly [number, number]
  /** Whether the invitee's node does not know the type, so that its owner must decide. */
  readonly hold: boolean
}

const TICK = 1000
/** What is never lost but by a refusal. */
const PROMISES: ReadonlySet<string> = new Set([
  'task.respond',
  'task.confirm',
  'job.paid',
  'job.deliver',
  'job.complete'
])
const TERMINAL = new Set(['cancelled', 'expired', 'confirmed', 'completed'])

export class Party {
  readonly chain: Sent[] = []
  readonly own: TaskEntry[] = []
  readonly held: TaskEntry[] = []
  readonly receipts: { upTo: number; head: number }[] = []
  /** Statuses as they were reported, without repeats. */
  readonly said: string[] = []
  offset = 0
  inSeq = 0
  expired = false
  holding = false
  settledOn: MessageId | undefined

  constructor(readonly side: Side) {}

  log(): TaskLog {
    return this.side === 'inviter'
      ? { inviter: this.own, invitee: this.held }
      : { inviter: this.held, invitee: this.own }
  }

  hasTask(): boolean {
    return this.log().inviter.length > 0
  }
}

export class World {
  readonly inviter = new Party('inviter')
  readonly invitee = new Party('invitee')
  readonly faults: string[] = []
  /** Own writes that must not be lost unless refused: accepts, rejects, confirms. */
  readonly promised: TaskEntry[] = []
  /** Statuses that must stay once they were reported. */
  protected final: ReadonlySet<string> = TERMINAL
  protected ticks: number
  private made = 0

  constructor(setup: Setup) {
    this.ticks = setup.start
    this.inviter.offset = setup.offsets[0]
    this.invitee.offset = setup.offsets[1]
    this.invitee.holding = setup.hold
    this.write(this.inviter, this.invite(), 0)
  }

  protected invite(): Content {
    return say.invite()
  }

  /** What an agent may think of writing. */
  protected drafts(_party: Party, reported: Report, pick: number): TaskDraft[] {
    return draftsFor(reported, pick)
  }

  protected definition(): Definition {
    return DINNER
  }

  clock(party: Party): number {
    return EXPIRES + (this.ticks + party.offset - 100) * TICK
  }

  peer(party: Party): Party {
    return party === this.inviter ? this.invitee : this.inviter
  }

  move({ who, act, pick, dt }: Move): void {
    this.ticks += dt
    const party = who ? this.inviter : this.invitee
    if (act < 38) this.deliver(party)
    else if (act < 53) this.receive(party, pick)
    else if (act < 56) party.receipts.splice(pick % (party.receipts.length + 1), 1)
    else if (act < 59) party.chain.push({ seq: party.chain.length + 1 })
    else if (act < 64) party.offset += (pick % 41) - 20
    else if (act < 67) this.decide(party, pick)
    else this.act(party, pick)
    this.look()
  }

  /** Everything arrives, receipts are answered again, and the time of the task passes. */
  heal(): void {
    for (const party of [this.inviter, this.invitee]) this.decide(party, 1)
    while (!this.quiet()) {
      for (const party of [this.inviter, this.invitee]) {
        this.deliver(party)
        this.peer(party).receipts.push({ upTo: party.inSeq, head: party.chain.length })
        while (this.peer(party).receipts.length > 0) this.receive(this.peer(party), 0)
      }
      this.look()
    }
    this.ticks += 1000
    this.look()
  }

  /** Whether everything is delivered, and receipted as far as it ever will be. */
  private quiet(): boolean {
    return [this.inviter, this.invitee].every(
      (party) =>
        party.inSeq === this.peer(party).chain.length && party.own.every(({ coverHead }) => coverHead !== undefined)
    )
  }

  reportOf(party: Party): Report {
    const { side: self, inSeq, expired } = party
    return report({ log: party.log(), self, now: this.clock(party), inSeq, expired, awaitingApproval: false })
  }

  protected deliver(party: Party): void {
    const sent = this.peer(party).chain[party.inSeq]
    if (sent === undefined) return
    const code = sent.entry === undefined ? undefined : this.judged(party, sent.entry)
    party.inSeq = sent.seq
    if (sent.entry !== undefined) this.store(party, sent.entry)
    if (sent.entry !== undefined && code !== undefined) {
      this.write(party, { kind: 'task.refuse', body: { of: sent.entry.id, code } }, this.made)
    }
    this.peer(party).receipts.push({ upTo: sent.seq, head: party.chain.length })
  }

  protected judged(party: Party, entry: TaskEntry): ReturnType<typeof judge> {
    const { expired } = party
    const side = otherSide(party.side)
    return judge({ log: party.log(), side, entry, now: this.clock(party), expired, definition: this.definition() })
  }

  protected store(party: Party, entry: TaskEntry): void {
    const { coverHead: _sendersOwn, ...bare } = entry
    const place = checkPlace(party.log(), otherSide(party.side), bare as TaskEntry)
    if (!place.ok) this.faults.push(`honest message without a place: ${place.refusal.message}`)
    party.held.push(bare as TaskEntry)
  }

  protected receive(party: Party, pick: number): void {
    const [receipt] = party.receipts.splice(pick % Math.max(1, party.receipts.length), 1)
    if (receipt === undefined) return
    party.own.forEach((entry, index) => {
      if (entry.seq > receipt.upTo || entry.coverHead !== undefined) return
      party.own[index] = { ...entry, coverHead: coverOf(receipt.head, party.inSeq) }
    })
  }

  /** The owner answers a held invite. */
  protected decide(party: Party, pick: number): void {
    const invite = party.held[0]
    if (!party.holding || invite === undefined) return
    party.holding = false
    const ended = TERMINAL.has(this.reportOf(party).status) || party.own.length > 0
    if (pick % 3 === 0 && !ended) {
      this.write(party, { kind: 'task.refuse', body: { of: invite.id, code: 'type_not_installed' } }, pick)
    }
  }

  protected act(party: Party, pick: number): void {
    if (!party.hasTask() || party.holding) return
    const reported = this.reportOf(party)
    const drafts = this.drafts(party, reported, pick)
    const draft = drafts[pick % drafts.length] as TaskDraft
    const { side: self, inSeq, expired } = party
    const log = party.log()
    const now = this.clock(party)
    if (!wouldApply({ log, self, now, inSeq, expired, awaitingApproval: false }, draft).ok) return
    const entry = this.write(party, draft, pick)
    const effect = this.reportOf(party).reduced.effects.get(entry.id)
    if (effect !== 'applied') this.faults.push(`${draft.kind} was allowed and is ${effect}`)
    if (PROMISES.has(draft.kind)) this.promised.push(entry)
  }

  protected write(party: Party, content: Content, pick: number): TaskEntry {
    this.made += 1
    const seen = party.held.length
    const entry: TaskEntry = {
      ...content,
      id: scrambled(this.made, pick),
      seq: party.chain.length + 1,
      n: party.own.length + 1,
      seen,
      seenId: party.held[seen - 1]?.id ?? '',
      at: new Date(this.clock(party)).toISOString()
    }
    party.own.push(entry)
    party.chain.push({ seq: entry.seq, entry })
    return entry
  }

  protected honest(): Party[] {
    return [this.inviter, this.invitee]
  }

  protected look(): void {
    for (const party of this.honest()) {
      if (!party.hasTask()) continue
      const { status, settled, agreedProposalId, cancelRequested } = this.reportOf(party)
      if (status === 'expired') party.expired = true
      const last = party.said[party.said.length - 1]
      if (last !== undefined && this.final.has(last) && last !== status) {
        this.faults.push(`${party.side} said ${last}, then ${status}`)
      }
      if (last !== status) party.said.push(status)
      if (cancelRequested && TERMINAL.has(status)) this.faults.push(`${status} while a cancel is under way`)
      if (party.settledOn !== undefined && (party.settledOn !== agreedProposalId || !settled)) {
        this.faults.push(`${party.side} had settled on ${party.settledOn.slice(0, 8)}, now ${agreedProposalId}`)
      }
      if (settled) party.settledOn = agreedProposalId
    }
  }
}

/** Distinct ids whose order is as good as random. */
function scrambled(made: number, pick: number): MessageId {
  const mixed = (Math.imul(made + 1, 2654435761) ^ Math.imul(pick + 7, 2246822519)) >>> 0
  return (mixed.toString(16).padStart(8, '0') + made.toString(16)).padEnd(64, '0') as MessageId
}
