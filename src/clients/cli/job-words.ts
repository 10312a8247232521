import type { AnswerOf } from '../../api/contract.js'

/** How a paid job stands, in words (protocols/jobs.md, "Silence"). */

type Task = AnswerOf<'tasks.read'>['task']
export type Detail = NonNullable<NonNullable<Task['job']>['detail']>

/** What is waited for. The code stands with it wherever a program or a page would name it. */
const DETAILS: Readonly<Record<Detail, string>> = {
  payment_due: 'waits for the hirer to pay',
  on_its_way: 'the payment is on its way',
  not_landed: 'the payment has not landed for more than 10 minutes',
  landed: "the payment landed; the provider's receipt is awaited",
  delivery_due: 'waits for the provider to deliver',
  delivery_overdue: 'the deadline has passed without a delivery',
  completion_due: 'waits for the hirer to complete it',
  completion_overdue: 'was delivered more than 7 days ago, and the hirer has not completed it'
}

/** `paying, the payment is on its way (on_its_way)`. */
export function statusText(status: Task['status'], detail: Detail | undefined): string {
  return detail === undefined ? status : `${status}: ${DETAILS[detail]} (${detail})`
}
