import type { Result } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { Approval, ApprovalKind, SubjectOf } from '../policy/approval.js'
import type { Tx } from './ports.js'
import type { StepTx } from './steps.js'
import type { OwnerSubjectView } from './views/approvals.js'

/**
 * What the kinds of approvals do. A new kind is one member of `Subject` and one row of `KINDS` (policy/approval.ts), one
 * member of `OwnerSubjectView` (views.ts), and one row here; asking, answering, expiry, staleness and limits are shared.
 */
export interface KindRow<K extends ApprovalKind> {
  /** Whether an answer can be carried out now; asked before it is taken. */
  ready?(tx: Pick<Tx, 'get'>, approval: Approval<SubjectOf<K>>): Result<void>
  /**
   * Executes the owner's yes, in the step that stores it; everything is decided anew here. `done`: the yes is spent.
   * `kept`: it waits for the agent's next call. `moved`: the world moved, and it is stale.
   */
  approve(tx: StepTx, approval: Approval<SubjectOf<K>>, now: Instant): 'done' | 'kept' | 'moved'
  /**
   * Stages what follows when it has ended without its yes being spent: `denied`, `expired` or `stale`. Not called when
   * the same deed was done meanwhile under a grant (`AskBook.consult`).
   */
  end(tx: StepTx, approval: Approval<SubjectOf<K>>, now: Instant): void
  /**
   * Whether a yes could still lead to the deed; if not, it is stale at once. Asked whenever a grant of the agent, the
   * contact or the task changed.
   */
  standing(tx: Pick<Tx, 'get'>, approval: Approval<SubjectOf<K>>, now: Instant): boolean
  /** What the owner sees beside the common members. */
  view(tx: Pick<Tx, 'get'>, approval: Approval<SubjectOf<K>>, now: Instant): OwnerSubjectView
}
