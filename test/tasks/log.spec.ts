import { expect } from 'chai'
import { LIMITS } from '../../src/wire/limits.js'
import { EMPTY_LOG, type Side, type TaskEntry, checkPlace, coverOf, entryOf, isFull } from '../../src/tasks/log.js'
import type { VerifiedMessage } from '../../src/wire/message.js'
import { type Line, idOf, logOf, say } from './entries.js'

const INVITE: Line = { id: 'p1', say: say.invite() }
const LOG = logOf([INVITE, { id: 'p2', say: say.propose(), seen: 1 }], [{ id: 'q1', say: say.propose(), seen: 1 }])

function next(change: Partial<TaskEntry>): TaskEntry {
  const base = { id: idOf('z'), seq: 9, at: '2026-11-01T10:00:00.000Z', ...say.propose() }
  return { ...base, n: 2, seen: 1, seenId: idOf('p1'), ...change } as TaskEntry
}

describe('the place of a message in a task', () => {
  const rows: [string, Side, Partial<TaskEntry>, string | undefined][] = [
    ['is the next of its chain', 'invitee', {}, undefined],
    ['may count more than the one before', 'invitee', { seen: 2, seenId: idOf('p2') }, undefined],
    ['is not a later one', 'invitee', { n: 3 }, 'task.n'],
    ['is not one that is taken', 'invitee', { n: 1 }, 'task.n'],
    ['is not below the last seq', 'invitee', { seq: 1 }, 'seq'],
    ['does not count less than the one before', 'inviter', { n: 3, seen: 0, seenId: '' }, 'task.seen'],
    ['does not count what was not written', 'inviter', { n: 3, seen: 2, seenId: idOf('q1') }, 'task.seen'],
    ['names the last message that it counts', 'invitee', { seenId: idOf('p2') }, 'task.seenId'],
    ['names no message only when it counts none', 'invitee', { seenId: '' }, 'task.seenId']
  ]
  for (const [name, side, change, field] of rows) {
    it(name, () => {
      const result = checkPlace(LOG, side, next(change))
      expect(result.ok ? undefined : result.refusal.details.field).to.equal(field)
    })
  }

  it('is the first only for an invite of the inviter', () => {
    const { inviter } = logOf([INVITE])
    expect(checkPlace(EMPTY_LOG, 'inviter', inviter[0] as TaskEntry).ok).to.equal(true)
    expect(checkPlace(EMPTY_LOG, 'inviter', next({ n: 1, seen: 0, seenId: '' })).ok).to.equal(false)
    expect(checkPlace(EMPTY_LOG, 'invitee', next({ n: 1, seen: 0, seenId: '' })).ok).to.equal(false)
  })

  it('never comes before the invite for the invitee', () => {
    const result = checkPlace(logOf([INVITE]), 'invitee', next({ n: 1, seen: 0, seenId: '' }))
    expect(result.ok ? undefined : result.refusal.details.field).to.equal('task.seen')
  })
})

describe('a chain of a task', () => {
  const many = (kind: 'propose' | 'refuse', count: number): Line[] =>
    Array.from({ length: count }, (_, i) => ({
      id: `${kind}${i}`,
      say: kind === 'propose' ? say.propose() : say.refuse('x', 'backdated'),
      seen: 1
    }))

  it('is full at the limit, and then still takes refusals', () => {
    const { invitee } = logOf([INVITE], many('propose', LIMITS.taskMessages))
    expect(isFull(invitee, 'task.cancel')).to.equal(true)
    expect(isFull(invitee, 'task.refuse')).to.equal(false)
    expect(isFull(invitee.slice(1), 'task.cancel')).to.equal(false)
    const last = invitee[invitee.length - 1] as TaskEntry
    const result = checkPlace({ ...logOf([INVITE]), invitee }, 'invitee', next({ n: last.n + 1, seq: last.seq + 1 }))
    expect(result.ok ? undefined : result.refusal.details.code).to.equal('task_full')
  })

  it('that is full of refusals still takes everything else', () => {
    const { invitee } = logOf([INVITE], many('refuse', LIMITS.taskMessages))
    expect(isFull(invitee, 'task.cancel')).to.equal(false)
    expect(isFull(invitee, 'task.refuse')).to.equal(true)
  })
})

describe('an entry', () => {
  const message = (content: object | undefined, task: object | undefined): VerifiedMessage =>
    ({ id: idOf('m'), header: { seq: 4, at: 'then', task }, content }) as unknown as VerifiedMessage
  const task = { uid: 'u', n: 2, seen: 1, seenId: idOf('p1') }

  it('takes place, kind and body from the message', () => {
    expect(entryOf(message(say.propose(), task), 7)).to.deep.equal({
      ...say.propose(),
      id: idOf('m'),
      seq: 4,
      n: 2,
      seen: 1,
      seenId: idOf('p1'),
      at: 'then',
      coverHead: 7
    })
  })

  it('is opaque when the message could not be read', () => {
    expect(entryOf(message(undefined, task)))
      .to.include({ kind: 'opaque', n: 2 })
      .and.not.have.property('coverHead')
  })

  it('is not made of a message outside of tasks', () => {
    expect(() => entryOf(message({ kind: 'contact.accept', body: {} }, undefined))).to.throw('belongs to no task')
  })
})

describe('the head that covers an entry', () => {
  it('is the head of the receipt, and never below what is held as it arrives', () => {
    expect([coverOf(9, 4), coverOf(3, 4)]).to.deep.equal([9, 4])
  })
})
