import { toUtf8 } from '../base/bytes.js'
import type { Instant } from '../base/time.js'
import type { Approval, TypeSubject } from '../policy/approval.js'
import { type HashedDefinition, readDefinition } from '../types/definition.js'
import type { KindRow } from './kind-row.js'
import { record } from './audit.js'
import { mayWrite } from './chain.js'
import { requireActive } from './contact.js'
import type { ContactBook } from './contact-book.js'
import type { HeldInvites } from './held-invites.js'
import type { Tx } from './ports.js'
import type { StepTx } from './steps.js'
import { inspectionOf } from './type-view.js'
import type { TypeBook } from './type-book.js'

/**
 * Questions of kind `type`: may this definition, which a contact's invite brought, be installed (protocols/policy.md,
 * "Types")? The yes is bound to the definition byte for byte.
 */
export function createTypeQuestions(components: {
  readonly contacts: ContactBook
  readonly types: TypeBook
  readonly held: HeldInvites
}): KindRow<'type'> {
  const { contacts, types, held } = components

  function standing(tx: Pick<Tx, 'get'>, approval: Approval<TypeSubject>): boolean {
    const contact = contacts.find(tx, { agent: approval.agent, peer: approval.contact })
    if (contact === undefined || !requireActive(contact).ok) return false
    return types.byHash(tx, approval.subject.type.hash) === undefined && held.of(tx, approval).length > 0
  }

  function approve(tx: StepTx, approval: Approval<TypeSubject>, now: Instant): 'done' | 'moved' {
    const { type } = approval.subject
    if (!standing(tx, approval)) return 'moved'
    types.install(tx, definitionIn(approval), now)
    const about = { agent: approval.agent, contact: approval.contact, type: type.hash }
    record(tx, { at: now, who: { kind: 'owner' }, what: 'type.installed', about, under: { approvalId: approval.id } })
    held.settle(tx, now)
    return 'done'
  }

  function end(tx: StepTx, approval: Approval<TypeSubject>, now: Instant): void {
    if (approval.status === 'expired') return held.askAgain(tx, approval, now)
    // What the owner installed in the meantime is wanted: a no to the question of then is no word on it.
    if (approval.status !== 'denied' || types.byHash(tx, approval.subject.type.hash) !== undefined) return
    held.decline(tx, approval, now)
    const about = { agent: approval.agent, contact: approval.contact, type: approval.subject.type.hash }
    record(tx, { at: now, who: { kind: 'owner' }, what: 'type.declined', about, under: { approvalId: approval.id } })
  }

  return {
    approve,
    end,
    ready: (tx, { agent, contact }) => mayWrite(tx, { agent, peer: contact }),
    standing,
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
