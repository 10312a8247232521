import type { TaskUid } from '../base/ids.js'
import { Memory } from '../base/memory.js'
import type { Side } from '../tasks/log.js'

/** Tasks whose reading is kept, at the most: more than a node has under way at one time. */
const TASKS = 2048

interface TaskOf {
  readonly uid: TaskUid
  readonly role: Side
}

interface Cell<R, T> {
  record: R | undefined
  reading: T | undefined
}

/**
 * What was read of the records of tasks: records never change, so it holds for the very record that it was read of. One
 * is kept for each task, that of the newest record: nobody asks for what an older one said.
 */
export class Readings<R extends TaskOf, T> {
  // Two agents of one node may be the two sides of one task.
  readonly #cells: Readonly<Record<Side, Memory<TaskUid, Cell<R, T>>>> = {
    inviter: new Memory(TASKS),
    invitee: new Memory(TASKS)
  }

  of(record: R): T | undefined {
    const cell = this.#cellOf(record)
    return cell.record === record ? cell.reading : undefined
  }

  keep(record: R, reading: T): T {
    const cell = this.#cellOf(record)
    cell.record = record
    cell.reading = reading
    return reading
  }

  #cellOf({ role, uid }: R): Cell<R, T> {
    return this.#cells[role].recall(uid, emptyCell)
  }
}

function emptyCell<R, T>(): Cell<R, T> {
  return { record: undefined, reading: undefined }
}
