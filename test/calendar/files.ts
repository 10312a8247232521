import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { readFileSync } from 'node:fs'
import type { MessageId, TaskUid } from '../../src/base/ids.js'
import type { JsonObject } from '../../src/base/json.js'
import { type CalendarInput, calendarFile } from '../../src/calendar/calendar-file.js'
import type { Definition } from '../../src/types/field.js'

/** Calendar files for tests, and what two libraries that know nothing of ours read in them. */

export const DINNER = JSON.parse(readFileSync('protocols/types/dinner.coordination@1.json', 'utf8')) as Definition

export const PLAN: JsonObject = {
  date: '2026-11-14',
  time: '19:45',
  timezone: 'America/Toronto',
  cuisine: 'Italian',
  partySize: 2,
  venue: { name: 'Trattoria Nonna', area: 'Little Italy' }
}

export function inputWith(changes: Partial<CalendarInput>): CalendarInput {
  return {
    definition: DINNER,
    plan: PLAN,
    taskUid: '9a31'.repeat(8) as TaskUid,
    inviteId: '0123456789abcdef'.repeat(4) as MessageId,
    version: 2,
    participant: '@hermes',
    recordedAt: Date.parse('2026-11-02T18:30:15.250Z'),
    status: 'confirmed',
    ...changes
  }
}

/** The file, which has to exist. */
export function fileWith(changes: Partial<CalendarInput>): string {
  const made = calendarFile(inputWith(changes))
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value
}

/** What a reader finds: instants in milliseconds, texts unescaped. */
export interface ReadEvent {
  readonly method: unknown
  readonly properties: readonly string[]
  readonly uid: unknown
  readonly sequence: number
  readonly start: number
  readonly end: number
  readonly stamp: number
  readonly summary: unknown
  readonly location: unknown
  readonly description: unknown
  readonly status: unknown
}

export function readByIcalJs(text: string): ReadEvent {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const events = calendar.getAllSubcomponents()
  const [event] = events
  if (event === undefined || events.length !== 1 || event.name !== 'vevent') throw new Error('not one event')
  const value = (name: string): unknown => event.getFirstPropertyValue(name)
  const time = (name: string): number => (value(name) as ICAL.Time).toJSDate().getTime()
  return {
    method: calendar.getFirstPropertyValue('method'),
    properties: event.getAllProperties().map((property) => property.name),
    uid: value('uid'),
    sequence: value('sequence') as number,
    start: time('dtstart'),
    end: time('dtend'),
    stamp: time('dtstamp'),
    summary: value('summary'),
    location: value('location') ?? undefined,
    description: value('description'),
    status: value('status')
  }
}

export function readByNodeIcal(text: string): Omit<ReadEvent, 'properties'> {
  const found = Object.values(nodeIcal.sync.parseICS(text))
  const events = found.filter((component) => component?.type === 'VEVENT')
  const [event] = events as unknown as Record<string, unknown>[]
  if (event === undefined || events.length !== 1) throw new Error('not one event')
  const time = (name: string): number => (event[name] as Date).getTime()
  return {
    method: event['method'],
    uid: event['uid'],
    sequence: Number(event['sequence']),
    start: time('start'),
    end: time('end'),
    stamp: time('dtstamp'),
    summary: event['summary'],
    location: event['location'],
    description: event['description'],
    status: event['status']
  }
}
