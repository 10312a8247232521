import { readFileSync } from 'node:fs'
import type { MessageId } from '../../../src/base/ids.js'
import type { Report } from '../../../src/tasks/report.js'
import type { TaskDraft } from '../../../src/tasks/rules.js'
import { isSettled } from '../../../src/tasks/settle.js'
import { type Definition, readDefinition } from '../../../src/types/definition.js'
import { draftsFor } from '../drafts.js'
import type { Content } from '../entries.js'
import { type Party, World } from '../world.js'
import { JOB_PLAN, job } from './lines.js'

const JOB: Definition = load()

function load(): Definition {
  const read = readDefinition(readFileSync(new URL('../../../protocols/types/job.request@1.json', import.meta.url)))
  if (!read.ok) throw new Error(read.refusal.message)
  return read.value.definition
}

/** A paid job between two honest nodes, whose chain may tell each of them another story. */
export class JobWorld extends World {
  /** Payments that the hirer's node would have signed for: they must stay in effect. */
  private readonly signedFor = new Set<MessageId>()

  protected override invite(): Content {
    return job.invite()
  }

  protected override definition(): Definition {
    return JOB
  }

  protected override drafts(party: Party, reported: Report, pick: number): TaskDraft[] {
    const { reduced } = reported
    const attempts = reduced.job?.attempts.length ?? 0
    const plain = draftsFor(reported, pick).map((draft): TaskDraft =>
      draft.kind === 'task.propose' ? { kind: 'task.propose', body: { proposal: JOB_PLAN } } : draft
    )
    if (reduced.agreedProposalId === undefined) return plain
    const steps: TaskDraft[] =
      party.side === 'inviter'
        ? [this.pay(reduced.agreedProposalId, attempts + 1), word(job.unpaid(attempts || 1)), word(job.complete())]
        : [word(job.paid(1 + (pick % (attempts || 1)))), word(job.paid(attempts || 1)), word(job.deliver())]
    return [...plain.slice(-1), ...steps, ...steps]
  }

  private pay(proposalId: MessageId, attempt: number): TaskDraft {
    const body = { proposalId, attempt, reference: String(attempt % 9 || 9).repeat(32), payer: '4'.repeat(44) }
    return { kind: 'job.pay', body }
  }

  protected override look(): void {
    super.look()
    const party = this.inviter
    const { reduced } = this.reportOf(party)
    for (const id of this.signedFor) {
      if (reduced.effects.get(id) !== 'applied') this.faults.push('a payment that was settled lost its effect')
    }
    const last = reduced.job?.attempts.at(-1)
    if (last !== undefined && isSettled(party.own, last.n, party.inSeq)) this.signedFor.add(last.id)
  }
}

function word(content: Content): TaskDraft {
  return content as TaskDraft
}
