/**
 * An agreed plan as a calendar file: iCalendar (RFC 5545) with one event, which says what was agreed and invites nobody.
 * The same input always gives the same bytes. Source: protocols/calendar.md.
 */
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { MessageId, TaskUid } from '../base/ids.js'
import type { JsonObject } from '../base/json.js'
import { conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { HOUR, type Instant, SECOND, instantOf } from '../base/time.js'
import type { Definition } from '../types/field.js'
import { calendarText } from './calendar-text.js'
import { type LocalTime, instantAt } from './local-time.js'
import { detailsOf, localTimeOf, placeOf } from './plan-event.js'

export interface CalendarInput {
  readonly definition: Definition
  /** The agreed proposal; it satisfies the definition. */
  readonly plan: JsonObject
  readonly taskUid: TaskUid
  /** The message that opened the task. */
  readonly inviteId: MessageId
  /** Version number of the agreed proposal. */
  readonly version: number
  /** The owner's name for the other side. */
  readonly participant: string
  /** When the node recorded the action that the owner approved. */
  readonly recordedAt: Instant
  /** `cancelled` makes the file that takes the event out again. */
  readonly status: 'confirmed' | 'cancelled'
}

/** The library puts the leading hyphen of an unregistered product itself. */
const PRODUCT = '//AgentLink//AgentLink 1//EN'
/** Milliseconds that an event lasts when its plan says only when it starts: a dinner's length. */
const LASTS = 2 * HOUR
/** A reader of the file must not take it for a booking. */
const DISCLAIMER = 'Agreed through AgentLink. The node itself booked nothing.'
/** Characters of place and of details that are written: the writer's folding takes quadratic time, and nobody reads more. */
const PLACE_MAX = 500
const DETAILS_MAX = 4000
/** Digits of the invite's id in the UID: a task's uid alone is the inviter's choice, and could name another event. */
const INVITE_DIGITS = 16

/**
 * The text of the file, lines ended by CR LF. Refuses with the conflict `no_calendar_time` when the plan does not say
 * when, or when its instant lies outside of the years 0001 to 9999, which the format can't write.
 */
export function calendarFile(input: CalendarInput): Result<string> {
  const local = localTimeOf(input.definition, input.plan)
  if (local === undefined) return untimed('The agreed plan does not say date, time and time zone.')
  const start = instantAt(local)
  const end = start + LASTS
  if (!isWritable(start) || !isWritable(end))
    return untimed('The agreed time is outside of the years that a calendar can hold.')
  return ok(written(input, local, { start, end }))
}

function written(input: CalendarInput, local: LocalTime, { start, end }: { start: Instant; end: Instant }): string {
  const { definition, plan, participant } = input
  const cancelled = input.status === 'cancelled'
  const place = cut(calendarText(placeOf(definition, plan)), PLACE_MAX)
  const details = cut(calendarText(detailsOf(definition, plan).join('\n')), DETAILS_MAX)
  const when = `${local.date} ${local.time} ${local.timezone}`
  const calendar = ical({
    prodId: PRODUCT,
    method: cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH
  })
  calendar.createEvent({
    id: `${input.taskUid}-${input.inviteId.slice(0, INVITE_DIGITS)}@agentlink`,
    // A cancelled event only counts where it is newer than the one that it takes out.
    sequence: input.version + (cancelled ? 1 : 0),
    stamp: new Date(wholeSecond(input.recordedAt)),
    start: new Date(start),
    end: new Date(end),
    summary: calendarText(`${definition.title} with ${participant}`).replaceAll('\n', ' '),
    ...(place === '' ? {} : { location: place }),
    description: [when, ...(details === '' ? [] : [details]), '', DISCLAIMER].join('\n'),
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED
  })
  const text = calendar.toString()
  return text.endsWith('\r\n') ? text : `${text}\r\n`
}

/** The first `max` characters; an ellipsis says that there is more. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / SECOND) * SECOND
}

const FIRST = instantOf('0001-01-01T00:00:00.000Z') as Instant
const LAST = instantOf('9999-12-31T23:59:59.000Z') as Instant

function isWritable(instant: Instant): boolean {
  return instant >= FIRST && instant <= LAST
}

function untimed(message: string): ReturnType<typeof fail> {
  return fail(conflict('no_calendar_time', `${message} There is no calendar file for it.`))
}
