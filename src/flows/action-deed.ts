import { toUtf8 } from '../base/bytes.js'
import { sha256Hex } from '../base/digest.js'
import type { MessageId } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { type Refusal, badRequest } from '../base/refusal.js'
import { type ActionSubject, type Exact, boundText, payloadOf } from '../policy/approval.js'
import { capabilityOf } from '../policy/capability.js'
import type { TaskDraft } from '../tasks/rules.js'
import { type OfferedAction, sharedParams, summaryOf } from '../types/actions.js'
import type { InstalledType } from '../types/catalog.js'
import type { Question } from './ask-book.js'
import { onlyPair } from './chain.js'
import { actionKey } from './keys.js'
import type { AddPlan } from './plan.js'
import type { TaskRecord } from './records/tasks.js'

/** An action on an agreed plan as a value: what is asked of the owner for it, and what would leave (`actions.ts`). */

/** A command that was resolved and checked. */
export interface Deed {
  readonly task: TaskRecord
  readonly action: OfferedAction
  readonly params: JsonObject
  readonly plan: JsonObject
  readonly question: Question & { readonly subject: ActionSubject }
}

/** One record for each action and params on an agreed plan, however often it is asked for. */
export function keyOf({ task, question }: Deed): string {
  const digest = sha256Hex(toUtf8(`${boundText(question.subject)} ${question.payload}`))
  return actionKey(task.agent, task.uid, digest)
}

export function questionOf(
  task: TaskRecord,
  type: InstalledType,
  asked: { readonly action: OfferedAction; readonly params: JsonObject; readonly proposalId: MessageId }
): Deed['question'] {
  const { name, version, hash } = type
  return {
    agent: task.agent,
    contact: task.peer,
    taskUid: task.uid,
    subject: {
      kind: 'action',
      action: asked.action.name,
      proposalId: asked.proposalId,
      type: { name, version, hash }
    },
    payload: payloadOf(asked.params),
    needs: needsOf(asked.action.name),
    until: Number.MAX_SAFE_INTEGER,
    task: 'known'
  }
}

export function needsOf(action: string): ReadonlyMap<string, readonly string[]> {
  return new Map([[capabilityOf(action), []]])
}

export function exactOf({ agent, contact, taskUid, subject, payload }: Question): Exact {
  return { agent, contact, subject, payload, ...(taskUid === undefined ? {} : { taskUid }) }
}

/** What would be sealed: nothing that the other side does not hold already, and the sentence of the node. */
export function confirmOf({ task, action, plan, params, question }: Deed, recordId: string): AddPlan {
  const { proposalId } = question.subject
  const content: TaskDraft = {
    kind: 'task.confirm',
    body: {
      proposalId,
      action: action.name,
      recordId,
      summary: summaryOf(action),
      params: sharedParams(action, plan, params)
    }
  }
  return { step: 'add', pair: onlyPair(task), content, task }
}

export function unknownAction(offered: readonly OfferedAction[]): Refusal {
  const names = offered.map((action) => action.name).join(', ')
  const known = names === '' ? 'this type has none' : `this type has ${names}`
  return badRequest('invalid_field', `action must be an action of the type: ${known}`, 'action')
}
