import type { JsonObject } from '../base/json.js'
import type { ApprovalKind } from '../policy/approval.js'
import type { Actions } from './actions.js'
import type { ContactBook } from './contact-book.js'
import { type Disclosures, proposalOf } from './disclosures.js'
import type { EnvelopeSubmit } from './envelope-submit.js'
import type { HeldInvites } from './held-invites.js'
import type { KindRow } from './kind-row.js'
import type { Submit } from './submit.js'
import type { TypeBook } from './type-book.js'
import { createTypeQuestions } from './type-questions.js'

/** All kinds, each with what it does. */
export type ApprovalKinds = { readonly [K in ApprovalKind]: KindRow<K> }

export function createApprovalKinds(components: {
  readonly disclosures: Disclosures
  readonly actions: Actions
  readonly submit: Submit
  readonly envelopes: EnvelopeSubmit
  readonly contacts: ContactBook
  readonly types: TypeBook
  readonly held: HeldInvites
  readonly payment: KindRow<'payment'>
  readonly delivery: KindRow<'delivery'>
}): ApprovalKinds {
  const { disclosures, actions, submit, envelopes, payment, delivery } = components
  return {
    payment,
    delivery,
    type: createTypeQuestions(components),
    disclosure: {
      approve: (tx, approval, now) => (submit.resume(tx, disclosures.asked(approval), now).ok ? 'done' : 'moved'),
      end: () => undefined,
      standing: disclosures.standing,
      view(tx, approval, now) {
        const replaces = disclosures.replaced(tx, approval, now)
        const { action, type } = approval.subject
        return {
          kind: 'disclosure',
          action,
          type,
          proposal: proposalOf(approval),
          ...(replaces === undefined ? {} : { replaces })
        }
      }
    },
    envelope: {
      approve: (tx, approval, now) => (envelopes.resume(tx, approval, now).ok ? 'done' : 'moved'),
      end: () => undefined,
      standing: envelopes.standing,
      view: (_tx, { subject, payload }) => ({
        kind: 'envelope',
        action: subject.action,
        taskId: subject.taskId,
        content: JSON.parse(payload) as JsonObject
      })
    },
    action: {
      // The agent calls again with the approval: it is told what became of the plan meanwhile, and records it itself.
      approve(tx, approval, now) {
        actions.release(tx, approval)
        return actions.standing(tx, approval, now) ? 'kept' : 'moved'
      },
      end: actions.release,
      standing: actions.standing,
      view: actions.view
    }
  }
}
