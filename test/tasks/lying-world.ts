import type { MessageId } from '../../src/base/ids.js'
import type { RefuseCode, Side } from '../../src/tasks/log.js'
import { type Content, PLAN, recordOf, say } from './entries.js'
import { type Move, type Party, type Setup, World } from './world.js'

const CODES: readonly RefuseCode[] = ['task_expired', 'backdated', 'invalid_proposal', 'type_not_installed']

/**
 * An honest node and one that writes what it likes: any kind at any time, counting less than it holds, refusing what it
 * had let stand, with receipts that lie about its head. Each of its messages has its place, for others never count.
 */
export class LyingWorld extends World {
  // What the liar refuses of us it could as well have not received: its word undoes a confirm, nothing else.
  protected override readonly final = new Set(['cancelled', 'expired'])

  constructor(
    setup: Setup,
    private readonly liarSide: Side
  ) {
    super(setup)
  }

  override move(move: Move): void {
    const party = move.who ? this.inviter : this.invitee
    if (party.side !== this.liarSide) return super.move(move)
    this.ticks += move.dt
    if (move.act < 55) this.lie(party, move)
    else if (move.act < 60) party.chain.push({ seq: party.chain.length + 1 })
    else this.receiptOf(party, move)
    this.look()
  }

  protected override honest(): Party[] {
    return [this.inviter, this.invitee].filter((party) => party.side !== this.liarSide)
  }

  private receiptOf(liar: Party, { act, pick }: Move): void {
    const peer = this.peer(liar)
    const upTo = pick % (peer.chain.length + 1)
    peer.receipts.push({ upTo, head: act % 2 === 0 ? liar.chain.length : pick % (liar.chain.length + 2) })
  }

  /** Most lies are about what matters now. */
  private aim(liar: Party, pick: number): MessageId | undefined {
    const peer = this.peer(liar)
    if (pick % 5 === 0 || !peer.hasTask()) return undefined
    const { agreedProposalId, pendingProposalId } = this.reportOf(peer).reduced
    return agreedProposalId ?? pendingProposalId
  }

  private lie(liar: Party, { act, pick }: Move): void {
    const theirs = this.peer(liar).own
    const least = Math.max(liar.own[liar.own.length - 1]?.seen ?? 0, liar.side === 'invitee' ? 1 : 0)
    const seen = least + (act % 3 === 0 ? theirs.length - least : pick % (theirs.length - least + 1))
    liar.held.splice(0, liar.held.length, ...theirs.slice(0, seen))
    const known = [...theirs, ...liar.own].map(({ id }) => id)
    const target = this.aim(liar, pick) ?? (known[(pick >> 2) % known.length] as MessageId)
    const contents = lies(target, pick)
    this.write(liar, contents[pick % contents.length] as Content, pick)
  }
}

function lies(target: MessageId, pick: number): Content[] {
  const respond = (decision: 'accept' | 'reject'): Content => ({
    kind: 'task.respond',
    body: { proposalId: target, decision }
  })
  const refuse: Content = { kind: 'task.refuse', body: { of: target, code: CODES[pick % 4] as RefuseCode } }
  const confirm: Content = {
    kind: 'task.confirm',
    body: { proposalId: target, action: 'calendar.hold', recordId: recordOf(pick % 3), summary: '', params: {} }
  }
  const propose: Content = { kind: 'task.propose', body: { proposal: PLAN } }
  const odd = [say.opaque(), say.invite(), { kind: 'task.propose', body: { proposal: { home: 1 } } }] as Content[]
  const bag = [propose, propose, propose, respond('accept'), respond('accept'), respond('accept'), respond('reject')]
  return [...bag, refuse, refuse, refuse, confirm, confirm, say.cancel(), odd[pick % 3] as Content]
}
