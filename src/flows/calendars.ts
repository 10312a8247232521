import type { AgentId, TaskUid } from '../base/ids.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import type { Instant } from '../base/time.js'
import type { CalendarInput } from '../calendar/calendar-file.js'
import { inviteOf } from '../tasks/log.js'
import type { ContactBook } from './contact-book.js'
import { actionPrefix } from './keys.js'
import type { Clock, Store, Tx } from './ports.js'
import type { Steps } from './steps.js'
import type { TaskBook } from './task-book.js'
import { findVisible } from './task-view.js'
import type { TypeBook } from './type-book.js'
import type { CalendarView } from './views/tasks.js'

/** Agreed plans as calendar files, for the owner (protocols/calendar.md). */
export interface Calendars {
  /** Refuses with `not_found`, `action_not_recorded` or `no_calendar_time`. */
  of(agent: AgentId, taskUid: string): Promise<Result<CalendarView>>
}

/** The actions that an owner's calendar has to do with. */
const CALENDAR_ACTIONS: ReadonlySet<string> = new Set(['calendar.hold', 'reservation.book'])

export function createCalendars(components: {
  readonly store: Store
  readonly steps: Steps
  readonly book: TaskBook
  readonly contacts: ContactBook
  readonly types: TypeBook
  readonly clock: Clock
}): Calendars {
  const { store, steps, book, contacts, types, clock } = components

  async function of(agent: AgentId, taskUid: string): Promise<Result<CalendarView>> {
    const task = await steps.read((tx) => findVisible(tx, book, agent, taskUid))
    if (!task.ok) return task
    const recordedAt = await lastRecord(agent, task.value.uid)
    const input = await steps.read((tx) => inputOf(tx, agent, task.value.uid, recordedAt))
    if (!input.ok) return input
    // Rules of all time zones come with it: loaded when the first file is asked for.
    const { calendarFile } = await import('../calendar/calendar-file.js')
    const file = calendarFile(input.value)
    return file.ok ? ok({ calendar: file.value }) : file
  }

  /** When the newest of the actions was recorded here. */
  async function lastRecord(agent: AgentId, uid: TaskUid): Promise<Instant | undefined> {
    const records = await store.range('actions', { prefix: actionPrefix(agent, uid) })
    const times = records.filter(([, record]) => CALENDAR_ACTIONS.has(record.action)).map(([, record]) => record.at)
    return times.length === 0 ? undefined : Math.max(...times)
  }

  function inputOf(
    tx: Pick<Tx, 'get'>,
    agent: AgentId,
    uid: TaskUid,
    recordedAt: Instant | undefined
  ): Result<CalendarInput> {
    const found = findVisible(tx, book, agent, uid)
    if (!found.ok) return found
    const record = found.value
    const { status, proposals, agreedProposalId } = book.report(tx, record, clock.now())
    const agreed = proposals.find(({ proposalId }) => proposalId === agreedProposalId)
    if (recordedAt === undefined || agreed === undefined) return fail(notRecorded())
    const type = types.byHash(tx, record.type.hash)
    if (type === undefined) throw new Error(`task ${uid} is pinned to a type that this node does not have`)
    const contact = contacts.find(tx, record)
    return ok({
      definition: type.definition,
      plan: agreed.proposal,
      taskUid: uid,
      inviteId: inviteOf(book.log(tx, record)).id,
      version: agreed.version,
      participant: contact?.alias ?? contact?.handle ?? record.peer,
      recordedAt,
      status: status === 'cancelled' ? 'cancelled' : 'confirmed'
    })
  }

  return { of }
}

function notRecorded(): ReturnType<typeof conflict> {
  return conflict(
    'action_not_recorded',
    'There is a calendar file once your agent recorded calendar.hold or reservation.book for this task, on your approval.'
  )
}
