import { toUtf8 } from '../base/bytes.js'
import type { Instant } from '../base/time.js'
import type { Approval, TypeSubject } from '../policy/approval.js'
import { type HashedDefinition, readDefinition } from '../types/definition.js'
import type { KindRow } from './kind-row.js'
import { record } from './audit.js'
import { mayWrite } from './chain.js'
import type { HeldInvites } from './held-invites.js'
import type { StepTx } from './steps.js'
import { inspectionOf } from './type-view.js'
import type { TypeBook } from './type-book.js'

/**
 * Questions of kind `type`: may this definition, which a contact's invite brought, be installed (protocols/policy.md,
 * "Types")? The yes is bound to the definition byte for byte.
 */
export function createTypeQuestions(components: {
  readonly types: TypeBook
  readonly held: HeldInvites
}): KindRow<'type'> {
  const { types, held } = components

  function approve(tx: StepTx, approval: Approval<TypeSubject>, now: Instant): 'done' | 'moved' {
    const { type } = approval.subject
    if (types.byHash(tx, type.hash) !== undefined || held.of(tx, approval).length === 0) return 'moved'
    types.install(tx, definitionIn(approval), now)
    const about = { agent: approval.agent, contact: approval.contact, type: type.hash }
    record(tx, { at: now, who: { kind: 'owner' }, what: 'type.installed', about, under: { approvalId: approval.id } })
    held.settle(tx, now)
    return 'done'
  }

  function end(tx: StepTx, approval: Approval<TypeSubject>, now: Instant): void {
    if (approval.status === 'expired') return held.askAgain(tx, approval, now)
    if (approval.status !== 'denied') return
    held.decline(tx, approval, now)
    const about = { agent: approval.agent, contact: approval.contact, type: approval.subject.type.hash }
    record(tx, { at: now, who: { kind: 'owner' }, what: 'type.declined', about, under: { approvalId: approval.id } })
  }

  return {
    approve,
    end,
    ready: (tx, { agent, contact }) => mayWrite(tx, { agent, peer: contact }),
    standing: (tx, approval) =>
      types.byHash(tx, approval.subject.type.hash) === undefined && held.of(tx, approval).length > 0,
    view: (tx, approval) => ({
      kind: 'type',
      type: approval.subject.type,
      inspection: inspectionOf(tx, types, definitionIn(approval)),
      held: held.of(tx, approval).length
    })
  }
}

function definitionIn(approval: Approval<TypeSubject>): HashedDefinition {
  const read = readDefinition(toUtf8(approval.payload))
  if (!read.ok) throw new Error(`approval ${approval.id} holds no definition: ${read.refusal.message}`)
  return read.value
}
